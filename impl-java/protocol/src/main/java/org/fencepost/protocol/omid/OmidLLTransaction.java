package org.fencepost.protocol.omid;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.store.Write;

/**
 * The state of one transaction at its client. {@link OmidLL} moves it; callers only look. Used by one thread at a time.
 *
 * <p>A write is buffered here first, then sent, then acknowledged. Its key joins the write set before anything is sent,
 * so that whatever may have reached the store can be cleaned up.
 */
public final class OmidLLTransaction<K, V> {

    private final long startTs;
    private final long deadlineNanos;
    private final Map<K, Write<V>> writes = new LinkedHashMap<>();
    /** Part of writes: not sent yet. */
    private final Map<K, Write<V>> buffered = new LinkedHashMap<>();
    /** Part of writes: sent, perhaps stored. Disjoint from buffered. */
    private final Map<K, Write<V>> unacknowledged = new LinkedHashMap<>();
    private final Outcomes<K> outcomes = new Outcomes<>();
    private TransactionStatus status = TransactionStatus.ACTIVE;
    private long commitTs = Timestamps.NIL;

    OmidLLTransaction(long startTs, long deadlineNanos) {
        this.startTs = startTs;
        this.deadlineNanos = deadlineNanos;
    }

    /** ts_r: the snapshot it reads, and the version it writes. */
    public long startTs() {
        return startTs;
    }

    /** ts_c, from CERTIFIED on; NIL before, and for a transaction without writes. */
    public long commitTs() {
        return commitTs;
    }

    public TransactionStatus status() {
        return status;
    }

    /** On the client's monotonic clock: what the store answers later than this is not used. */
    public long deadlineNanos() {
        return deadlineNanos;
    }

    /** The keys written so far, in the order of their first write; a live, read-only view. */
    public Set<K> writeSet() {
        return Collections.unmodifiableSet(writes.keySet());
    }

    public boolean isReadOnly() {
        return writes.isEmpty();
    }

    /** The transaction's own write of a key; null if it has none. */
    public Write<V> ownWrite(K key) {
        return writes.get(key);
    }

    Outcomes<K> outcomes() {
        return outcomes;
    }

    /** The spec's guard of RequestCommit: whatever was sent has been acknowledged. */
    boolean writesStored() {
        return unacknowledged.isEmpty();
    }

    boolean hasBufferedWrites() {
        return !buffered.isEmpty();
    }

    /** A late copy of the first put would replace the second: a version has one value for ever. */
    void requireUnsent(K key) {
        if (wasSent(key)) {
            throw new TransactionException("Key " + key + " of transaction " + startTs
                    + " was sent to the store already: buffer all writes of a key before they are sent.");
        }
    }

    void buffer(K key, Write<V> write) {
        requireUnsent(key);
        writes.put(key, write);
        buffered.put(key, write);
    }

    private boolean wasSent(K key) {
        return writes.containsKey(key) && !buffered.containsKey(key);
    }

    /** The store has acknowledged the transaction's write of the key. */
    boolean isStored(K key) {
        return wasSent(key) && !unacknowledged.containsKey(key);
    }

    /** Moves the buffered writes to the unacknowledged ones and returns these all: the next batch to send. */
    public Map<K, Write<V>> nextBatch() {
        unacknowledged.putAll(buffered);
        buffered.clear();
        return Collections.unmodifiableMap(unacknowledged);
    }

    /** The same for the first write alone, if no other has been stored; empty if it is already. */
    public Map<K, Write<V>> primaryBatch() {
        K primary = writes.keySet().iterator().next();
        if (buffered.containsKey(primary)) {
            unacknowledged.put(primary, buffered.remove(primary));
        }
        return unacknowledged.containsKey(primary) ? Map.of(primary, unacknowledged.get(primary)) : Map.of();
    }

    public void batchStored() {
        unacknowledged.clear();
    }

    public void stored(K key) {
        unacknowledged.remove(key);
    }

    /** Keys that may have a record in the store. */
    List<K> sentKeys() {
        List<K> keys = new ArrayList<>(writes.keySet());
        keys.removeAll(buffered.keySet());
        return keys;
    }

    void requesting() {
        move(TransactionStatus.ACTIVE, TransactionStatus.REQUESTING);
    }

    void certified(long ts) {
        if (ts <= startTs) {
            throw new IllegalStateException("The transaction manager gave transaction " + startTs
                    + " the commit timestamp " + ts + ", which is not later than its start.");
        }
        move(TransactionStatus.REQUESTING, TransactionStatus.CERTIFIED);
        commitTs = ts;
    }

    void finish(TransactionStatus outcome) {
        if (isOver()) {
            throw new IllegalStateException("Transaction " + startTs + " ended twice: " + status + ", " + outcome + ".");
        }
        status = outcome;
    }

    boolean isOver() {
        return status.compareTo(TransactionStatus.COMMITTED) >= 0;
    }

    private void move(TransactionStatus from, TransactionStatus to) {
        if (status != from) {
            throw new IllegalStateException("Transaction " + startTs + " is " + status + ", not " + from + ".");
        }
        status = to;
    }

    @Override
    public String toString() {
        return "Transaction[" + startTs + " " + status + " writes " + writes.keySet() + "]";
    }
}
