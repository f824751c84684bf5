package org.fencepost.bench.ph1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fencepost.bench.harness.CommandedProcess;
import org.fencepost.bench.harness.HBaseBenchmark;
import org.fencepost.bench.harness.Machine;
import org.fencepost.bench.harness.Rounds;
import org.fencepost.bench.ph1.KeyValueServer.Figures;
import org.fencepost.bench.peer.PeerOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures what transactions cost a store without versions: the two experiments of the paper on pH1 (section V), with a mix of YCSB's, and with two
 * transactions of TPC-C, there beside Omid LL and Apache Omid on HBase. Systems take turns in rounds, in the opposite order in every second one; a
 * penalty is what a round's throughput falls short of the store's own in the same round. In the end TPC-C's consistency conditions are checked, of the
 * stores alone, too, which need not keep them.
 */
@Command(name = "bench-ph1", sortOptions = false, description = "Measures what transactions cost, by pH1 on Cassandra, and by Omid LL and Apache Omid on HBase.")
final class BenchPH1 extends HBaseBenchmark {

    @Mixin
    PeerOptions peer;

    @Option(names = "--out", defaultValue = "target/bench-ph1", paramLabel = "DIR", description = "For results and logs. Default: ${DEFAULT-VALUE}.")
    Path out;

    @Option(names = "--cassandra", defaultValue = "impl-java/cassandra/target", paramLabel = "DIR", description = "Cassandra's libraries. Default: ${DEFAULT-VALUE}.")
    Path cassandra;

    @Option(names = "--cassandra-heap-mb", defaultValue = "1024", description = "Of Cassandra. Default: ${DEFAULT-VALUE}.")
    int cassandraHeap;

    @Option(names = "--rounds", defaultValue = "8", description = "Of each workload. Default: ${DEFAULT-VALUE}.")
    int rounds;

    @Option(names = "--seconds", defaultValue = "8", description = "Of a turn. Default: ${DEFAULT-VALUE}.")
    double seconds;

    @Option(names = "--settle-seconds", defaultValue = "2", description = "Before a turn counts. Default: ${DEFAULT-VALUE}.")
    double settleSeconds;

    @Option(names = "--warm-up-seconds", defaultValue = "15", description = "Of each system and workload, at the start. Default: ${DEFAULT-VALUE}.")
    double warmUpSeconds;

    @Option(names = "--threads", defaultValue = "8", description = "Of each client. Default: ${DEFAULT-VALUE}.")
    int threads;

    @Option(names = "--instances", defaultValue = "2", description = "Of pH1's middleware, in its client's process; each has all old versions. Default: ${DEFAULT-VALUE}, as the paper's.")
    int instances;

    @Option(names = "--value-bytes", defaultValue = "1000", description = "Of YCSB's records. Default: ${DEFAULT-VALUE}.")
    int valueBytes;

    @Option(names = "--warehouses", defaultValue = "10", description = "Of TPC-C. Default: ${DEFAULT-VALUE}, as the paper's.")
    int warehouses;

    @Option(names = "--customers", defaultValue = "100", description = "Of each of a warehouse's ten districts; TPC-C has 3000. Default: ${DEFAULT-VALUE}.")
    int customers;

    @Option(names = "--items", defaultValue = "1000", description = "Of each warehouse's stock; TPC-C has 100000. Default: ${DEFAULT-VALUE}.")
    int items;

    /** Of a warm-up, for verdicts. */
    private static final double WARM_SECONDS = 10;

    BenchPH1() {
        pauseSeconds = 0.5;
        keys = 10_000;
        heapMegabytes = 3072;
    }

    public static void main(String[] arguments) {
        BenchPH1 benchmark = new BenchPH1();
        int exit = benchmark.command().execute(arguments);
        System.exit(exit == 0 && benchmark.violated ? 1 : exit);
    }

    /** Whether a system with transactions has broken a condition. */
    private boolean violated;

    List<Workload> workloads() {
        return List.of(new Ycsb(keys, valueBytes), new Tpcc(warehouses, customers, items));
    }

    /** As a client is told. */
    private String words(String workload) {
        return workload + " " + (workload.equals(KeyValueCluster.YCSB) ? keys + " " + valueBytes + " 0" : warehouses + " " + customers + " " + items);
    }

    @Override
    protected void run(Machine machine) throws IOException {
        List<Turn> turns = new ArrayList<>();
        Map<String, List<String>> conditions = new LinkedHashMap<>();
        try (KeyValueCluster cluster = new KeyValueCluster(this, Files.createDirectories(out.resolve("servers")))) {
            System.out.println("Starting Cassandra, HBase, transaction managers and clients.");
            List<CommandedProcess> all = cluster.start();
            measure(KeyValueCluster.YCSB, all.stream().filter(client -> KeyValueCluster.ON_CASSANDRA.contains(client.name())).toList(), turns);
            measure(KeyValueCluster.TPCC, all, turns);
            System.out.println("Checking TPC-C's consistency conditions.");
            for (CommandedProcess client : all) {
                conditions.put(client.name(), client.command("check " + words(KeyValueCluster.TPCC)));
            }
        }
        PH1Summary summary = new PH1Summary(turns, conditions, warmUpSeconds >= WARM_SECONDS);
        System.out.println();
        System.out.print(summary.text());
        violated = summary.isViolated();
        PH1Results.write(out, machine, this, turns, summary);
    }

    private void measure(String workload, List<CommandedProcess> clients, List<Turn> turns) throws IOException {
        for (CommandedProcess client : clients) {
            System.out.println("Loading the tables of " + workload + " for " + client.name() + ", and warming up.");
            client.command("load " + words(workload));
            turn(workload, client, 0, warmUpSeconds);
        }
        for (int round = 1; round <= rounds; round++) {
            for (CommandedProcess client : Rounds.inTurn(round, clients)) {
                Turn turn = turn(workload, client, round, seconds);
                turns.add(turn);
                System.out.printf(Locale.ROOT, "  %2d of %d  %-5s %-10s %,8.0f/s, aborts %.1f%%%n", round, rounds, workload, client.name(), turn.perSecond(),
                        100 * turn.abortShare());
            }
        }
    }

    private Turn turn(String workload, CommandedProcess client, int round, double length) throws IOException {
        Rounds.sleep(pauseSeconds);
        client.command("start " + words(workload) + " " + threads);
        Rounds.sleep(settleSeconds);
        client.command("record");
        long nanos = System.nanoTime();
        Rounds.sleep(length);
        nanos = System.nanoTime() - nanos;
        List<Figures> kinds = client.command("stop").stream().map(Figures::parse).toList();
        if (kinds.isEmpty()) {
            throw new IOException(client.name() + " has ended no transaction: see " + client.process().log() + ".");
        }
        return new Turn(workload, client.name(), round, nanos / 1e9, kinds);
    }

    @Override
    protected String ownProblem() {
        if (rounds < 1 || threads < 1 || threads > 64) {
            return "--rounds must be at least 1, and --threads 1 to 64.";
        }
        if (!(seconds > 0) || !(settleSeconds >= 0) || !(warmUpSeconds > 0)) {
            return "The seconds must be positive.";
        }
        if (instances < 1 || instances > 5) {
            return "--instances must be 1 to 5.";
        }
        if (valueBytes < 1 || valueBytes > 10_000) {
            return "--value-bytes must be 1 to 10000.";
        }
        if (warehouses < 1 || customers < 3 || items < 1 || (long) warehouses * (Tpcc.DISTRICTS * customers + items) > 2_000_000) {
            return "--warehouses and --items must be at least 1, --customers at least 3, and all of them at most 2000000 rows.";
        }
        if (cassandraHeap < 384 || cassandraHeap > mostHeap()) {
            return "--cassandra-heap-mb must be 384 to " + mostHeap() + ".";
        }
        if (!Files.isDirectory(cassandra.resolve("lib"))) {
            return "Cassandra is not in " + cassandra + ": run `make bench-ph1`, which fetches it, or name its place by --cassandra.";
        }
        return peer.problem(true);
    }
}
