package org.fencepost.protocol;

/**
 * The numbers that stand where a commit timestamp may stand: in a commit cell and in a commit-table entry.
 * Timestamps proper are positive; versions of records are the start timestamps of their writers.
 */
public final class Timestamps {

    /** Nothing there: an empty commit cell, an absent commit-table entry. */
    public static final long NIL = 0;

    /** The transaction was invalidated by a reader and can no longer commit (VLDB'18 Alg. 3: the marker &#x22A5;). */
    public static final long INVALIDATED = -1;

    /** Refused: the commit table's watermark has passed the transaction, so nothing is stored for it any more. */
    public static final long COLLECTED = -2;

    private Timestamps() {
    }

    /** True for a number that a transaction manager can have given out. */
    public static boolean isTimestamp(long ts) {
        return ts > 0;
    }
}
