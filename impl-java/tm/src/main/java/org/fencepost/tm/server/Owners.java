package org.fencepost.tm.server;

/**
 * Which client's session was given a timestamp, for the latest of them: who began a transaction, or entered it into Mediator's ring, may
 * end, commit or settle it, and nobody else. A ring of fixed size, with a place for each number: who has it is forgotten when another one gets it, which takes
 * longer the more numbers are left out.
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

    /** For each place the number that has it and the session that was given it, beside each other in memory. */
    private final long[] places;
    private final int mask;
    private final int shift;
    /** Numbers (timestamps divided by the leap) from here on are of this tenure. */
    private final long first;

    /**
     * @param size  timestamps that are remembered, rounded up to a power of two; 16 bytes each
     * @param leap  distance of timestamps, a power of two
     * @param epoch no timestamp of this tenure is below
     */
    Owners(int size, long leap, long epoch) {
        this.places = new long[2 * Math.max(1, Integer.highestOneBit(2 * size - 1))];
        this.mask = places.length / 2 - 1;
        this.shift = Long.numberOfTrailingZeros(leap);
        this.first = epoch >>> shift;
    }

    private int place(long number) {
        return 2 * ((int) number & mask);
    }

    /** @param ts greater than every earlier one */
    void give(long ts, long session) {
        long number = ts >>> shift;
        int place = place(number);
        places[place] = number;
        places[place + 1] = session;
    }

    /** Who was given nothing is OTHER, as long as nobody else has his place. */
    Owner of(long ts, long session) {
        long number = ts >>> shift;
        if (number < first) {
            return Owner.EARLIER;
        }
        int place = place(number);
        if (places[place] > number) {
            return Owner.FORGOTTEN;
        }
        return places[place] == number && places[place + 1] == session ? Owner.SELF : Owner.OTHER;
    }
}
