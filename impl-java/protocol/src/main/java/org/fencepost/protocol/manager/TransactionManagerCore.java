package org.fencepost.protocol.manager;

import org.fencepost.protocol.trace.Tracer;

/**
 * What a transaction manager decides (VLDB'18 Alg. 2), without network, clock, lease or threads: timestamps, conflicts,
 * and which snapshots are still in use. The server around it keeps the epoch durable: it calls {@link #extendEpoch}
 * after raising the durable limit, and before a request whenever {@link #exhausted} says so.
 *
 * <p>A manager that takes over from another knows none of its commits and none of its transactions. So it aborts every
 * transaction that began before its epoch, and keeps the collectable timestamp where it was for a lifetime: its own or
 * the other's, whichever is longer.
 *
 * <p>Not thread-safe. begin, commit and end allocate nothing.
 */
public final class TransactionManagerCore {

    /**
     * @param leap            distance between timestamps, a power of two; more than 1 leaves room for fast-path writes
     * @param conflictEntries written keys the conflict table can hold; 16 bytes each
     * @param lifetimeNanos   after so long a transaction that has not ended may be collected under; the clients' limit
     *                        plus the drift between clocks
     * @param activeWindow    timestamps, from the oldest active transaction on, within which the end of each counts at
     *                        once; 1 bit each. A transaction begun beyond it holds collection until it expires
     */
    public record Settings(long leap, int conflictEntries, long lifetimeNanos, int activeWindow) {
    }

    private final Settings settings;
    private final TimestampOracle oracle;
    private final ConflictTable conflicts;
    private final ActiveTransactions active;

    /**
     * @param epochStart the durable limit of the epoch before; 0 for a new system. No timestamp below is handed out
     * @param epochLimit no timestamp at or above this is handed out
     * @param published  the highest collectable timestamp that an earlier manager may have told; 0 for a new system
     * @param heldNanos  how long transactions that began before the epoch may live from now on; 0 if there are none
     * @param nowNanos   on the monotonic clock that is passed to the other methods too
     */
    public TransactionManagerCore(Settings settings, long epochStart, long epochLimit, long published, long heldNanos,
            long nowNanos, Tracer tracer) {
        this.settings = settings;
        this.oracle = new TimestampOracle(settings.leap(), epochStart, epochLimit);
        this.conflicts = new ConflictTable(settings.conflictEntries(), epochStart, tracer);
        long held = heldNanos == 0 ? 0 : Math.max(1, published);
        this.active = new ActiveTransactions(settings.lifetimeNanos(), settings.leap(), settings.activeWindow(), held, heldNanos, nowNanos);
    }

    /** After an earlier manager of the same lifetime, unless the epoch is the first. */
    public TransactionManagerCore(Settings settings, long epochStart, long epochLimit, long published, long nowNanos,
            Tracer tracer) {
        this(settings, epochStart, epochLimit, published, epochStart == 0 ? 0 : settings.lifetimeNanos(), nowNanos, tracer);
    }

    public long leap() {
        return settings.leap();
    }

    public long lifetimeNanos() {
        return settings.lifetimeNanos();
    }

    /** A new start timestamp. Throws IllegalStateException if the epoch is exhausted. */
    public long begin(long nowNanos) {
        long startTs = oracle.next();
        active.begin(startTs, nowNanos);
        return startTs;
    }

    /**
     * Checks the whole write set before it changes anything. Throws IllegalArgumentException for a start timestamp that
     * was never handed out, IllegalStateException if the epoch is exhausted.
     *
     * @param writeSet 64-bit hashes, the first {@code count} count; duplicates are fine
     * @return the commit timestamp, {@link TransactionManager#CONFLICT} or {@link TransactionManager#BELOW_WATERMARK}
     */
    public long commit(long startTs, long[] writeSet, int count) {
        return commit(startTs, writeSet, count, 0);
    }

    /**
     * The same for a transaction that names the tables it wrote (section 6.1).
     *
     * @param hashes the keys written, the first {@code keys}; then {@code tables} ids of tables
     * @return also {@link TransactionManager#FENCED}
     */
    public long commit(long startTs, long[] hashes, int keys, int tables) {
        return commit(startTs, startTs, hashes, keys, tables);
    }

    /**
     * The same for a transaction that was certified before: see {@link TransactionManager#commit(long, long, long[], long[])}.
     *
     * @param comparedUpTo its first commit timestamp, or {@code startTs}
     */
    public long commit(long startTs, long comparedUpTo, long[] hashes, int keys, int tables) {
        if (startTs <= 0 || comparedUpTo < startTs || comparedUpTo >= oracle.peek()) {
            throw new IllegalArgumentException("No transaction with start timestamp " + startTs + " has begun and was compared up to "
                    + comparedUpTo + ".");
        }
        active.end(startTs);
        return certify(comparedUpTo, hashes, keys, tables);
    }

    /**
     * A timestamp at which a blind transaction begins and is certified: see {@link TransactionManager#commitBlindly}. Throws
     * IllegalStateException if the epoch is exhausted.
     *
     * @param hashes the keys written, the first {@code keys}
     */
    public long commitBlindly(long[] hashes, int keys) {
        conflicts.fetch(hashes, keys);
        long ts = oracle.next();
        conflicts.committed(hashes, keys, ts); // guard: who began before must not overwrite it unseen
        return ts;
    }

    /** The same as commit for a transaction of which it is not known whose it is: it goes on counting as active, until its lifetime is over. */
    public long certify(long comparedUpTo, long[] hashes, int keys, int tables) {
        if (conflicts.belowWatermark(comparedUpTo)) {
            return TransactionManager.BELOW_WATERMARK;
        }
        conflicts.fetch(hashes, keys);
        if (conflicts.conflicts(comparedUpTo, hashes, keys, keys + tables)) {
            return TransactionManager.FENCED;
        }
        if (conflicts.conflicts(comparedUpTo, hashes, 0, keys)) {
            return TransactionManager.CONFLICT;
        }
        long commitTs = oracle.next();
        conflicts.committed(hashes, keys, commitTs);
        return commitTs;
    }

    /**
     * Puts a fence on a table (section 6.1): of the transactions that name it, those that began before the fence abort
     * from now on. It is remembered like a committed write of a key that nobody else writes, hence never lost: neither
     * when it is evicted nor with this manager, since the low watermark then stands above it.
     *
     * @param table a 64-bit id
     * @return the fence's timestamp; see {@link TransactionManager#fence}
     */
    public long fence(long table) {
        long fenceTs = oracle.next();
        conflicts.committed(new long[] {table}, 1, fenceTs);
        return fenceTs;
    }

    /** A timestamp of which nothing is remembered here. Throws IllegalStateException if the epoch is exhausted. */
    public long timestamp() {
        return oracle.next();
    }

    /** The transaction reads no more and will not commit. Harmless if repeated or unknown. */
    public void end(long startTs) {
        active.end(startTs);
    }

    /**
     * Lets a transaction live for another lifetime from now on. False if it has ended, was given up, or began under an earlier manager: then
     * nothing changes, and what time it has it keeps.
     */
    public boolean renew(long startTs, long nowNanos) {
        return active.renew(startTs, nowNanos);
    }

    /**
     * Whether the transaction has surely not asked to commit: it began here and has not ended, as {@link #commit} ends it. Says nothing of
     * who was {@link #certify certified} without that: whoever lets those pass must not ask about them.
     */
    public boolean isPending(long startTs) {
        return active.isActive(startTs);
    }

    /** No timestamp below this is handed out any more, and nothing else changes. One that is past is no news. */
    public void skipTo(long timestamp) {
        oracle.skipTo(timestamp);
    }

    /** No transaction below this reads any more or will begin. Only grows. */
    public long collectableBelow(long nowNanos) {
        return active.lowEnd(oracle.peek(), nowNanos);
    }

    /** Transactions that began below this abort at commit. Only grows. */
    public long lowWatermark() {
        return conflicts.lowWatermark();
    }

    /** The latest commit timestamp that is remembered for a key, given by its hash; 0 if there is none, or it was evicted. */
    public long lastCommit(long hash) {
        return conflicts.lastCommit(hash);
    }

    /** Entries of the conflict table that hold a key; they are never given back, only overwritten. */
    public int conflictEntriesUsed() {
        return conflicts.used();
    }

    /** True when {@link #extendEpoch} is due before the next begin or commit. */
    public boolean exhausted() {
        return oracle.exhausted();
    }

    /** The next timestamp; everything handed out is below it. */
    public long nextTimestamp() {
        return oracle.peek();
    }

    public long epochLimit() {
        return oracle.limit();
    }

    /** @param limit durable by now; not below the present one */
    public void extendEpoch(long limit) {
        oracle.extend(limit);
    }
}
