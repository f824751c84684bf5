package org.fencepost.protocol.manager;

import java.util.function.LongSupplier;

/**
 * The transaction manager as its clients see it (VLDB'18 Alg. 2). Every method may throw
 * {@link TransactionManagerException}: the request may then have been carried out or not.
 */
public interface TransactionManager {

    /** Answer of {@link #commit}: a key of the write set was committed by a concurrent transaction. */
    long CONFLICT = -11;

    /** Answer of {@link #commit}: the transaction is older than what the conflict table still remembers. */
    long BELOW_WATERMARK = -12;

    /** Answer of {@link #commit}: a fence was put on one of the tables after the transaction began. */
    long FENCED = -13;

    /** Of a transaction that no fence concerns. */
    long[] NO_TABLES = {};

    /** Allocates a start timestamp. The transaction counts as active until commit, end, or the manager's lifetime limit. */
    long begin();

    /**
     * Checks for write-write conflicts and allocates a commit timestamp. Either way the transaction stops being active.
     * A timestamp is a permission only: the commit point is the commit table. Never repeated by clients.
     *
     * @param writeSet 64-bit hashes of the keys written; duplicates are fine
     * @param tables   64-bit ids of the tables written, also of those whose keys are not in the write set
     * @return a commit timestamp (positive), {@link #CONFLICT}, {@link #FENCED} or {@link #BELOW_WATERMARK}
     */
    long commit(long startTs, long[] writeSet, long[] tables);

    /**
     * The same for a transaction that may have been certified before (specs/OnePhase.tla, ComparedUpTo): it is compared only with what was
     * certified since then. A manager that does not know of this compares from the start, and finds the transaction's own first
     * certification: a conflict, which costs an abort.
     *
     * @param comparedUpTo the commit timestamp that it was given before, or {@code startTs}
     */
    default long commit(long startTs, long comparedUpTo, long[] writeSet, long[] tables) {
        return commit(startTs, writeSet, tables);
    }

    /**
     * The same, without waiting for the answer: the caller does something else meanwhile (specs/OnePhase.tla, PutBeside). A manager that cannot
     * do so answers first.
     *
     * @return what {@link #commit} returns or throws, to be asked for once
     */
    default LongSupplier commitLater(long startTs, long comparedUpTo, long[] writeSet, long[] tables) {
        try {
            long answer = commit(startTs, comparedUpTo, writeSet, tables);
            return () -> answer;
        } catch (TransactionManagerException e) {
            return () -> {
                throw e;
            };
        }
    }

    /**
     * Begins a transaction that reads nothing, and certifies it at once (specs/OnePhase.tla, CommitBlindly): with one timestamp for both
     * there is nobody in between to conflict with. It does not count as active, as after {@link #commit}. After a lost answer forget it.
     *
     * @param writeSet 64-bit hashes of the keys written; duplicates are fine
     * @return its start and commit timestamp
     */
    default long commitBlindly(long[] writeSet) {
        throw new UnsupportedOperationException("This transaction manager knows no blind transactions.");
    }

    /** The same as the first, for a transaction that no fence concerns. */
    default long commit(long startTs, long[] writeSet) {
        return commit(startTs, writeSet, NO_TABLES);
    }

    /**
     * Puts a fence on a table (VLDB'18 section 6.1, specs/IndexFence.tla, Fence): of the transactions that name it at commit, those that
     * began earlier abort from now on. After a lost answer it may stand or not; put another, which is later, and forget this one.
     *
     * @param table a 64-bit id
     * @return the fence's timestamp. It is no snapshot: what that needs may be collected at once. Whoever wants one begins a transaction
     *         now, which begins above the fence and sees all that was let pass before
     */
    default long fence(long table) {
        throw new UnsupportedOperationException("This transaction manager knows no fences.");
    }

    /**
     * Lets a transaction live for another lifetime from now on, so that it may last as long as its client wants. After a lost answer it may
     * have been renewed or not; ask again.
     *
     * @return false if it has ended, was given up, or began under an earlier manager, or if nobody here can be renewed: it keeps the time that it has
     */
    default boolean renew(long startTs) {
        return false;
    }

    /** Tells that a transaction reads no more and will not ask to commit. Ending twice is no error. */
    void end(long startTs);

    /**
     * Whether a transaction has surely not asked to commit yet: then what it commits comes later than every timestamp that was given before
     * this was asked. Readers who may ask need not invalidate it. False where the manager does not know, or is not asked.
     *
     * @param startTs of anybody's transaction
     */
    default boolean isPending(long startTs) {
        return false;
    }

    /** No transaction below this timestamp is active, and none will begin below it. It never sinks. */
    long collectableBelow();

    /** What the manager tells of itself now. Throws UnsupportedOperationException where nobody is meant to ask. */
    default ManagerInfo info() {
        throw new UnsupportedOperationException("This transaction manager provides no information about itself.");
    }

    /**
     * How long in nanoseconds a transaction may live from its begin on, as the manager counts it and has told; after that it may be
     * collected under. To be asked after {@link #begin}. Long.MAX_VALUE where it has told nothing.
     */
    default long lifetimeNanos() {
        return Long.MAX_VALUE;
    }
}
