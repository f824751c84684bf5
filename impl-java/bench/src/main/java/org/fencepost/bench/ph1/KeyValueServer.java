package org.fencepost.bench.ph1;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.fencepost.bench.harness.CommandServer;
import org.fencepost.bench.harness.Part;
import org.fencepost.bench.ph1.KeyValues.Aborted;
import org.fencepost.bench.ph1.KeyValues.Tx;
import org.fencepost.hbase.layout.Settings;

/**
 * The client of one system in a process of its own: loads its tables, runs transactions and checks what came of them when it is told to. The same for all
 * systems, on class paths that differ: no class of another system is touched ({@link Settings} has constants only, which are compiled in).
 */
public final class KeyValueServer {

    /**
     * Of one kind of transaction, those that began and ended while it was recorded, as a line of text.
     *
     * @param aborts attempts that were in vain
     * @param mean   microseconds, from the first attempt's begin to the end of the last one
     */
    record Figures(String kind, long count, long aborts, double mean, double p50, double p99) {

        String line() {
            return String.join("\t", kind, Long.toString(count), Long.toString(aborts), Double.toString(mean), Double.toString(p50), Double.toString(p99));
        }

        static Figures parse(String line) {
            String[] words = line.split("\t");
            return new Figures(words[0], Long.parseLong(words[1]), Long.parseLong(words[2]), Double.parseDouble(words[3]), Double.parseDouble(words[4]),
                    Double.parseDouble(words[5]));
        }
    }

    private static final long LONGEST_NANOS = 60_000_000_000L;
    private static final int LOADERS = 8;
    private static final AtomicLong TERMINALS = new AtomicLong();

    private final KeyValues system;
    private final List<Terminal> terminals = new ArrayList<>();
    private volatile boolean recording;
    private volatile boolean stopping;

    private KeyValueServer(KeyValues system) {
        this.system = system;
    }

    /**
     * Arguments: file for the port, system, port of HBase's ZooKeeper, server of Apache Omid, its commit table or ours, Cassandra's address, ports of
     * instances with commas.
     */
    public static void main(String[] arguments) throws IOException {
        Configuration conf = HBaseConfiguration.create();
        conf.set(HConstants.ZOOKEEPER_QUORUM, "127.0.0.1");
        conf.set(HConstants.ZOOKEEPER_CLIENT_PORT, arguments[2]);
        conf.set(Settings.COMMIT_TABLE, arguments[4]);
        try (KeyValues system = open(arguments[1], conf, "127.0.0.1:" + arguments[2], arguments)) {
            CommandServer.serve(Path.of(arguments[0]), new KeyValueServer(system)::carryOut);
        }
        System.exit(0); // whatever threads its libraries have left
    }

    private static KeyValues open(String system, Configuration conf, String zooKeeper, String[] arguments) throws IOException {
        return switch (system) {
            case KeyValueCluster.CASSANDRA -> new OnCassandra.Native(arguments[5], system);
            case KeyValueCluster.PH1 -> new OnCassandra.PH1(arguments[5], zooKeeper, Arrays.stream(arguments[6].split(",")).map(Integer::valueOf).toList(), system);
            case KeyValueCluster.HBASE -> new OnHBase.Native(conf, system);
            case KeyValueCluster.LL, KeyValueCluster.FAST -> new OnHBase.Regular(conf, zooKeeper, system);
            default -> new OnPeer(conf, arguments[3], arguments[4], system);
        };
    }

    private List<String> carryOut(String[] words) throws IOException, Aborted {
        switch (words[0]) {
            case "load" -> load(workload(words));
            case "start" -> start(workload(words), Integer.parseInt(words[words.length - 1]));
            case "record" -> recording = true;
            case "check" -> {
                Tx tx = system.begin();
                List<String> found = workload(words).check(tx);
                tx.rollback();
                return found;
            }
            default -> {
                return stop().stream().map(Figures::line).toList();
            }
        }
        return List.of();
    }

    /** After the command's name: the workload's, and three numbers. */
    static Workload workload(String[] words) {
        int[] numbers = Arrays.stream(words, 2, 5).mapToInt(Integer::parseInt).toArray();
        return words[1].equals(KeyValueCluster.YCSB) ? new Ycsb(numbers[0], numbers[1]) : new Tpcc(numbers[0], numbers[1], numbers[2]);
    }

    private void load(Workload workload) throws IOException {
        List<Workload.Load> loads = workload.loads();
        Part.all(LOADERS, loader -> () -> {
            for (int n = loader; n < loads.size(); n += LOADERS) {
                Tx tx = system.begin();
                loads.get(n).run(tx);
                tx.commit();
            }
        });
    }

    // ---- a turn

    private void start(Workload workload, int threads) {
        recording = false;
        stopping = false;
        terminals.clear();
        for (int i = 0; i < threads; i++) {
            terminals.add(new Terminal(workload));
        }
        terminals.forEach(terminal -> terminal.part.start());
    }

    private List<Figures> stop() throws IOException {
        recording = false;
        stopping = true;
        Map<String, Record> records = new TreeMap<>();
        for (Terminal terminal : terminals) {
            terminal.part.finish();
            terminal.records.forEach((kind, record) -> records.computeIfAbsent(kind, k -> new Record()).add(record));
        }
        return records.entrySet().stream().map(each -> each.getValue().figures(each.getKey())).toList();
    }

    private static final class Record {

        private final Histogram latency = new Histogram(1_000, LONGEST_NANOS, 3);
        private long aborts;

        void add(Record other) {
            latency.add(other.latency);
            aborts += other.aborts;
        }

        Figures figures(String kind) {
            return new Figures(kind, latency.getTotalCount(), aborts, latency.getMean() / 1e3, latency.getValueAtPercentile(50) / 1e3,
                    latency.getValueAtPercentile(99) / 1e3);
        }
    }

    /** Runs one transaction after the other, each until it is committed, or rolled back as its user wants. */
    private final class Terminal {

        private final Workload workload;
        private final long number = TERMINALS.incrementAndGet();
        private final SplittableRandom random = new SplittableRandom(number);
        private final Map<String, Record> records = new TreeMap<>();
        private final Part part = new Part(this::run);

        Terminal(Workload workload) {
            this.workload = workload;
        }

        private void run() throws IOException {
            while (!stopping) {
                Workload.Job job = workload.next(random, number);
                boolean counts = recording;
                long began = System.nanoTime();
                int aborts = 0;
                while (!attempt(job) && !stopping) {
                    aborts++;
                }
                if (counts && recording) {
                    Record record = records.computeIfAbsent(job.kind(), kind -> new Record());
                    record.latency.recordValue(Math.min(System.nanoTime() - began, LONGEST_NANOS));
                    record.aborts += aborts;
                }
            }
        }

        private boolean attempt(Workload.Job job) throws IOException {
            Tx tx = system.begin();
            try {
                if (job.run(tx)) {
                    tx.commit();
                } else {
                    tx.rollback();
                }
                return true;
            } catch (Aborted e) {
                return false;
            }
        }
    }
}
