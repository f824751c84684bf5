package org.fencepost.protocol;

/**
 * What a version tells, to everybody who looks at one: readers, the fast path and its clock, collector and compaction, and
 * whoever asks the commit table (VLDB'18 section 6.2, specs/Checkpoints.tla).
 *
 * <p>Timestamps of the transaction manager are multiples of the span. Of the numbers from one to the next, the first belong to the
 * levels in which its transaction writes, a new one after each checkpoint. The others belong to the fast path, whose records are
 * committed at their version.
 *
 * @param span   the leap of the transaction manager, or a divisor of it
 * @param levels how many levels a transaction has, the first included
 */
public record Versions(long span, int levels) {

    /** Of a transaction where there is room for them: VLDB'18 section 6.2. */
    public static final int LEVELS = 50;
    /** Every number may be a timestamp, and the version of a transaction that has one level. */
    public static final Versions DENSE = new Versions(1, 1);

    public Versions {
        if (levels < 1 || levels > LEVELS || levels > span) {
            throw new IllegalArgumentException("Of " + span + " numbers, levels can have 1 to " + Math.min(LEVELS, span) + ", not " + levels + ".");
        }
    }

    /** Whether the fast path has drawn this version. */
    public boolean isFast(long version) {
        return version % span >= levels;
    }

    /** The transaction that a version is of: its start timestamp, where its commit-table entry is; of the fast path's, the version itself. */
    public long writerOf(long version) {
        return isFast(version) ? version : version - version % span;
    }

    /** The next version of the fast path above this number. */
    public long nextFast(long number) {
        return isFast(number + 1) ? number + 1 : writerOf(number + 1) + levels;
    }

    /** Whether the transaction manager can have given this number. */
    public boolean isTimestamp(long ts) {
        return Timestamps.isTimestamp(ts) && ts % span == 0;
    }
}
