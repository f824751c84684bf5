package org.fencepost.protocol.manager;

/**
 * Hands out timestamps, each a leap above the last, within an epoch whose limit is durable elsewhere (VLDB'18 Alg. 2,
 * checkRenew). The epoch is half-open: {@code limit} itself belongs to the next one. Not thread-safe.
 */
final class TimestampOracle {

    private final long leap;
    /** The next timestamp to hand out; only grows. A multiple of the leap. */
    private long clock;
    private long limit;

    /**
     * @param leap  a power of two; the timestamps between two handed out belong to the earlier one's owner
     * @param start no timestamp below this is handed out
     */
    TimestampOracle(long leap, long start, long limit) {
        if (Long.bitCount(leap) != 1 || leap < 0) {
            throw new IllegalArgumentException("The leap between timestamps must be a power of two, not " + leap + ".");
        }
        if (start < 0 || start > Long.MAX_VALUE - 2 * leap) {
            throw new IllegalArgumentException("No timestamps are left from " + start + " on.");
        }
        this.leap = leap;
        this.clock = Math.max(leap, (start + leap - 1) / leap * leap);
        this.limit = limit;
    }

    /** True when the next timestamp would not be below the limit. {@code >=}, since a leap can step over the limit. */
    boolean exhausted() {
        return clock >= limit;
    }

    long next() {
        if (exhausted()) {
            throw new IllegalStateException("The epoch is exhausted at " + limit + ": extend it before the next request.");
        }
        long timestamp = clock;
        clock += leap;
        return timestamp;
    }

    /** May come to lie above the limit: then nothing is handed out before that is extended. */
    void skipTo(long timestamp) {
        if (timestamp > clock && timestamp <= Long.MAX_VALUE - 2 * leap) {
            clock = (timestamp + leap - 1) / leap * leap;
        }
    }

    /** The timestamp that will be handed out next. */
    long peek() {
        return clock;
    }

    long limit() {
        return limit;
    }

    void extend(long newLimit) {
        if (newLimit < limit) {
            throw new IllegalArgumentException("The epoch ends at " + limit + " already and cannot shrink to " + newLimit + ".");
        }
        limit = newLimit;
    }
}
