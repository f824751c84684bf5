package org.fencepost.ph1.client;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.fencepost.ph1.store.Key;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionFinishedException;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.ph1.PH1Transaction;

/**
 * A transaction over any tables of the client that began it: under snapshot isolation it reads what is in its snapshot, and its own
 * writes, which stay in memory until commit. Used by one thread at a time.
 */
public final class Transaction implements AutoCloseable {

    /** Of a key in the redo log, beside its bytes and its table's name. */
    private static final int OVERHEAD_BYTES = 12;

    private final PH1Client client;
    private final PH1Transaction<Key, ByteBuffer> state;
    private final Map<Key, Integer> sizes = new HashMap<>();
    private int bytes;

    Transaction(PH1Client client, PH1Transaction<Key, ByteBuffer> state) {
        this.client = client;
        this.state = state;
    }

    /** The snapshot: what was committed below it. Other transactions may have the same. */
    public long startTimestamp() {
        return state.readTs();
    }

    /** When it took effect, in the order of the same timestamps; 0 before commit and for a transaction without writes. */
    public long commitTimestamp() {
        return state.commitTs();
    }

    public TransactionStatus status() {
        return state.status();
    }

    /**
     * Commits. Returns when all is written: those that begin in the same session see it from now on, others when earlier flushes have ended.
     *
     * @throws TransactionAbortedException  if it did not commit and never will; its cause says why, and running the transaction again is
     *                                      the usual answer
     * @throws OutcomeUnknownException      if the redo log did not tell, or the flush did not end in time; another instance ends it
     * @throws TransactionFinishedException if it is over already
     */
    public void commit() {
        client.protocol().commit(state);
    }

    /** Gives it up. Throws {@link TransactionFinishedException} if it is over already. */
    public void rollback() {
        client.protocol().rollback(state);
    }

    /** Rolls back if neither commit nor rollback came before. */
    @Override
    public void close() {
        if (state.status() == TransactionStatus.ACTIVE) {
            rollback();
        }
    }

    PH1Transaction<Key, ByteBuffer> state() {
        return state;
    }

    void requireActiveIn(PH1Client expected) {
        if (client != expected) {
            throw new IllegalArgumentException("Transaction " + startTimestamp() + " was begun by another PH1Client than the table comes from.");
        }
        if (status() != TransactionStatus.ACTIVE) {
            throw new TransactionFinishedException(startTimestamp(), status());
        }
    }

    /** Makes room for a write, which replaces an earlier one of its key. Throws IllegalArgumentException if there is none. */
    void reserve(Key key, int valueBytes) {
        int size = key.table().length() + key.bytes().length + valueBytes + OVERHEAD_BYTES;
        int after = bytes + size - sizes.getOrDefault(key, 0);
        if (after > PH1Client.maxWriteBytes()) {
            throw new IllegalArgumentException("Transaction " + startTimestamp() + " would write more than " + PH1Client.maxWriteBytes()
                    + " bytes, which are one record of the redo log: split it.");
        }
        sizes.put(key, size);
        bytes = after;
    }
}
