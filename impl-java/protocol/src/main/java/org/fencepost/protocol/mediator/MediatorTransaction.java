package org.fencepost.protocol.mediator;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionFinishedException;
import org.fencepost.protocol.TransactionStatus;

/**
 * The state of one transaction at its client (SYSTOR'14 section 4.2: the descriptor). {@link Mediator} moves it; callers only
 * look. Used by one thread at a time.
 */
public final class MediatorTransaction<K, V> {

    private final long startTs;
    private final Replica replica;
    private final Map<K, V> writes = new LinkedHashMap<>();
    /** Under serializability what was read, null for nothing; else empty. */
    private final Map<K, Version<V>> reads = new LinkedHashMap<>();
    private boolean hasRead;
    private TransactionStatus status = TransactionStatus.ACTIVE;
    private long commitTs = Timestamps.NIL;

    MediatorTransaction(Oracle.Begun begun) {
        this.startTs = begun.startTs();
        this.replica = begun.replica();
    }

    /** ts_s */
    public long startTs() {
        return startTs;
    }

    /** ts_c, once the status oracle, or for a put transaction the server, has given it; 0 before. */
    public long commitTs() {
        return commitTs;
    }

    public TransactionStatus status() {
        return status;
    }

    /** The keys written so far, in the order of their first write; a live, read-only view. */
    public Set<K> writeSet() {
        return Collections.unmodifiableSet(writes.keySet());
    }

    /** The transaction's own write of a key; null if it has none. */
    public V ownWrite(K key) {
        return writes.get(key);
    }

    Replica replica() {
        return replica;
    }

    Map<K, V> writes() {
        return writes;
    }

    Map<K, Version<V>> reads() {
        return reads;
    }

    /** Whether it has read anything from the database. */
    boolean hasRead() {
        return hasRead;
    }

    void noteRead() {
        hasRead = true;
    }

    void requireActive() {
        if (status != TransactionStatus.ACTIVE) {
            throw new TransactionFinishedException(startTs, status);
        }
    }

    void certified(long ts) {
        if (ts <= startTs) {
            throw new IllegalStateException("Transaction " + startTs + " was given the commit timestamp " + ts
                    + ", which is not later than its start.");
        }
        commitTs = ts;
        status = TransactionStatus.CERTIFIED;
    }

    boolean isOver() {
        return status.compareTo(TransactionStatus.COMMITTED) >= 0;
    }

    void finish(TransactionStatus outcome) {
        if (isOver()) {
            throw new IllegalStateException("Transaction " + startTs + " ended twice: " + status + ", " + outcome + ".");
        }
        status = outcome;
    }

    @Override
    public String toString() {
        return "Transaction[" + startTs + " " + status + " writes " + writes.keySet() + "]";
    }
}
