package org.fencepost.tm.mediator;

import java.util.List;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.protocol.store.StoreException;

/**
 * The logs of all oracles, one after the other.
 *
 * @param <W> write sets
 */
public interface Ledgers<W> {

    /**
     * Closes what earlier oracles have written: none of them can append to it any more, whatever they still have on its way.
     *
     * @throws StoreException if that did not succeed, or may not have
     */
    Closed<W> closeLog();

    /** A new log. Only after {@link #closeLog}. Throws StoreException if another oracle has closed the log since. */
    Ledger<W> create();

    /**
     * What earlier oracles have left.
     *
     * @param records          in the order of the log
     * @param writtenBackBelow records with lower commit timestamps need not be written back again
     * @param knownFrom        of transactions with commit timestamps from here on, all records are there; earlier ones may have been deleted
     */
    record Closed<W>(List<LogRecord<W>> records, long writtenBackBelow, long knownFrom) {
    }
}
