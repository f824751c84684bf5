package org.fencepost.protocol.region;

import java.util.Collection;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.ToIntFunction;

/**
 * The clocks of a region's rows, with which commits in one phase are compared (specs/OnePhase.tla: rowClock): how far each row was read, and
 * which batches were accepted or refused in it.
 *
 * <p>There are fewer clocks than rows. Rows whose hashes agree share one, and a read of many rows lifts one that counts for all. A clock
 * that is ahead of its row's reads costs a batch the long way, and nothing else. None ever goes back. Thread-safe and without locks.
 *
 * @param <R> rows
 */
final class RowClocks<R> {

    /** A power of two. Of reads of other rows, so many pass a batch on its way for one that refuses it. */
    private static final int CLOCKS = 4096;
    /** Spreads hashes of which only the last bits differ. */
    private static final int GOLDEN_RATIO = 0x9E3779B9;

    private final ToIntFunction<? super R> hash;
    private final AtomicLongArray clocks = new AtomicLongArray(CLOCKS);
    private final AtomicLong all = new AtomicLong();

    RowClocks(ToIntFunction<? super R> hash) {
        this.hash = hash;
    }

    void lift(R row, long ts) {
        clocks.accumulateAndGet(clock(row), ts, Math::max);
    }

    void liftAll(long ts) {
        all.accumulateAndGet(ts, Math::max);
    }

    /** How far the row's clock was lifted. */
    long get(R row) {
        return Math.max(clocks.get(clock(row)), all.get());
    }

    /** Lifts the clocks of all these rows. Whether none of them had reached the timestamp. */
    boolean liftBelow(Collection<R> rows, long ts) {
        boolean below = true;
        for (int clock : rows.stream().mapToInt(this::clock).distinct().toArray()) {
            below &= clocks.getAndAccumulate(clock, ts, Math::max) < ts;
        }
        return below && all.get() < ts;
    }

    private int clock(R row) {
        return hash.applyAsInt(row) * GOLDEN_RATIO >>> Integer.SIZE - Integer.numberOfTrailingZeros(CLOCKS);
    }
}
