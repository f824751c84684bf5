package org.fencepost.tm.server;

import java.util.concurrent.TimeUnit;

/**
 * How long timestamps last. They are 63-bit numbers, a leap apart. A new system's begin at the wall clock's nanoseconds, so that each is
 * greater than any time in milliseconds that HBase has ever put on a cell. Only the first manager of a new system looks at the wall clock.
 */
final class TimestampSupply {

    /** Full load: 500,000 transactions a second, with two timestamps each. */
    static final long PER_SECOND = 1_000_000;

    private static final long DAY_SECONDS = TimeUnit.DAYS.toSeconds(1);
    private static final double YEAR_SECONDS = 365.25 * DAY_SECONDS;
    /** 2024-01-01T00:00:00Z. A clock before it was never set. */
    private static final long EARLIEST_MILLIS = 1_704_067_200_000L;

    private TimestampSupply() {
    }

    /**
     * Where a new system begins: a multiple of the leap.
     *
     * @throws IllegalArgumentException if the machine's clock is wrong
     */
    static long first(long wallMillis, long leap) {
        if (wallMillis < EARLIEST_MILLIS) {
            throw new IllegalArgumentException("This machine's clock is before 2024, and a new system's timestamps begin at the time: set the clock.");
        }
        return Math.addExact(Math.multiplyExact(wallMillis, 1_000_000L), leap - 1) / leap * leap;
    }

    /** How long timestamps from here on last at full load. */
    static long seconds(long from, long leap) {
        return (Long.MAX_VALUE - from) / leap / PER_SECOND;
    }

    /** Throws IllegalArgumentException if less than a day is left at full load. */
    static void requireADay(long from, long leap) {
        if (seconds(from, leap) < DAY_SECONDS) {
            throw new IllegalArgumentException("From timestamp " + from + " on, timestamps a leap of " + leap + " apart last less than a day at "
                    + PER_SECOND / 2 + " transactions a second: start with a smaller --leap.");
        }
    }

    /** The same for whatever system: none begins earlier, but those of older versions. */
    static void requireADay(long leap) {
        requireADay(first(EARLIEST_MILLIS, leap), leap);
    }

    /** Such as "115 years"; days where it is less than two years. */
    static String text(long from, long leap) {
        long seconds = seconds(from, leap);
        return seconds < 2 * YEAR_SECONDS ? seconds / DAY_SECONDS + " days" : Math.round(seconds / YEAR_SECONDS) + " years";
    }
}
