package org.fencepost.bench.harness;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.fencepost.hbase.layout.FastPathAbortedException;
import org.fencepost.protocol.TransactionAbortedException;

/**
 * Measures in slices, fractions of a second in which a number of threads repeat something, each when its last has ended. Before each
 * slice there is a pause for what the one before has left to do, since post-commits run in the background; the first part of a slice
 * does not count, and what has begun while it counts is counted when it ends. A slice in which nothing ends is prolonged.
 */
public final class Slices {

    /** What a thread does over and over. */
    public interface Body {
        /**
         * @param latency takes the nanoseconds of what is to be timed
         * @return how many operations were done
         */
        int run(SplittableRandom random, LongConsumer latency) throws IOException;
    }

    /**
     * What a slice showed.
     *
     * @param operations that were done
     * @param ended      repetitions that did not abort
     * @param latency    of what was timed, in nanoseconds
     * @param hbaseCpu   CPU microseconds of HBase's process for each operation, whatever it spent them on
     * @param hbaseBytes allocated there by Java threads for each operation
     * @param clientCpu  CPU microseconds of this process for each operation
     */
    public record Shown(long operations, long ended, long aborted, double perSecond, Histogram latency, double hbaseCpu, double hbaseBytes,
            double clientCpu) {

        public double abortShare() {
            return aborted == 0 ? 0 : (double) aborted / (aborted + ended);
        }

        /** Microseconds; NaN if nothing was timed. */
        public double percentile(double percentile) {
            return latency.getTotalCount() == 0 ? Double.NaN : latency.getValueAtPercentile(percentile) / 1e3;
        }

        /** Microseconds; NaN if nothing was timed. */
        public double mean() {
            return latency.getTotalCount() == 0 ? Double.NaN : latency.getMean() / 1e3;
        }
    }

    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final SlicedBenchmark options;
    private final Cluster cluster;
    private volatile boolean recording;
    private volatile boolean stopping;

    public Slices(SlicedBenchmark options, Cluster cluster) {
        this.options = options;
        this.cluster = cluster;
    }

    /**
     * @param what   is measured, for the sentence if it fails: throws IllegalStateException
     * @param bodies makes one for each thread
     */
    public Shown measure(String what, int threads, Supplier<Body> bodies, double seconds) {
        Rounds.sleep(options.pauseSeconds);
        recording = false;
        stopping = false;
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            workers.add(new Worker(bodies.get()));
        }
        workers.forEach(Thread::start);
        Rounds.sleep(options.settleSeconds);
        var process = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Usage before = cluster.usage();
        long cpu = process.getProcessCpuTime();
        long nanos = System.nanoTime();
        recording = true;
        do {
            Rounds.sleep(seconds);
        } while (workers.stream().allMatch(worker -> worker.isAlive() && worker.operations == 0));
        recording = false;
        nanos = System.nanoTime() - nanos;
        cpu = process.getProcessCpuTime() - cpu;
        Usage after = cluster.usage();
        stopping = true;
        Histogram latency = new Histogram(1_000, LONGEST_NANOS, 3);
        long operations = 0;
        long ended = 0;
        long aborted = 0;
        for (Worker worker : workers) {
            worker.finish(what);
            latency.add(worker.latency);
            operations += worker.operations;
            ended += worker.ended;
            aborted += worker.aborted;
        }
        return new Shown(operations, ended, aborted, operations * 1e9 / nanos, latency, (after.cpuNanos() - before.cpuNanos()) / 1e3 / operations,
                (double) (after.bytes() - before.bytes()) / operations, cpu / 1e3 / operations);
    }

    private final class Worker extends Thread {

        private final Body body;
        private final SplittableRandom random = new SplittableRandom();
        private final Histogram latency = new Histogram(1_000, LONGEST_NANOS, 3);
        private volatile long operations;
        private long ended;
        private long aborted;
        private Exception failure;

        Worker(Body body) {
            super("worker");
            this.body = body;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (!stopping) {
                    boolean counts = recording;
                    try {
                        int done = body.run(random, counts ? latency::recordValue : nanos -> {});
                        if (counts) {
                            operations += done;
                            ended++;
                        }
                    } catch (TransactionAbortedException | FastPathAbortedException e) {
                        aborted += counts ? 1 : 0;
                    }
                }
            } catch (IOException | RuntimeException e) {
                failure = e;
            }
        }

        void finish(String what) {
            try {
                join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (failure != null) {
                throw new IllegalStateException(what + ": " + failure.getMessage(), failure);
            }
        }
    }
}
