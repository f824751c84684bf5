package org.fencepost.protocol;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The state of one transaction at its client. {@link OmidLL} moves it; callers only look. Used by one thread at a time.
 *
 * <p>Writes go through three stages: buffered here, sent with unknown result, acknowledged. A key joins the write set
 * before anything is sent, so that whatever may have reached the store can be cleaned up.
 */
public final class Transaction<K, V> {

    /** Where a transaction stands; from COMMITTED on it is over. */
    public enum Status {
        /** Reads and writes. */
        ACTIVE,
        /** The commit request is at the transaction manager. */
        REQUESTING,
        /** It has a commit timestamp; the commit table has not answered yet. */
        CERTIFIED,
        COMMITTED,
        ABORTED,
        /** The commit table's answer was lost: see {@link OutcomeUnknownException}. */
        UNKNOWN
    }

    private final long startTs;
    private final long deadlineNanos;
    private final Map<K, Write<V>> writes = new LinkedHashMap<>();
    private final Map<K, Write<V>> buffered = new LinkedHashMap<>();
    private final Map<K, Write<V>> unacknowledged = new LinkedHashMap<>();
    private Status status = Status.ACTIVE;
    private long commitTs = Timestamps.NIL;

    Transaction(long startTs, long deadlineNanos) {
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

    public Status status() {
        return status;
    }

    /** On the client's monotonic clock: what the store answers later than this is not used. */
    public long deadlineNanos() {
        return deadlineNanos;
    }

    /** The keys written so far, in the order of their first write; a live, read-only view. */
    public Set<K> writeSet() {
        return java.util.Collections.unmodifiableSet(writes.keySet());
    }

    public boolean isReadOnly() {
        return writes.isEmpty();
    }

    /** The transaction's own write of a key; null if it has none. */
    public Write<V> ownWrite(K key) {
        return writes.get(key);
    }
}
