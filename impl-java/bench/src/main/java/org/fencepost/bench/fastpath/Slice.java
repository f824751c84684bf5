package org.fencepost.bench.fastpath;

/**
 * What one operation showed while it was repeated for a short time.
 *
 * @param pair        1, 2, ...: slices of a kind with the same number were measured one after the other
 * @param count       operations that did not abort
 * @param aborts      share of those that did
 * @param mean        latency in microseconds, as the percentiles
 * @param hbaseCpu    CPU microseconds of HBase's process for each operation, whatever it spent them on
 * @param hbaseBytes  allocated there by Java threads for each operation
 * @param clientCpu   CPU microseconds of this process for each operation
 */
record Slice(Operation.Kind kind, String system, int threads, int pair, long count, double perSecond, double aborts, double mean, double p50,
        double p99, double hbaseCpu, double hbaseBytes, double clientCpu) {
}
