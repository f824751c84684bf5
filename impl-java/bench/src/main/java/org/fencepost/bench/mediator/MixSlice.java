package org.fencepost.bench.mediator;

/**
 * What a mix showed while a system served it for a short time.
 *
 * @param phase      what it was measured for
 * @param pair       1, 2, ...: slices of a mix with the same number were measured one after the other
 * @param operations that were done, alone or in transactions that committed
 * @param aborts     share of the transactions that aborted, native operations that were made transactions included
 * @param p50        latency of operations that are native, or would be, in microseconds, as the mean; NaN if there were none
 * @param hbaseCpu   CPU microseconds of HBase's process for each operation
 * @param clientCpu  the same of this process
 */
record MixSlice(String phase, Mix mix, String system, int threads, int pair, long operations, double perSecond, double aborts, double p50,
        double mean, double hbaseCpu, double clientCpu) {

    /** Native operations alone, bare HBase among the systems. */
    static final String LATENCY = "latency";
    static final String THROUGHPUT = "throughput";

    /** HBase without transactions. */
    static final String BARE = "hbase";
    /** Native operations on HBase, transactions by Mediator. */
    static final String MEDIATOR = "mediator";
    /** Everything by transactions of Omid LL. */
    static final String LL = "omid-ll";
}
