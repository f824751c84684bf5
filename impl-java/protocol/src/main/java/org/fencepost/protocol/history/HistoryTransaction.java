package org.fencepost.protocol.history;

import java.util.ArrayList;
import java.util.List;

import org.fencepost.protocol.Record;

/**
 * What a client saw of one transaction: when it called begin and when its commit returned, its timestamps, its
 * operations in order, how it ended. Filled by one thread, then given to a {@link History}.
 */
public final class HistoryTransaction {

    /** How a transaction ended, as far as its client knows. */
    public enum Outcome {
        COMMITTED,
        /** It did not commit and never will. A client that died before it had a commit timestamp counts here too. */
        ABORTED,
        /** It had a commit timestamp, and its client did not learn the rest: it has committed if anyone read it. */
        UNKNOWN
    }

    /** The kinds of operation. */
    public enum Kind { READ, WRITE, DELETE }

    /**
     * @param key     anything with equals and hashCode, the same thing in all transactions
     * @param version of a read: the version returned, 0 for nothing; of a write: not used
     */
    public record Operation(Kind kind, Object key, long version) {

        @Override
        public String toString() {
            return kind == Kind.READ ? "read " + key + " @" + version : kind.name().toLowerCase() + " " + key;
        }
    }

    private final long begunNanos;
    private final boolean fast;
    private long startTs;
    private final List<Operation> operations = new ArrayList<>(4);
    private long commitTs;
    private long answeredNanos;
    private Outcome outcome = Outcome.ABORTED;

    /** @param begunNanos monotonic, taken before begin was called; all clients must share the clock */
    public HistoryTransaction(long begunNanos, long startTs) {
        this(begunNanos, startTs, false);
    }

    private HistoryTransaction(long begunNanos, long startTs, boolean fast) {
        this.begunNanos = begunNanos;
        this.startTs = startTs;
        this.fast = fast;
    }

    /** A fast-path transaction: it has no start timestamp, unless it writes; then that is its version. */
    public static HistoryTransaction fast(long begunNanos) {
        return new HistoryTransaction(begunNanos, 0, true);
    }

    /** @param found what the read returned; null for nothing. A tombstone counts by its version */
    public void read(Object key, Record<?> found) {
        read(key, found == null ? 0 : found.version());
    }

    public void read(Object key, long version) {
        operations.add(new Operation(Kind.READ, key, version));
    }

    public void write(Object key) {
        operations.add(new Operation(Kind.WRITE, key, 0));
    }

    public void delete(Object key) {
        operations.add(new Operation(Kind.DELETE, key, 0));
    }

    /**
     * @param ts            0 for a transaction that wrote nothing, or never got one
     * @param nowNanos      taken after commit returned; not used for aborted and unknown transactions
     */
    public HistoryTransaction end(Outcome how, long ts, long nowNanos) {
        outcome = how;
        commitTs = ts;
        answeredNanos = nowNanos;
        startTs = fast ? ts : startTs;
        return this;
    }

    /** A transaction of the fast path. */
    public boolean isFast() {
        return fast;
    }

    public long begunNanos() {
        return begunNanos;
    }

    public long answeredNanos() {
        return answeredNanos;
    }

    public long startTs() {
        return startTs;
    }

    public long commitTs() {
        return commitTs;
    }

    public Outcome outcome() {
        return outcome;
    }

    public List<Operation> operations() {
        return operations;
    }

    @Override
    public String toString() {
        return (fast ? "fast " : "") + "[" + startTs + ", " + (commitTs == 0 ? "-" : commitTs) + "] " + outcome + " " + operations
                + " begun " + begunNanos + " answered " + answeredNanos;
    }
}
