package org.fencepost.bench.tm;

import org.fencepost.bench.load.Scenario;

/**
 * What one run of the generator showed.
 *
 * @param system        see {@link Servers}
 * @param phase         see {@link Runner}
 * @param pair          1, 2, ...: runs with the same number were made one after the other
 * @param offered       transactions per second that were due; 0 in a closed loop
 * @param tps           transactions ended per second
 * @param aborts        share of them that aborted, 0 to 1
 * @param p50           latency of a begin or commit request in microseconds; NaN in a closed loop, as the next two
 * @param late99        by how many microseconds begins were posted late, 99th percentile; NaN in a closed loop
 * @param setAside      share of the requests whose latency does not count, since the generator was not running meanwhile
 * @param cpuPerMillion CPU seconds of the server for a million requests, two to a transaction
 * @param bytes         allocated by the server's Java threads for each request
 * @param collections   garbage collections of the server
 * @param serverBusy    CPU time of the server's process by the time that passed
 * @param generatorBusy the same of the generator's process; in an open loop it spins and this is about 1
 */
record Measurement(String system, Scenario scenario, String phase, int pair, double offered, double tps, double aborts, double p50, double p99,
        double p999, double late99, double setAside, double cpuPerMillion, double bytes, long collections, double serverBusy,
        double generatorBusy) {

    /** Above this share of its core the generator may be what limits the throughput. */
    static final double GENERATOR_LIMIT = 0.95;
    /** Below this share of its core the server was not saturated: the generator, or whatever else had its core, was the limit. */
    static final double SERVER_LIMIT = 0.9;

    boolean lowerBound() {
        return Double.isNaN(p50) && (generatorBusy >= GENERATOR_LIMIT || serverBusy < SERVER_LIMIT);
    }
}
