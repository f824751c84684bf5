package org.fencepost.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.HdrHistogram.Histogram;
import org.fencepost.protocol.TransactionAbortedException;

/**
 * The order of the measurements. Each is a slice, a fraction of a second, in which a number of threads do what a mix asks for. The
 * systems that are compared take turns within a pair, in the opposite order in every second one, and only then comes the next
 * mix: whatever else the machine does hits them alike. Before each slice there is a pause for what the one before has left
 * to do; the first part of a slice does not count.
 */
final class MixRunner {

    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final BenchMediator options;
    private final MixCluster cluster;
    private final List<MixSystem> systems;
    private volatile boolean recording;
    private volatile boolean stopping;

    MixRunner(BenchMediator options, MixCluster cluster, List<MixSystem> systems) {
        this.options = options;
        this.cluster = cluster;
        this.systems = systems;
    }

    List<MixSlice> run() throws IOException {
        List<Mix> natives = List.of(new Mix(1, 0, 1), new Mix(1, 1, 1));
        List<MixSystem> both = systems.stream().filter(MixSystem::hasTransactions).toList();
        System.out.println("Warming up.");
        double each = options.warmUpSeconds / 2 / options.mixes().size() / both.size();
        for (int round = 0; round < 2; round++) {
            round(MixSlice.THROUGHPUT, 0, each, options.mixes(), both, options.threads);
            round(MixSlice.LATENCY, 0, each, natives, systems, options.threads);
        }
        List<MixSlice> slices = new ArrayList<>();
        System.out.println("Latency of native operations.");
        for (int pair = 1; pair <= options.nativePairs; pair++) {
            for (int threads : Stream.of(1, options.threads).distinct().toList()) {
                slices.addAll(round(MixSlice.LATENCY, pair, options.seconds, natives, systems, threads));
            }
        }
        System.out.println("Throughput.");
        for (int pair = 1; pair <= options.pairs; pair++) {
            slices.addAll(round(MixSlice.THROUGHPUT, pair, options.seconds, options.mixes(), both, options.threads));
        }
        return slices;
    }

    private List<MixSlice> round(String phase, int pair, double seconds, List<Mix> mixes, List<MixSystem> compared, int threads)
            throws IOException {
        List<MixSlice> slices = new ArrayList<>();
        for (Mix mix : mixes) {
            for (MixSystem system : Runner.inTurn(pair, compared)) {
                MixSlice slice = measure(phase, mix, system, threads, pair, seconds);
                slices.add(slice);
                if (pair > 0) {
                    System.out.println(line(slice));
                }
            }
        }
        return slices;
    }

    private static String line(MixSlice s) {
        return String.format(Locale.ROOT, "  %2d %d threads, %-28s %-9s %,7.0f operations/s, %4.1f%% aborts, native p50 %,6.0f us; CPU us each: HBase %,5.0f, client %,5.0f",
                s.pair(), s.threads(), s.mix(), s.system(), s.perSecond(), 100 * s.aborts(), s.p50(), s.hbaseCpu(), s.clientCpu());
    }

    private MixSlice measure(String phase, Mix mix, MixSystem system, int threads, int pair, double seconds) throws IOException {
        Runner.sleep(options.pauseSeconds);
        recording = false;
        stopping = false;
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            workers.add(new Worker(mix, system));
        }
        workers.forEach(Thread::start);
        Runner.sleep(options.settleSeconds);
        var process = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Usage before = cluster.usage();
        long cpu = process.getProcessCpuTime();
        long nanos = System.nanoTime();
        recording = true;
        do { // a slice in which nothing ends is prolonged
            Runner.sleep(seconds);
        } while (workers.stream().allMatch(worker -> worker.isAlive() && worker.operations == 0));
        recording = false;
        nanos = System.nanoTime() - nanos;
        cpu = process.getProcessCpuTime() - cpu;
        Usage after = cluster.usage();
        stopping = true;
        Histogram latency = new Histogram(1_000, LONGEST_NANOS, 3);
        long operations = 0;
        long committed = 0;
        long aborted = 0;
        for (Worker worker : workers) {
            worker.finish();
            latency.add(worker.latency);
            operations += worker.operations;
            committed += worker.committed;
            aborted += worker.aborted;
        }
        boolean any = latency.getTotalCount() > 0;
        return new MixSlice(phase, mix, system.name(), threads, pair, operations, operations * 1e9 / nanos,
                aborted == 0 ? 0 : (double) aborted / (aborted + committed),
                any ? latency.getValueAtPercentile(50) / 1e3 : Double.NaN, any ? latency.getMean() / 1e3 : Double.NaN,
                (after.cpuNanos() - before.cpuNanos()) / 1e3 / operations, cpu / 1e3 / operations);
    }

    /** What has begun while the slice counts is counted when it ends. */
    private final class Worker extends Thread {

        private final Mix mix;
        private final MixSystem system;
        private final SplittableRandom random = new SplittableRandom();
        private final Histogram latency = new Histogram(1_000, LONGEST_NANOS, 3);
        private volatile long operations;
        private long committed;
        private long aborted;
        private Exception failure;

        Worker(Mix mix, MixSystem system) {
            super("worker");
            this.mix = mix;
            this.system = system;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (!stopping) {
                    boolean counts = recording;
                    try {
                        int done = mix.drawNative(random) ? operation(counts) : transaction();
                        if (counts) {
                            operations += done;
                            committed++;
                        }
                    } catch (TransactionAbortedException e) {
                        aborted += counts ? 1 : 0;
                    }
                }
            } catch (IOException | RuntimeException e) {
                failure = e;
            }
        }

        private int operation(boolean counts) throws IOException {
            long begin = System.nanoTime();
            system.operation(mix.drawRead(random), random);
            if (counts) {
                latency.recordValue(System.nanoTime() - begin);
            }
            return 1;
        }

        private int transaction() {
            int size = mix.drawSize(random);
            system.transaction(size, () -> mix.drawRead(random), random);
            return size;
        }

        /** Throws IllegalStateException if an operation failed. */
        void finish() {
            try {
                join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (failure != null) {
                throw new IllegalStateException(system.name() + ", " + mix + ": " + failure.getMessage(), failure);
            }
        }
    }
}
