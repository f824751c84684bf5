package org.fencepost.protocol.region;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.region.WritesInFlight.InFlight;
import org.fencepost.protocol.store.BatchStore;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;

/**
 * Commits in one phase in a region of the data store (specs/OnePhase.tla): a batch stores the records of a transaction with their commit
 * cells. Whoever calls holds the exclusive locks of all its rows.
 *
 * <p>A reader with a later snapshot than the commit timestamp may have looked before. It has lifted the row's clock first
 * ({@link RowClocks}), so a batch is refused whose timestamp the clock of one of its rows has passed. Whoever writes a commit cell lifts it,
 * too: that may be a tombstone's, which is collected then. A batch that is accepted enters the writes in flight, and lifts these clocks to
 * its own timestamp: such a reader then finds it there, and waits until it can be read. It lifts the server's clock as well, from which the
 * next fast-path write takes its version.
 *
 * <p>A refusal lifts the rows' clocks as well, and so does whoever looks for a batch and does not find it: a copy that comes late is
 * refused.
 *
 * <p>A put of a transaction that is certified meanwhile needs the same: it is answered with the row's clock ({@link #clock}), which tells
 * whether somebody with a later snapshot may have looked before.
 *
 * <p>The transaction manager has not compared the batch with writes of the fast path. These are looked for in the rows. One that is gone
 * was a tombstone, and collected: hence the region remembers the highest version that was collected in it, and refuses whoever began
 * before it was opened. Other servers' reads were no later than that, either.
 *
 * <p>Thread-safe.
 *
 * @param <R> rows
 * @param <E> what goes wrong in the store
 */
public final class BatchRegion<R, E extends Exception> {

    /** Where a batch is stored. */
    public interface Target<E extends Exception> {

        /** Guard (NoNewerCommit): in no column of the batch a newer version than the transaction's is committed. */
        boolean noNewerCommit() throws E;

        /**
         * All records with their commit cells; on return everybody can read them. Throws only if none is stored, and none will be; if all are, and can be
         * read; or when nobody reads here any more: readers and {@link BatchStore#findsRecord} take what is not in flight for what is not there (StoreBatch, LoseBatches).
         */
        void store() throws E;
    }

    /** Why a batch was refused. */
    public enum Refusal {
        /** The region was opened, and its server does not know yet which reads were served before. */
        CLOCK_NOT_BOOTSTRAPPED,
        /** A version is committed that is newer than the transaction's snapshot. */
        NEWER_COMMIT,
        /** Such a version may have been collected. */
        NEWER_COLLECTED,
        /** A read with a later snapshot than the commit timestamp may have been here, or a later commit, or this batch. */
        CLOCK_PASSED
    }

    private final LocalVersionClock clock;
    private final RowClocks<R> rowClocks;
    private final WritesInFlight<R, E> inFlight;
    private final BooleanSupplier knowsTheTime;
    private final Supplier<Tracer> tracer;
    /** Nothing above was collected in the region. */
    private final AtomicLong collected = new AtomicLong(Timestamps.NIL);

    /**
     * @param clock        of the server
     * @param hash         of a row
     * @param inFlight     of the region, where its readers look
     * @param knowsTheTime whether the clock was told the time since the region was opened; {@link #collect} with that time comes before
     * @param tracer       asked for each event
     */
    public BatchRegion(LocalVersionClock clock, ToIntFunction<? super R> hash, WritesInFlight<R, E> inFlight, BooleanSupplier knowsTheTime,
            Supplier<Tracer> tracer) {
        this.clock = clock;
        this.rowClocks = new RowClocks<>(hash);
        this.inFlight = inFlight;
        this.knowsTheTime = knowsTheTime;
        this.tracer = tracer;
    }

    /** Before a read looks, to its snapshot; before a commit cell is written, to that: afterwards nothing may tell that a batch comes too late. */
    public void lift(R row, long ts) {
        rowClocks.lift(row, ts);
    }

    /** Before a read of several rows looks. */
    public void liftAll(long snapshot) {
        rowClocks.liftAll(snapshot);
    }

    /**
     * What a put is answered with once its record can be read (HasPassed). Guards: no read before had a later snapshot, nor had one on the
     * server that had the region before this one was told the time.
     *
     * @return Long.MAX_VALUE if it does not know the time yet
     */
    public long clock(R row) {
        return knowsTheTime.getAsBoolean() ? Math.max(rowClocks.get(row), collected.get()) : Long.MAX_VALUE;
    }

    /** The specification's rowClock: how far the row was read or a batch came; further where rows share a clock. */
    public long rowClock(R row) {
        return rowClocks.get(row);
    }

    /** The specification's collected, of the whole region. */
    public long collected() {
        return collected.get();
    }

    /** To be called before a committed version of the fast path is removed, or with a time at which none is left to be. */
    public void collect(long version) {
        collected.accumulateAndGet(version, Math::max);
    }

    /**
     * Stores the batch or refuses it. What the store throws leaves open whether it is stored: whoever opens the region may find it.
     *
     * @return why it was refused; null if it is stored
     */
    public Refusal putBatch(Collection<R> rows, long startTs, long commitTs, Target<E> target) throws E {
        Refusal refusal = examine(startTs, target);
        if (refusal != null) {
            return refuseBatch(rows, startTs, commitTs, refusal);
        }
        List<InFlight<R, E>> writes = inFlight.enter(rows);
        try {
            if (!acceptBatch(rows, startTs, commitTs)) {
                return refuseBatch(rows, startTs, commitTs, Refusal.CLOCK_PASSED);
            }
            writes.forEach(write -> write.drawn(commitTs));
            storeBatch(startTs, commitTs, target);
            return null;
        } finally {
            writes.forEach(inFlight::leave);
        }
    }

    /** The look at the rows comes first: what it misses was collected before. */
    private Refusal examine(long startTs, Target<E> target) throws E {
        if (!knowsTheTime.getAsBoolean()) {
            return Refusal.CLOCK_NOT_BOOTSTRAPPED;
        }
        return !target.noNewerCommit() ? Refusal.NEWER_COMMIT : !nothingNewerCollected(startTs) ? Refusal.NEWER_COLLECTED : null;
    }

    /** Guard: no newer version than the transaction's was collected. */
    private boolean nothingNewerCollected(long startTs) {
        return startTs > collected.get();
    }

    /** Guards: no read with a later snapshot has been here, and the next fast-path write comes after the commit. */
    private boolean acceptBatch(Collection<R> rows, long startTs, long commitTs) {
        if (!rowClocks.liftBelow(rows, commitTs)) {
            return false;
        }
        clock.bump(commitTs);
        if (tracer.get().on()) {
            tracer.get().event(Action.AcceptBatch, "txn", startTs, "commit", commitTs);
        }
        return true;
    }

    private Refusal refuseBatch(Collection<R> rows, long startTs, long commitTs, Refusal why) {
        refuseCopies(rows, commitTs);
        if (tracer.get().on()) {
            tracer.get().event(Action.RefuseBatch, "txn", startTs, "commit", commitTs);
        }
        return why;
    }

    /** Guard: whoever takes the batch for one that is not stored lifts the clocks. Otherwise a copy that arrives late is stored. */
    public void refuseCopies(Collection<R> rows, long commitTs) {
        rows.forEach(row -> rowClocks.lift(row, commitTs));
    }

    private void storeBatch(long startTs, long commitTs, Target<E> target) throws E {
        target.store();
        if (tracer.get().on()) {
            tracer.get().event(Action.StoreBatch, "txn", startTs, "commit", commitTs);
        }
    }
}
