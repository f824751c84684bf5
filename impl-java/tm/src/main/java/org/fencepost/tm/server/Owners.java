package org.fencepost.tm.server;

/**
 * Which client's session was given a timestamp, for the latest of them: who began a transaction, or entered it into Mediator's ring, may
 * end, commit or settle it, and nobody else. A ring with a place for each timestamp, of fixed size: what is older than that is forgotten.
 *
 * <p>A session is a number that a client draws at random and tells nobody else. Each request costs one access to an array. Confined to
 * the serving thread.
 */
final class Owners {

    /** What is known of a timestamp and a session. */
    enum Owner {
        SELF,
        OTHER,
        /** It is older than what is remembered. Who commits it may be anybody: that ends nothing, and gives no more than a permission. */
        FORGOTTEN,
        /** It is of an earlier tenure, which has ended all that it began. */
        EARLIER
    }

    private static final long NOBODY = 0;

    private final long[] sessions;
    private final int mask;
    private final int shift;
    /** Numbers (timestamps divided by the leap) from here on are of this tenure. */
    private final long first;
    /** One more than the last number that was given to somebody. */
    private long next;

    /**
     * @param size  timestamps that are remembered, rounded up to a power of two; 8 bytes each
     * @param leap  distance of timestamps, a power of two
     * @param epoch no timestamp of this tenure is below
     */
    Owners(int size, long leap, long epoch) {
        this.sessions = new long[Math.max(1, Integer.highestOneBit(2 * size - 1))];
        this.mask = sessions.length - 1;
        this.shift = Long.numberOfTrailingZeros(leap);
        this.first = epoch >>> shift;
        this.next = first;
    }

    /** @param ts greater than every earlier one */
    void give(long ts, long session) {
        long number = ts >>> shift;
        for (long skipped = Math.max(next, number - sessions.length); skipped < number; skipped++) {
            sessions[(int) skipped & mask] = NOBODY;
        }
        sessions[(int) number & mask] = session;
        next = number + 1;
    }

    Owner of(long ts, long session) {
        long number = ts >>> shift;
        if (number < first) {
            return Owner.EARLIER;
        }
        if (number < next - sessions.length) {
            return Owner.FORGOTTEN;
        }
        return number < next && sessions[(int) number & mask] == session ? Owner.SELF : Owner.OTHER;
    }
}
