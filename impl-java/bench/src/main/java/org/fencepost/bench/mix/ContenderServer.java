package org.fencepost.bench.mix;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.fencepost.bench.harness.CommandServer;
import org.fencepost.bench.harness.Part;
import org.fencepost.bench.mix.Contender.Aborted;
import org.fencepost.bench.mix.Contender.Phase;
import org.fencepost.bench.mix.Contender.Stopwatch;
import org.fencepost.bench.mix.Contender.Tx;
import org.fencepost.hbase.layout.Settings;

/**
 * The client of one system in a process of its own: loads its table and runs transactions when it is told to. The same for all systems, on class paths that differ: no class of another system is
 * touched ({@link Settings} has constants only, which are compiled in).
 */
public final class ContenderServer {

    /**
     * What {@link Turn} needs of one kind of transaction, as a line of text.
     *
     * @param phases mean microseconds of each {@link Phase}, of those that committed, as are the latencies
     */
    record Figures(String kind, long count, long aborts, double mean, double p50, double p99, double[] phases) {

        String line() {
            StringBuilder line = new StringBuilder(String.join("\t", kind, Long.toString(count), Long.toString(aborts), Double.toString(mean),
                    Double.toString(p50), Double.toString(p99)));
            for (double phase : phases) {
                line.append('\t').append(phase);
            }
            return line.toString();
        }

        static Figures parse(String line) {
            String[] words = line.split("\t");
            double[] phases = new double[Phase.values().length];
            for (int i = 0; i < phases.length; i++) {
                phases[i] = Double.parseDouble(words[6 + i]);
            }
            return new Figures(words[0], Long.parseLong(words[1]), Long.parseLong(words[2]), Double.parseDouble(words[3]), Double.parseDouble(words[4]),
                    Double.parseDouble(words[5]), phases);
        }
    }

    /** The kind that stands for all together. */
    static final String ALL = "all";

    private static final long LONGEST_NANOS = 60_000_000_000L;
    private static final int LOADERS = 8;
    private static final int ROWS_AT_ONCE = 200;

    private final Contender contender;
    private final byte[] value;
    private volatile boolean recording;
    private volatile boolean stopping;

    private ContenderServer(Contender contender, int valueBytes) {
        this.contender = contender;
        this.value = new byte[valueBytes];
        new SplittableRandom(1).nextBytes(value);
    }

    /** Arguments: file for the port, system, port of HBase's ZooKeeper, server of Apache Omid, table, commit table, bytes of a value. */
    public static void main(String[] arguments) throws IOException {
        Configuration conf = HBaseConfiguration.create();
        conf.set(HConstants.ZOOKEEPER_QUORUM, "127.0.0.1");
        conf.set(HConstants.ZOOKEEPER_CLIENT_PORT, arguments[2]);
        ContenderServer server = new ContenderServer(contender(arguments[1], conf, arguments), Integer.parseInt(arguments[6]));
        CommandServer.serve(Path.of(arguments[0]), server::carryOut);
    }

    private static Contender contender(String system, Configuration conf, String[] arguments) throws IOException {
        String zooKeeper = "127.0.0.1:" + arguments[2];
        String table = arguments[4];
        conf.set(Settings.COMMIT_TABLE, arguments[5]);
        return switch (system) {
            case BenchCluster.NATIVE -> new OurContenders.Native(conf, table);
            case BenchCluster.FP -> new OurContenders.Fast(conf, zooKeeper, table);
            case BenchCluster.TWO_PHASE -> {
                conf.set(Settings.PROTOCOL, "2pc");
                yield new OurContenders.Regular(conf, zooKeeper, table);
            }
            case BenchCluster.FRAGOLA -> {
                conf.set(Settings.PLACEMENT, "leader");
                yield new OurContenders.Regular(conf, zooKeeper, table);
            }
            case BenchCluster.LL, BenchCluster.ONE_PHASE, BenchCluster.LEVELS -> new OurContenders.Regular(conf, zooKeeper, table);
            default -> new OmidContender(conf, arguments[3], table, arguments[5]);
        };
    }

    private List<String> carryOut(String[] words) throws IOException, Aborted {
        switch (words[0]) {
            case "load" -> load(Integer.parseInt(words[1]));
            case "start" -> start(Workload.valueOf(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3]));
            case "record" -> recording = true;
            case "closure" -> {
                return List.of(Long.toString(close(new Closure(Integer.parseInt(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3])))));
            }
            default -> {
                return stop().stream().map(Figures::line).toList();
            }
        }
        return List.of();
    }

    // ---- loading

    private void load(int keys) throws IOException {
        Part.all(LOADERS, loader -> () -> {
            for (int first = loader * ROWS_AT_ONCE; first < keys; first += LOADERS * ROWS_AT_ONCE) {
                Tx tx = contender.begin();
                for (int n = first; n < Math.min(keys, first + ROWS_AT_ONCE); n++) {
                    tx.write(Workload.row(n), value);
                }
                tx.commit();
            }
        });
    }

    // ---- a closure

    /** In nanoseconds, without what comes before and after. */
    private long close(Closure closure) throws IOException, Aborted {
        for (List<byte[]> part : closure.graph()) {
            Closure.Edges table = contender.edges();
            table.insert(part);
            table.commit();
        }
        long begin = System.nanoTime();
        closure.close(contender.edges());
        long nanos = System.nanoTime() - begin;
        int count = closure.count(contender.edges());
        if (count != closure.closed()) {
            throw new IllegalStateException("The closure has " + count + " edges, not " + closure.closed() + ".");
        }
        return nanos;
    }

    // ---- a turn

    private final List<Worker> workers = new ArrayList<>();

    private void start(Workload workload, int threads, int keys) {
        recording = false;
        stopping = false;
        workers.clear();
        for (int i = 0; i < threads; i++) {
            workers.add(new Worker(workload.jobs(keys)));
        }
        workers.forEach(worker -> worker.part.start());
    }

    private List<Figures> stop() throws IOException {
        recording = false;
        stopping = true;
        Map<String, Record> records = new TreeMap<>();
        for (Worker worker : workers) {
            worker.part.finish();
            worker.records.forEach((kind, record) -> {
                records.computeIfAbsent(kind, k -> new Record()).add(record);
                records.computeIfAbsent(ALL, k -> new Record()).add(record);
            });
        }
        List<Figures> figures = new ArrayList<>();
        records.forEach((kind, record) -> figures.add(record.figures(kind)));
        return figures;
    }

    private static final class Record {

        private final Histogram latency = new Histogram(1_000, LONGEST_NANOS, 3);
        private final long[] phases = new long[Phase.values().length];
        private long aborts;

        void add(Record other) {
            latency.add(other.latency);
            aborts += other.aborts;
            for (int i = 0; i < phases.length; i++) {
                phases[i] += other.phases[i];
            }
        }

        void add(Stopwatch watch) {
            latency.recordValue(Math.min(watch.total(), LONGEST_NANOS));
            for (Phase phase : Phase.values()) {
                phases[phase.ordinal()] += watch.nanos(phase);
            }
        }

        Figures figures(String kind) {
            double[] means = new double[phases.length];
            for (int i = 0; i < means.length; i++) {
                means[i] = phases[i] / 1e3 / latency.getTotalCount();
            }
            return new Figures(kind, latency.getTotalCount(), aborts, latency.getMean() / 1e3, latency.getValueAtPercentile(50) / 1e3,
                    latency.getValueAtPercentile(99) / 1e3, means);
        }
    }

    /** Runs one transaction after the other. What began before the recording does not count. */
    private final class Worker {

        private final Supplier<Job> jobs;
        private final Map<String, Record> records = new TreeMap<>();
        private final Part part = new Part(this::run);

        Worker(Supplier<Job> jobs) {
            this.jobs = jobs;
        }

        private void run() throws IOException {
            Stopwatch watch = new Stopwatch();
            while (!stopping) {
                Job job = jobs.get();
                boolean counts = recording;
                boolean committed = true;
                watch.start();
                try {
                    contender.run(job, value, watch);
                } catch (Aborted e) {
                    committed = false;
                }
                if (counts && recording) {
                    Record record = records.computeIfAbsent(job.kind(), kind -> new Record());
                    if (committed) {
                        record.add(watch);
                    } else {
                        record.aborts++;
                    }
                }
            }
        }
    }
}
