package org.fencepost.protocol.manager;

import java.util.TreeMap;

/**
 * Which transactions may still read, and thus what must not be collected.
 *
 * <p>A window of bits, one per timestamp, in a ring: begin sets a bit, end clears it, and the low end moves up over
 * cleared bits. A transaction whose client died would hold the low end for ever, so each one also expires after a
 * lifetime. For that, time is cut into slices; a slice knows its first timestamp, and when all that began in it must be
 * over, the low end jumps to the next slice.
 *
 * <p>Where the window is full, which takes few begins if timestamps follow the time and leave most numbers out, the next ones are kept apart, a few thousand of them.
 * A slice can also hold the low end as a whole, until it expires: for begins that have no bit and no such place; and at construction, for the transactions that an earlier manager began and this one knows nothing of. Those may
 * have a longer lifetime than this manager's own; then the low end is held for that.
 *
 * <p>Whoever is renewed is kept apart, too, from then on, with a lifetime of its own from each renewal.
 *
 * <p>O(1) amortised, no allocation after construction but for who is kept apart, O(log n). Not thread-safe. Ending twice, or ending what never began, is
 * harmless, since messages repeat.
 */
final class ActiveTransactions {

    /** Slices per lifetime: expiry is late by at most one of them. */
    private static final int SLICES = 32;
    /** Slices in memory: those of a lifetime, and the one that is open. A power of two. */
    private static final int RING = 2 * SLICES;
    private static final int MOST_APART = 1 << 12;
    private static final int LARGE_WINDOW = 1 << 20;

    private final int shift;
    private final long lifetimeNanos;
    private final long[] window;
    private final int wordMask;
    /** For begins that have no place in the window; a small one is full for other reasons than that numbers are left out. */
    private final int placesApart;
    /** Numbers (timestamps divided by the leap) below base are over; those from top on are not tracked. base only grows. */
    private long base;
    private long top;

    private final long[] firstTs = new long[RING];
    private final long[] openedNanos = new long[RING];
    /** The timestamp at which the slice holds the low end; 0 if it does not. */
    private final long[] heldFrom = new long[RING];
    private long oldest;
    private long newest;
    /** Numbers of those that are kept apart, and when they began or were renewed last. */
    private final TreeMap<Long, Long> apart = new TreeMap<>();

    private final long heldLow;
    private final long heldSinceNanos;
    private final long heldNanos;

    /**
     * @param lifetimeNanos longest life of a transaction, the drift between clocks included
     * @param leap          distance of timestamps, a power of two
     * @param windowSize    timestamps in the window, rounded up to a power of two
     * @param held          the low end stays here for a lifetime; a timestamp up to which an earlier manager published. 0: it is not held
     * @param heldNanos     the lifetime of those who began earlier, if it is longer
     */
    ActiveTransactions(long lifetimeNanos, long leap, int windowSize, long held, long heldNanos, long nowNanos) {
        if (lifetimeNanos < SLICES) {
            throw new IllegalArgumentException("The lifetime must be at least " + SLICES + " ns, not " + lifetimeNanos + ".");
        }
        if (windowSize < 1 || windowSize > 1 << 30) {
            throw new IllegalArgumentException("The window must be of 1 to " + (1 << 30) + " timestamps, not " + windowSize + ".");
        }
        this.shift = Long.numberOfTrailingZeros(leap);
        this.lifetimeNanos = lifetimeNanos;
        int words = Integer.highestOneBit(Math.max(1, (windowSize + 63) / 64 * 2 - 1));
        this.window = new long[words];
        this.wordMask = words - 1;
        this.placesApart = words >= LARGE_WINDOW / 64 ? MOST_APART : 0;
        openedNanos[0] = nowNanos;
        heldFrom[0] = held;
        this.heldLow = held;
        this.heldSinceNanos = nowNanos;
        this.heldNanos = heldNanos;
    }

    /** @param startTs greater than every earlier one */
    void begin(long startTs, long nowNanos) {
        openSliceIfDue(startTs, nowNanos);
        long number = startTs >>> shift;
        skipEnded();
        if (base == top) {
            base = number;
        }
        if (number - base < 64L * window.length) {
            window[word(number)] |= 1L << number;
            top = number + 1;
        } else if (apart.size() < placesApart) {
            apart.put(number, nowNanos);
        } else if (heldFrom[slot(newest)] == 0) {
            heldFrom[slot(newest)] = startTs;
        }
    }

    void end(long startTs) {
        long number = startTs >>> shift;
        if (number >= base && number < top) {
            window[word(number)] &= ~(1L << number);
        }
        if (!apart.isEmpty()) {
            apart.remove(number);
        }
    }

    /**
     * Lets a transaction live for another lifetime from now on, also when its slice is over. False if that is too late, or not known of
     * it because there was no place, or if too many are kept apart; then nothing has changed.
     */
    boolean renew(long startTs, long nowNanos) {
        expire(nowNanos);
        expireApart(nowNanos);
        long number = startTs >>> shift;
        if (!lives(number) || apart.size() >= MOST_APART && !apart.containsKey(number)) {
            return false;
        }
        apart.put(number, nowNanos);
        return true;
    }

    /** Guard: who was given up stays so, for the low end may have been told since. */
    private boolean lives(long number) {
        return !apart.isEmpty() && apart.containsKey(number) || number >= base && number < top && (window[word(number)] >>> number & 1) != 0;
    }

    private void expireApart(long nowNanos) {
        if (!apart.isEmpty()) { // commits allocate nothing
            apart.values().removeIf(since -> nowNanos - since >= lifetimeNanos);
        }
    }

    /** Whether it has begun here and neither ended nor expired; false also where that was not tracked. */
    boolean isActive(long startTs) {
        long number = startTs >>> shift;
        return startTs == number << shift && lives(number);
    }

    /** @param nextTs the lowest timestamp that can still begin */
    long lowEnd(long nextTs, long nowNanos) {
        openSliceIfDue(nextTs, nowNanos);
        skipEnded();
        expireApart(nowNanos);
        long low = base < top ? base << shift : nextTs;
        low = apart.isEmpty() ? low : Math.min(low, apart.firstKey() << shift);
        if (heldLow != 0 && nowNanos - heldSinceNanos < heldNanos) {
            low = Math.min(low, heldLow);
        }
        for (long slice = oldest; slice <= newest; slice++) {
            if (heldFrom[slot(slice)] != 0) {
                return Math.min(low, heldFrom[slot(slice)]);
            }
        }
        return low;
    }

    private void openSliceIfDue(long nextTs, long nowNanos) {
        expire(nowNanos);
        if (nowNanos - openedNanos[slot(newest)] >= lifetimeNanos / SLICES) {
            newest++;
            if (newest - oldest >= RING) {
                throw new IllegalStateException("More than " + RING + " time slices are open.");
            }
            firstTs[slot(newest)] = nextTs;
            openedNanos[slot(newest)] = nowNanos;
            heldFrom[slot(newest)] = 0;
        }
    }

    /** All of a slice began before the next one was opened. */
    private void expire(long nowNanos) {
        while (oldest < newest && nowNanos - openedNanos[slot(oldest + 1)] >= lifetimeNanos) {
            oldest++;
            dropBelow(firstTs[slot(oldest)] >>> shift);
        }
    }

    private void dropBelow(long number) {
        long end = Math.min(number, top);
        while (base < end) {
            long upTo = Math.min(end, (base | 63) + 1);
            long above = upTo % 64 == 0 ? 0 : -1L << upTo;
            window[word(base)] &= ~(-1L << base) | above;
            base = upTo;
        }
    }

    private void skipEnded() {
        while (base < top) {
            long rest = window[word(base)] >>> base;
            if (rest != 0) {
                base += Long.numberOfTrailingZeros(rest);
                return;
            }
            base = Math.min(top, (base | 63) + 1);
        }
    }

    private int word(long number) {
        return (int) (number >>> 6) & wordMask;
    }

    private static int slot(long slice) {
        return (int) slice & RING - 1;
    }
}
