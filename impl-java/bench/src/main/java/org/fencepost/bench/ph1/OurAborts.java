package org.fencepost.bench.ph1;

import java.util.function.Supplier;
import org.fencepost.bench.ph1.KeyValues.Aborted;
import org.fencepost.protocol.TransactionAbortedException;

/** What our own clients throw, as all systems throw it here. */
final class OurAborts {

    private OurAborts() {
    }

    static <T> T orAborted(Supplier<T> step) throws Aborted {
        try {
            return step.get();
        } catch (TransactionAbortedException e) {
            throw new Aborted(e);
        }
    }

    static void orAborted(Runnable step) throws Aborted {
        orAborted(() -> {
            step.run();
            return null;
        });
    }
}
