package org.fencepost.bench.index;

/**
 * What one measurement showed.
 *
 * @param pair      1, 2, ...: those of a kind with the same number were measured one after the other
 * @param perSecond operations; rows where a table was copied or an index populated
 * @param p50       latency in microseconds; NaN where rows were copied
 * @param p99       the same
 * @param aborts    for a fence, of transactions that write
 */
record IndexSlice(Kind kind, String system, int pair, double perSecond, double p50, double p99, long aborts) {

    enum Kind {
        WRITERS("write with an index"), POPULATE("populate"), EXCLUDE_CURRENT("scan with own writes"), VERSIONS("scan of 10 versions");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        /** For results. */
        String text() {
            return text;
        }
    }

    /** Of writers: before the build of an index, and while it is under way. */
    static final String BEFORE = "before";
    static final String DURING = "during";
    /** Of rows: HBase's scan and put, and a build of an index. */
    static final String COPY = "copy";
    static final String BUILD = "build";
    /** Of scans: in a transaction as it began, and after a checkpoint. */
    static final String PLAIN = "plain";
    static final String EXCLUDING = "excluding";
    /** Who decides what a scan sees. */
    static final String CLIENT = "client";
    static final String SERVER = "server";
}
