package org.fencepost.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import org.HdrHistogram.Histogram;
import org.fencepost.hbase.FastPathAbortedException;
import org.fencepost.protocol.TransactionAbortedException;

/**
 * The order of the measurements. Each is a slice, a fraction of a second, in which a number of threads repeat one
 * operation, each when its last has ended. The systems that are compared take turns within a pair, in the opposite order in
 * every second one, and only then comes the next kind of operation: whatever else the machine does hits them alike.
 * A slice in which nothing ends is prolonged.
 *
 * <p>Before each slice there is a pause for what the one before has left to do, since post-commits run in the background;
 * the first part of a slice does not count.
 */
final class FpRunner {

    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final BenchFp options;
    private final FpCluster cluster;
    private final List<Operation> operations;
    private volatile boolean recording;
    private volatile boolean stopping;

    FpRunner(BenchFp options, FpCluster cluster, List<Operation> operations) {
        this.options = options;
        this.cluster = cluster;
        this.operations = operations;
    }

    List<Slice> run() throws IOException {
        System.out.println("Warming up.");
        double each = options.warmUpSeconds / operations.size() / options.threads.size() / BenchFp.WARM_UP_ROUNDS;
        for (int round = 1; round <= BenchFp.WARM_UP_ROUNDS; round++) {
            measureAll(0, each, false);
        }
        List<Slice> slices = new ArrayList<>();
        for (int pair = 1; pair <= options.pairs; pair++) {
            slices.addAll(measureAll(pair, options.seconds, true));
        }
        return slices;
    }

    private List<Slice> measureAll(int pair, double seconds, boolean print) throws IOException {
        List<Slice> slices = new ArrayList<>();
        for (int threads : options.threads) {
            for (Operation.Kind kind : options.kinds) {
                List<Operation> compared = operations.stream().filter(operation -> operation.kind() == kind).toList();
                for (Operation operation : Runner.inTurn(pair, compared)) {
                    Slice slice = measure(operation, threads, pair, seconds);
                    slices.add(slice);
                    if (print) {
                        System.out.println(line(slice));
                    }
                }
            }
        }
        return slices;
    }

    private static String line(Slice slice) {
        return String.format(Locale.ROOT, "  %2d %d thread%s %-13s %-13s %,7.0f/s, p50 %,7.0f us, mean %,7.0f us, p99 %,8.0f us; CPU us each: HBase %,5.0f, client %,5.0f",
                slice.pair(), slice.threads(), slice.threads() == 1 ? ", " : "s,", slice.kind().text(), slice.system(), slice.perSecond(), slice.p50(), slice.mean(),
                slice.p99(), slice.hbaseCpu(), slice.clientCpu());
    }

    private Slice measure(Operation operation, int threads, int pair, double seconds) throws IOException {
        Runner.sleep(options.pauseSeconds);
        recording = false;
        stopping = false;
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            workers.add(new Worker(operation));
        }
        workers.forEach(Thread::start);
        Runner.sleep(options.settleSeconds);
        var process = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Usage before = cluster.usage();
        long cpu = process.getProcessCpuTime();
        long nanos = System.nanoTime();
        recording = true;
        do {
            Runner.sleep(seconds);
        } while (workers.stream().allMatch(worker -> worker.isAlive() && worker.count == 0));
        recording = false;
        nanos = System.nanoTime() - nanos;
        cpu = process.getProcessCpuTime() - cpu;
        Usage after = cluster.usage();
        stopping = true;
        Histogram latency = new Histogram(1_000, LONGEST_NANOS, 3);
        long aborted = 0;
        for (Worker worker : workers) {
            worker.finish();
            latency.add(worker.latency);
            aborted += worker.aborted;
        }
        long count = latency.getTotalCount();
        return new Slice(operation.kind(), operation.system(), threads, pair, count, count * 1e9 / nanos, (double) aborted / (aborted + count),
                latency.getMean() / 1e3, latency.getValueAtPercentile(50) / 1e3, latency.getValueAtPercentile(99) / 1e3,
                (after.cpuNanos() - before.cpuNanos()) / 1e3 / count, (double) (after.bytes() - before.bytes()) / count, cpu / 1e3 / count);
    }

    /** Repeats the operation. What has begun while it counts is counted when it ends. */
    private final class Worker extends Thread {

        private final Operation operation;
        private final Histogram latency = new Histogram(1_000, LONGEST_NANOS, 3);
        private volatile long count;
        private long aborted;
        private Exception failure;

        Worker(Operation operation) {
            super("worker");
            this.operation = operation;
            setDaemon(true);
        }

        @Override
        public void run() {
            Operation.Body body = operation.bodies().get();
            SplittableRandom random = new SplittableRandom();
            try {
                while (!stopping) {
                    boolean counts = recording;
                    long begin = System.nanoTime();
                    try {
                        body.run(random);
                        if (counts) {
                            latency.recordValue(System.nanoTime() - begin);
                            count = latency.getTotalCount();
                        }
                    } catch (TransactionAbortedException | FastPathAbortedException e) {
                        aborted += counts ? 1 : 0;
                    }
                }
            } catch (IOException | RuntimeException e) {
                failure = e;
            }
        }

        /** Throws IllegalStateException if the operation failed. */
        void finish() {
            try {
                join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (failure != null) {
                throw new IllegalStateException(operation.system() + ", " + operation.kind().text() + ": " + failure.getMessage(), failure);
            }
        }
    }
}
