package org.fencepost.protocol.manager;

import java.lang.management.ManagementFactory;
import org.fencepost.protocol.trace.Tracer;

/**
 * Prints how many transactions (begin and commit) per second of CPU time the core of the transaction manager does in one thread.
 * A program, not a test: {@code java -cp protocol/target/classes:protocol-tests/target/test-classes org.fencepost.protocol.manager.CoreSpeed}.
 */
final class CoreSpeed {

    private CoreSpeed() {
    }

    public static void main(String[] arguments) {
        for (int entries : new int[] {1 << 16, 1 << 20, 1 << 24}) {
            for (int keys : new int[] {1, 4, 10, 100}) {
                TransactionManagerCore core = new TransactionManagerCore(
                        new TransactionManagerCore.Settings(1 << 20, entries, 60_000_000_000L, 1 << 22), 0, Long.MAX_VALUE, 0,
                        System.nanoTime(), Tracer.OFF);
                double best = 0;
                for (int round = 0; round < 5; round++) {
                    best = Math.max(best, round(core, keys, 8_000_000 / (keys + 3)));
                }
                System.out.printf("%,12d entries, write sets of %3d: %6.2f million transactions per CPU second%n", entries, keys, best / 1e6);
            }
        }
    }

    /** 32 transactions are active at any time; the keys are random 64-bit hashes. */
    private static double round(TransactionManagerCore core, int keys, int transactions) {
        long[] active = new long[32];
        long[] writeSet = new long[keys];
        long seed = transactions;
        long aborts = 0;
        long start = cpuNanos();
        for (int i = 0; i < transactions; i++) {
            long startTs = active[i & 31];
            active[i & 31] = core.begin(start);
            if (startTs != 0) {
                for (int k = 0; k < keys; k++) {
                    seed ^= seed << 13;
                    seed ^= seed >>> 7;
                    seed ^= seed << 17;
                    writeSet[k] = seed;
                }
                aborts += core.commit(startTs, writeSet, keys) < 0 ? 1 : 0;
            }
        }
        double rate = transactions / ((cpuNanos() - start) / 1e9);
        if (aborts > transactions / 10) {
            throw new IllegalStateException(aborts + " of " + transactions + " transactions aborted");
        }
        return rate;
    }

    /** CPU time, so that other work on the machine counts less. */
    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
