package org.fencepost.protocol.region;

import java.util.function.BooleanSupplier;

/** How a server asks the transaction manager for the time, in the background. */
public interface TimeSource {

    /**
     * Tries until the clock has been lifted: see {@link LocalVersionClock#bootstrapClock}.
     *
     * @param stillNeeded asked before each attempt; if not, nothing more is done
     * @param then        run when the clock has been lifted
     */
    void bootstrapClock(BooleanSupplier stillNeeded, Runnable then);
}
