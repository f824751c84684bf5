package org.fencepost.bench.mix;

import java.util.List;

/**
 * One transaction to run.
 *
 * @param kind what its latency is counted under: see {@link Workload}
 */
record Job(String kind, List<Access> accesses) {

    /** One read or one write of a row. */
    record Access(byte[] row, boolean write) {
    }

    static final String READ = "read";
    static final String WRITE = "write";
    /** A read and then a write of the same row. */
    static final String READ_WRITE = "read-write";

    static Job of(String kind, Access... accesses) {
        return new Job(kind, List.of(accesses));
    }

    /** The kind of a random transaction of several accesses. */
    static String operations(int count) {
        return count + " operations";
    }
}
