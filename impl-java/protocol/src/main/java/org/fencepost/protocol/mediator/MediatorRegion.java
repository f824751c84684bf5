package org.fencepost.protocol.mediator;

import java.util.Collection;
import java.util.Comparator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.region.LocalVersionClock;
import org.fencepost.protocol.region.Signal;
import org.fencepost.protocol.region.TimeSource;
import org.fencepost.protocol.region.WritesInFlight;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;

/**
 * What a database server does for Mediator in one region (SYSTOR'14 Alg. 3, specs/Mediator.tla). One instance for each region and each
 * time that it is opened; the regions of a server share the local clock, whose span is Delta.
 *
 * <p>A native put is stamped by the local clock ({@link #nativePut}) before it can be read ({@link #storePut}), and its row is in
 * a set of puts in flight meanwhile. A transaction that reads or is checked lifts the clock to its timestamp first, which is
 * the fence; then it waits for the puts of its rows that were stamped below; then the caller looks. Whatever is put later is
 * stamped above the fence. Native gets, and the write-back of transactions, need nothing of this.
 *
 * <p>A region stamps once its server has been told the time since the region was opened; and a server that has drawn all
 * stamps up to the next timestamp of the status oracle asks for the time again (SyncServer). Puts wait for that: they are not refused.
 * It asks when few are left, so that they seldom wait.
 *
 * <p>What was written lately is also in memory, as the highest timestamp of all rows of a hash. Where that says that nobody has
 * written a row since, a check need not look into the database, which most need not.
 *
 * <p>Thread-safe. No lock is needed.
 *
 * @param <R> rows
 * @param <E> what may go wrong in waiting
 */
public final class MediatorRegion<R, E extends Exception> {

    private static final int HASH_BITS = 12;
    /** 2^32 by the golden ratio: spreads what is counted up. */
    private static final int SPREAD = 0x9E3779B9;

    private final LocalVersionClock clock;
    private final TimeSource time;
    private final Supplier<Signal<E>> told;
    private final Supplier<Tracer> tracer;
    private final WritesInFlight<R, E> inFlight;
    private final ToIntFunction<? super R> hash;
    /** By hash, of what was written since the region was opened. */
    private final AtomicLongArray lastWritten = new AtomicLongArray(1 << HASH_BITS);
    /** Of puts that wait for the time. */
    private final Queue<Signal<E>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile boolean knowsTheTime;
    /** Nothing that was written before the region was opened is later. */
    private volatile long openedAt = Long.MAX_VALUE;
    private volatile boolean closed;

    /**
     * @param clock   of the server; its span is the status oracle's Delta
     * @param time    of the server: asks the status oracle, whose clock is incremented by being asked
     * @param order   of the rows
     * @param hash    of a row
     * @param signals a new one for each put; waiting fails or returns when it takes too long
     * @param told    the same for each time that a put waits for the status oracle
     * @param tracer  asked for each event
     */
    public MediatorRegion(LocalVersionClock clock, TimeSource time, Comparator<? super R> order, ToIntFunction<? super R> hash,
            Supplier<Signal<E>> signals, Supplier<Signal<E>> told, Supplier<Tracer> tracer) {
        this.clock = clock;
        this.time = time;
        this.hash = hash;
        this.told = told;
        this.tracer = tracer;
        this.inFlight = new WritesInFlight<>(order, signals);
    }

    /** Where waiting for a put and for the status oracle are the same. */
    public MediatorRegion(LocalVersionClock clock, TimeSource time, Comparator<? super R> order, ToIntFunction<? super R> hash,
            Supplier<Signal<E>> signals, Supplier<Tracer> tracer) {
        this(clock, time, order, hash, signals, signals, tracer);
    }

    /** It needs the time no more, and nobody waits here for it any longer. */
    public void close() {
        closed = true;
        wakeAll();
    }

    // ---- the time

    /** Guard: after a crash, or with a new region, a server knows neither the fences nor the stamps that were before. */
    private boolean knowsTheTime() {
        return knowsTheTime;
    }

    /** Guard (SYSTOR'14 section 4.3): the assumption that Delta is much greater than one, as a rule. */
    private boolean roomLeft() {
        return clock.sequenceLeft();
    }

    private boolean needsTime() {
        return !closed && (!knowsTheTime() || !roomLeft());
    }

    /** Whether it is worth while to ask: earlier than puts have to wait. */
    private boolean asksForTime() {
        return !closed && (!knowsTheTime() || clock.sequenceLow());
    }

    /** To be called when the region has been opened, later than whatever a server did that had it before. */
    public void syncServer() {
        if (asking.compareAndSet(false, true)) {
            time.bootstrapClock(this::stillNeedsTime, this::toldTheTime);
        }
    }

    private boolean stillNeedsTime() {
        if (asksForTime()) {
            return true;
        }
        asking.set(false);
        wakeAll(); // a fence has lifted the clock meanwhile; who still finds no stamp asks again
        return false;
    }

    private void toldTheTime() {
        asking.set(false);
        openedAt = Math.min(openedAt, clock.now());
        knowsTheTime = true;
        if (tracer.get().on()) {
            tracer.get().event(Action.SyncServer, "clock", clock.now());
        }
        wakeAll();
    }

    private void wakeAll() {
        for (Signal<E> signal = waiting.poll(); signal != null; signal = waiting.poll()) {
            signal.give();
        }
    }

    /** Returns when the region can stamp, or was closed. To be called before locks are taken; {@link #nativePut} waits, too. */
    public void awaitTime() throws E {
        if (!needsTime()) {
            return;
        }
        Signal<E> signal = told.get();
        waiting.add(signal);
        try {
            if (needsTime()) {
                syncServer();
                signal.await();
            }
        } finally {
            waiting.remove(signal);
        }
    }

    // ---- transactions

    /**
     * Fences for a read, and waits; the caller looks when this has returned, before the region is closed.
     *
     * @throws IllegalArgumentException if the timestamp is none of the status oracle's
     */
    public void fenceRead(Collection<R> rows, long startTs) throws E {
        readFence(startTs);
        awaitOlderPuts(rows, startTs);
    }

    /** The same for a scan; once for each region. See {@link WritesInFlight#await(Object, Object, long)}. */
    public void fenceRead(R first, R last, long startTs) throws E {
        readFence(startTs);
        inFlight.await(first, last, startTs);
    }

    /** Guard (SYSTOR'14 Alg. 3, line 87): before a transaction looks, the local clock is lifted to its start. */
    private void readFence(long startTs) {
        clock.bump(startTs);
        if (tracer.get().on()) {
            tracer.get().event(Action.FenceRead, "txn", startTs);
        }
    }

    /**
     * Fences for a check, and waits; the caller looks when this has returned, before the region is closed.
     *
     * @param rows that are checked; none where the transaction only writes
     * @throws IllegalArgumentException if the timestamp is none of the status oracle's
     */
    public void fenceCommit(Collection<R> rows, long commitTs) throws E {
        commitFence(commitTs);
        awaitOlderPuts(rows, commitTs);
    }

    /** Guard (SYSTOR'14 Alg. 3, line 90): the set of native puts up to the commit timestamp is sealed before it is tested. */
    private void commitFence(long commitTs) {
        clock.bump(commitTs);
        if (tracer.get().on()) {
            tracer.get().event(Action.FenceCommit, "commit", commitTs);
        }
    }

    /** Guard (erratum to SYSTOR'14 Alg. 3, put): a put that was stamped before the fence may be stored after it. */
    private void awaitOlderPuts(Collection<R> rows, long ts) throws E {
        for (R row : rows) {
            inFlight.await(row, ts);
        }
    }

    /**
     * Guard (SYSTOR'14 Alg. 3, lines 91 to 94): nobody has written the key in between.
     *
     * @param lastBefore timestamp of the key's last version before the commit timestamp, 0 if there is none
     * @param since      of the transaction
     */
    public static boolean noConflictInDatabase(long lastBefore, long since) {
        return lastBefore <= since;
    }

    /**
     * True if nobody has written the row after a timestamp, up to that of the last {@link #fenceCommit}; false if the caller has to look.
     * A write is noted here before it can be read.
     */
    public boolean untouchedSince(R row, long since) {
        return since >= openedAt && lastWritten.get(slot(row)) <= since;
    }

    /** To be called before what a transaction has written to a row is stored. */
    public void writeBack(R row, long commitTs) {
        noteWritten(row, commitTs);
    }

    private void noteWritten(R row, long ts) {
        lastWritten.accumulateAndGet(slot(row), ts, Math::max);
    }

    private int slot(R row) {
        return hash.applyAsInt(row) * SPREAD >>> Integer.SIZE - HASH_BITS;
    }

    // ---- puts

    /** A put that is stamped and cannot be read yet. */
    public static final class StampedPut<R, E extends Exception> {

        private final WritesInFlight.InFlight<R, E> put;

        private StampedPut(WritesInFlight.InFlight<R, E> put) {
            this.put = put;
        }

        /** The timestamp to store it at. */
        public long ts() {
            return put.version();
        }
    }

    /**
     * Stamps a native put of one row. {@link #storePut} must follow, whatever becomes of the put.
     *
     * @return null if the region was closed while the put waited for the time
     * @throws E if that takes too long
     */
    public StampedPut<R, E> nativePut(R row) throws E {
        StampedPut<R, E> put = stampPut(row, Timestamps.NIL);
        if (put != null && tracer.get().on()) {
            tracer.get().event(Action.NativePut, "key", row, "ts", put.ts());
        }
        return put;
    }

    /**
     * The same for a put transaction: its stamp is after its start (LocalCommit, the server's part).
     *
     * @throws IllegalArgumentException if the timestamp is none of the status oracle's
     */
    public StampedPut<R, E> localCommit(R row, long startTs) throws E {
        return stampPut(row, putFence(startTs));
    }

    /** Guard (erratum to SYSTOR'14 Alg. 1, line 15): a put transaction is stamped after its start. */
    private static long putFence(long startTs) {
        return startTs;
    }

    /** @param atLeast NIL for none */
    private StampedPut<R, E> stampPut(R row, long atLeast) throws E {
        while (!closed) {
            if (atLeast != Timestamps.NIL) {
                clock.bump(atLeast);
            }
            WritesInFlight.InFlight<R, E> put = inFlight.enter(row);
            long stamp = knowsTheTime() ? clock.next() : LocalVersionClock.EXHAUSTED;
            if (stamp != LocalVersionClock.EXHAUSTED) {
                put.drawn(stamp);
                noteWritten(row, stamp);
                if (clock.sequenceLow()) {
                    syncServer();
                }
                return new StampedPut<>(put);
            }
            inFlight.leave(put);
            awaitTime();
        }
        return null;
    }

    /** The put can be read, or has failed: whoever waited for it goes on. */
    public void storePut(StampedPut<R, E> put) {
        inFlight.leave(put.put);
        if (tracer.get().on()) {
            tracer.get().event(Action.StorePut, "key", put.put.row(), "ts", put.ts());
        }
    }
}
