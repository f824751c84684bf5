package org.fencepost.protocol.manager;

/**
 * The transaction manager as its clients see it (VLDB'18 Alg. 2). Every method may throw
 * {@link TransactionManagerException}: the request may then have been carried out or not.
 */
public interface TransactionManager {

    /** Answer of {@link #commit}: a key of the write set was committed by a concurrent transaction. */
    long CONFLICT = -11;

    /** Answer of {@link #commit}: the transaction is older than what the conflict table still remembers. */
    long BELOW_WATERMARK = -12;

    /** Answer to a commit request that names tables: a fence was put on one of them after the transaction began. */
    long FENCED = -13;

    /** Allocates a start timestamp. The transaction counts as active until commit, end, or the manager's lifetime limit. */
    long begin();

    /**
     * Checks for write-write conflicts and allocates a commit timestamp. Either way the transaction stops being active.
     * A timestamp is a permission only: the commit point is the commit table. Never repeated by clients.
     *
     * @param writeSet 64-bit hashes of the keys written; duplicates are fine
     * @return a commit timestamp (positive), {@link #CONFLICT} or {@link #BELOW_WATERMARK}
     */
    long commit(long startTs, long[] writeSet);

    /** Tells that a transaction reads no more and will not ask to commit. Ending twice is no error. */
    void end(long startTs);

    /** No transaction below this timestamp is active, and none will begin below it. It never sinks. */
    long collectableBelow();

    /** What the manager tells of itself now. Throws UnsupportedOperationException where nobody is meant to ask. */
    default ManagerInfo info() {
        throw new UnsupportedOperationException("This transaction manager tells nothing of itself.");
    }

    /**
     * How long in nanoseconds a transaction may live from its begin on, as the manager counts it and has told; after that it may be
     * collected under. To be asked after {@link #begin}. Long.MAX_VALUE where it has told nothing.
     */
    default long lifetimeNanos() {
        return Long.MAX_VALUE;
    }
}
