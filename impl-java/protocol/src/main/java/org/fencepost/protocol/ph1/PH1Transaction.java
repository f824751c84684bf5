package org.fencepost.protocol.ph1;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionFinishedException;
import org.fencepost.protocol.TransactionStatus;

/**
 * One transaction at its instance. {@link PH1} moves it; callers only look. Used by one thread at a time.
 *
 * @param <K> keys, with equals and hashCode
 * @param <V> values, never null
 */
public final class PH1Transaction<K, V> {

    private final Session session;
    private final long readTs;
    private final Map<K, V> writes = new LinkedHashMap<>();
    private TransactionStatus status = TransactionStatus.ACTIVE;
    private long commitTs = Timestamps.NIL;

    PH1Transaction(Session session, long readTs) {
        this.session = session;
        this.readTs = readTs;
    }

    /** The snapshot: what was committed below. Several transactions may have the same. */
    public long readTs() {
        return readTs;
    }

    /** Once the certifier has given it; 0 before. */
    public long commitTs() {
        return commitTs;
    }

    public TransactionStatus status() {
        return status;
    }

    /** The keys written or deleted so far, in the order of their first write; a live, read-only view. */
    public Set<K> writeSet() {
        return Collections.unmodifiableSet(writes.keySet());
    }

    /** By key; a null value deletes it. */
    Map<K, V> writes() {
        return writes;
    }

    Session session() {
        return session;
    }

    void requireActive() {
        if (status != TransactionStatus.ACTIVE) {
            throw new TransactionFinishedException(readTs, status);
        }
    }

    void certified(long ts) {
        commitTs = ts;
        status = TransactionStatus.CERTIFIED;
    }

    void finish(TransactionStatus outcome) {
        status = outcome;
    }

    @Override
    public String toString() {
        return "Transaction[" + readTs + " " + status + " writes " + writes.keySet() + "]";
    }
}
