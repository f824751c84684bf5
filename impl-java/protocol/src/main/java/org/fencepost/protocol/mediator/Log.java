package org.fencepost.protocol.mediator;

import org.fencepost.protocol.store.StoreException;

/**
 * The write-ahead log as clients see it (SYSTOR'14 section 2). Of a transaction's records the first one counts: an abort by the
 * helper and a commit by a slow client may both be on their way, and the order of the log decides.
 *
 * @param <W> write sets
 */
@FunctionalInterface
public interface Log<W> {

    /**
     * Appends a record, or finds the one that is there already. On return the answer is durable.
     *
     * @return whether the transaction's first record commits it
     * @throws StoreException if there is no answer: the record may be in the log, or may come to be later. It may be sent
     *                        again, which is how its sender finds out
     */
    boolean append(LogRecord<W> record);
}
