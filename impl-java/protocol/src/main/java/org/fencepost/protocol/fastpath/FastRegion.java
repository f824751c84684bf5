package org.fencepost.protocol.fastpath;

import java.util.Comparator;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.LongStream;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.region.BatchRegion;
import org.fencepost.protocol.region.LocalVersionClock;
import org.fencepost.protocol.region.Signal;
import org.fencepost.protocol.region.TimeSource;
import org.fencepost.protocol.region.WritesInFlight;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;

/**
 * The fast path in a region of the data store (VLDB'18 section 4, specs/FastPath.tla): single-key transactions that never talk
 * to the transaction manager. One instance for each region and each time that it is opened; the regions of a server share a
 * clock.
 *
 * <p>A fast-path write holds the row's exclusive lock: it looks at the last records, draws a version, and stores a record that
 * is committed at it (PutVersion, StoreVersion). Regular puts and updates of commit cells hold the row's shared lock, so
 * each sees the other: a put gives up where a newer version is committed, and whoever writes a commit cell lifts the
 * clock first. Reads hold no lock: they lift the clocks (BumpClock), wait for older fast-path writes and batches of their rows in
 * flight (AwaitFastWrites), and look only then.
 *
 * <p>The region accepts fast-path writes once the transaction manager has told its server the time since it was opened
 * (BootstrapClock). Everything else goes on without.
 *
 * <p>Thread-safe. The locks are the store's: each method says which one its caller holds.
 *
 * @param <R> rows
 * @param <E> what goes wrong in the store
 */
public final class FastRegion<R, E extends Exception> {

    /** Expected by a write that has not read: VLDB'18 Alg. 4, bwc. */
    public static final long ANY = -1;

    /** What a fast-path write finds where it writes. */
    public interface Last {

        /** Guard (VLDB'18 Alg. 4, line 12): no tentative record that may yet be committed above the last committed one. */
        boolean noNewerTentative();

        /** Of the last committed record, the same kind of number for regular records and others; NIL if there is none. */
        long commitTs();
    }

    /** Where a fast-path write writes, and what. Called under the row's exclusive lock. */
    public interface Target<E extends Exception> {

        Last last() throws E;

        /** The record, committed at its version; on return everybody can read it. Throws only what {@link BatchRegion.Target#store} may. */
        void store(long version) throws E;
    }

    /**
     * The answer to a fast-path write.
     *
     * @param version at which the record is committed; NIL if nothing was written
     * @param refused why; null if it was stored
     */
    public record Answer(long version, FastAbortCause refused) {
    }

    private final LocalVersionClock clock;
    private final TimeSource time;
    private final Signal<E> told;
    private final Supplier<Tracer> tracer;
    private final WritesInFlight<R, E> inFlight;
    private final BatchRegion<R, E> batches;
    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile boolean knowsTheTime;
    private volatile boolean closed;

    /**
     * @param clock   of the server
     * @param time    of the server
     * @param told    given when the region knows the time; waiting for it must end some time, without an exception
     * @param order   of the rows
     * @param hash    of a row
     * @param signals a new one for each fast-path write; to wait for it fails when no store can take so long
     * @param tracer  asked for each event
     */
    public FastRegion(LocalVersionClock clock, TimeSource time, Signal<E> told, Comparator<? super R> order,
            ToIntFunction<? super R> hash, Supplier<Signal<E>> signals, Supplier<Tracer> tracer) {
        this.clock = clock;
        this.time = time;
        this.told = told;
        this.tracer = tracer;
        this.inFlight = new WritesInFlight<>(order, signals);
        this.batches = new BatchRegion<>(clock, hash, inFlight, this::knowsTheTime, tracer);
    }

    /** Commits in one phase, which the same readers wait for. */
    public BatchRegion<R, E> batches() {
        return batches;
    }

    /** It needs the time no more. */
    public void close() {
        closed = true;
    }

    // ---- the time

    /** Guard: see specs/FastPath.tla, NeedsTime. It asks before all versions are used up, so that writes need not be refused. */
    private boolean needsTime() {
        return !closed && (!knowsTheTime() || clock.sequenceLow());
    }

    private boolean knowsTheTime() {
        return knowsTheTime;
    }

    /** To be called when the region has been opened, later than whatever a server did that had it before. */
    public void bootstrapClock() {
        if (asking.compareAndSet(false, true)) {
            time.bootstrapClock(this::stillNeedsTime, this::toldTheTime);
        }
    }

    private boolean stillNeedsTime() {
        boolean needed = needsTime();
        if (!needed) {
            asking.set(false);
        }
        return needed;
    }

    private void toldTheTime() {
        asking.set(false);
        if (!knowsTheTime) {
            batches.collect(clock.now()); // guard: of what was read and collected before nothing is known
        }
        knowsTheTime = true;
        told.give();
        if (tracer.get().on()) {
            tracer.get().event(Action.BootstrapClock, "clock", clock.now());
        }
    }

    // ---- regular reads, without a lock

    /** Before a get looks. */
    public void preGet(R row, long snapshot) throws E {
        batches.lift(row, snapshot);
        bumpClock(row, snapshot);
        awaitFastWrites(snapshot, inFlight.await(row, snapshot));
    }

    /**
     * Before a scan looks for the first time; it need not do it again in this region.
     *
     * @param first first row in the order of rows
     * @param last  null: to the end
     */
    public void preScan(R first, R last, long snapshot) throws E {
        batches.liftAll(snapshot);
        bumpClock(null, snapshot);
        awaitFastWrites(snapshot, inFlight.await(first, last, snapshot));
    }

    /**
     * Guard: so that fast-path writes which the read does not see draw later versions.
     *
     * @param row null: several
     */
    private void bumpClock(R row, long snapshot) {
        clock.bump(snapshot);
        if (tracer.get().on()) {
            tracer.get().event(Action.BumpClock, "txn", snapshot, "row", row);
        }
    }

    private void awaitFastWrites(long snapshot, boolean waited) {
        if (waited && tracer.get().on()) {
            tracer.get().event(Action.AwaitFastWrites, "txn", snapshot);
        }
    }

    // ---- regular puts and commit cells, under the row's shared lock

    /**
     * Guard: whoever writes a commit cell lifts the clocks first, so that the next fast-path write comes after the commit, and no batch
     * before it. Throws IllegalArgumentException if the timestamp is none of the transaction manager's.
     */
    public void lift(R row, long ts) {
        clock.bump(ts);
        batches.lift(row, ts);
    }

    /** For a compaction. No batch comes before its commits: the region was told the watermark ({@link BatchRegion#collect}), which is later. */
    public void liftForCompaction(long ts) {
        clock.bump(ts);
    }

    /**
     * Guard (VLDB'18 Alg. 4, prePut): a put gives up where a newer version is committed.
     *
     * @param committed versions of committed records of the key; older ones may be left out
     */
    public static boolean noNewerCommit(long version, LongStream committed) {
        return committed.noneMatch(other -> other >= version);
    }

    // ---- fast-path writes

    /** Before the row is locked: gives the transaction manager some time to answer. */
    public void awaitTime() throws E {
        if (!knowsTheTime()) {
            bootstrapClock();
            told.await();
        }
    }

    /**
     * Under the row's exclusive lock: looks, and draws a version, or gives up.  VLDB'18 Alg. 4, putVersion
     *
     * @param expected what br told of the last record; ANY for bwc
     */
    public Answer putVersion(R row, long expected, Target<E> target) throws E {
        if (!knowsTheTime()) {
            return refuse(FastAbortCause.CLOCK_NOT_BOOTSTRAPPED);
        }
        Last last = target.last();
        if (!last.noNewerTentative()) {
            return refuse(FastAbortCause.TENTATIVE_VERSION);
        }
        if (!isSame(expected, last.commitTs())) {
            return refuse(FastAbortCause.VERSION_MOVED);
        }
        WritesInFlight.InFlight<R, E> write = inFlight.enter(row);
        try {
            long version = clock.next();
            if (version == LocalVersionClock.EXHAUSTED) {
                bootstrapClock();
                return refuse(FastAbortCause.SEQUENCE_EXHAUSTED);
            }
            write.drawn(version);
            if (clock.sequenceLow()) {
                bootstrapClock();
            }
            storeVersion(target, version);
            return new Answer(version, null);
        } finally {
            inFlight.leave(write);
        }
    }

    private static Answer refuse(FastAbortCause cause) {
        return new Answer(Timestamps.NIL, cause);
    }

    /** Guard (VLDB'18 Alg. 4, line 13): nobody has written the key since br told its commit timestamp. */
    private static boolean isSame(long expected, long last) {
        return expected == ANY || expected == last;
    }

    /** VLDB'18 Alg. 4, line 15 */
    private void storeVersion(Target<E> target, long version) throws E {
        target.store(version);
        if (tracer.get().on()) {
            tracer.get().event(Action.StoreVersion, "version", version);
        }
    }
}
