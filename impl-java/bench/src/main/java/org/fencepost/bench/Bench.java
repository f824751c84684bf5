package org.fencepost.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.fencepost.bench.Turn.Scene;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures whole transactions on one HBase: HBase alone, Apache Omid in both modes, and ours, all in one run, by turns
 * (VLDB'18 sec. 5). Only ratios from one run mean anything on a machine that does other things too. See {@link Turns} for what is
 * measured when.
 */
@Command(name = "bench", sortOptions = false, description = "Measures transactions on HBase beside native HBase and Apache Omid.")
final class Bench extends Benchmark {

    @Option(names = "--out", defaultValue = "target/bench", paramLabel = "DIR", description = "For results and logs. Default: ${DEFAULT-VALUE}.")
    Path out;

    @Option(names = "--peer", defaultValue = "impl-java/bench-peer/target/lib", paramLabel = "DIR",
            description = "Apache Omid and its libraries. Default: ${DEFAULT-VALUE}.")
    Path peerLibraries;

    @Option(names = "--systems", split = ",", defaultValue = "native,omid-default,omid-ll,ll,fp,2pc", paramLabel = "NAME",
            description = "Which to measure. Default: ${DEFAULT-VALUE}.")
    List<String> systems;

    @Option(names = "--workloads", split = ",", defaultValue = "A,B,C,F,RANDOM,BRWC", paramLabel = "NAME",
            description = "YCSB core A, B, C, F; the paper's random mix and BRWC. Default: ${DEFAULT-VALUE}.")
    List<Workload> workloads;

    @Option(names = "--threads", split = ",", defaultValue = "1,8,32", paramLabel = "N", description = "Of the client. Default: ${DEFAULT-VALUE}.")
    List<Integer> threads;

    @Option(names = "--background", split = ",", defaultValue = "100000,300000", paramLabel = "TPS",
            description = "RANDOM is run again with so much load on the transaction manager. 0: not. Default: ${DEFAULT-VALUE}.")
    List<Integer> backgrounds;

    @Option(names = "--rounds", defaultValue = "5", description = "Turns of each workload, systems alternating. Default: ${DEFAULT-VALUE}.")
    int rounds;

    @Option(names = "--seconds", defaultValue = "1.5", description = "Length of a turn. Default: ${DEFAULT-VALUE}.")
    double seconds;

    @Option(names = "--settle-seconds", defaultValue = "0.3", description = "Before a turn counts. Default: ${DEFAULT-VALUE}.")
    double settleSeconds;

    @Option(names = "--pause-seconds", defaultValue = "0.1", description = "Between turns. Default: ${DEFAULT-VALUE}.")
    double pauseSeconds;

    @Option(names = "--warm-up-seconds", defaultValue = "240", description = "At the start, for all systems together. Default: ${DEFAULT-VALUE}.")
    double warmUpSeconds;

    @Option(names = "--keys", defaultValue = "100000", description = "In each table. Default: ${DEFAULT-VALUE}.")
    int keys;

    @Option(names = "--value-bytes", defaultValue = "2048", description = "Size of each value. Default: ${DEFAULT-VALUE}, as the paper's.")
    int valueBytes;

    @Option(names = "--conflict-table-size", defaultValue = "8388608", description = "Cells in Apache Omid's. Default: ${DEFAULT-VALUE}.")
    int conflictEntries;

    @Option(names = "--heap-mb", defaultValue = "4096", description = "Of HBase. Default: ${DEFAULT-VALUE}.")
    int heapMegabytes;

    @Option(names = "--replicas", defaultValue = "3", description = "DataNodes of HDFS; each has all data. Default: ${DEFAULT-VALUE}, as HDFS's.")
    int replicas;

    @Option(names = "--jvm", paramLabel = "OPTION", description = "Another option of HBase's JVM.")
    List<String> jvmArguments = new ArrayList<>();

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Prints this.")
    boolean help;

    public static void main(String[] arguments) {
        System.exit(new Bench().command().execute(arguments));
    }

    @Override
    void run(Machine machine) throws IOException {
        List<Turn> turns;
        try (BenchCluster cluster = new BenchCluster(this, Files.createDirectories(out.resolve("servers")))) {
            System.out.println("Starting HBase, transaction managers and clients.");
            cluster.start();
            for (ContenderProcess contender : cluster.contenders()) {
                System.out.println("Loading the table of " + contender.system() + ".");
                contender.load(keys);
            }
            turns = new Turns(this, cluster).run();
        }
        BenchSummary summary = new BenchSummary(turns);
        System.out.println();
        System.out.print(summary.text());
        BenchResults.write(out, machine, this, turns, summary);
    }

    /** All that is measured in a round. */
    List<Scene> scenes() {
        List<Scene> scenes = new ArrayList<>();
        for (int count : threads) {
            workloads.forEach(workload -> scenes.add(new Scene(workload, count, 0)));
            if (workloads.contains(Workload.RANDOM)) {
                backgrounds.stream().filter(tps -> tps > 0).forEach(tps -> scenes.add(new Scene(Workload.RANDOM, count, tps)));
            }
        }
        return scenes;
    }

    List<String> hbaseJvm() {
        return Stream.concat(Stream.of("-Xms" + heapMegabytes + "m", "-Xmx" + heapMegabytes + "m"), jvmArguments.stream()).toList();
    }

    @Override
    String problem() {
        for (String system : systems) {
            if (!BenchCluster.NAMES.contains(system)) {
                return "--systems knows " + String.join(", ", BenchCluster.NAMES) + ", not '" + system + "'.";
            }
        }
        for (List<?> list : List.of(systems, workloads, threads, backgrounds)) {
            if (list.stream().distinct().count() < list.size()) {
                return "--systems, --workloads, --threads and --background name each once.";
            }
        }
        if (threads.stream().anyMatch(count -> count < 1 || count > 64)) {
            return "--threads are 1 to 64.";
        }
        if (backgrounds.stream().anyMatch(tps -> tps < 0 || tps > 2_000_000)) {
            return "--background is 0 to 2000000 transactions per second.";
        }
        if (rounds < 1 || seconds <= 0 || settleSeconds < 0 || pauseSeconds < 0 || warmUpSeconds <= 0) {
            return "--rounds and the seconds must be positive.";
        }
        if (keys < 100 || keys > 10_000_000) {
            return "--keys must be 100 to 10000000.";
        }
        if (valueBytes < 1 || valueBytes > 100_000) {
            return "--value-bytes must be 1 to 100000.";
        }
        if (conflictEntries < 1 << 16 || conflictEntries > 1 << 26) {
            return "--conflict-table-size must be " + (1 << 16) + " to " + (1 << 26) + ".";
        }
        if (replicas < 1 || replicas > 5) {
            return "--replicas must be 1 to 5.";
        }
        if (heapMegabytes < 512) {
            return "--heap-mb must be at least 512.";
        }
        if (systems.stream().anyMatch(List.of(BenchCluster.OMID_LL, BenchCluster.OMID_DEFAULT)::contains) && !Files.isDirectory(peerLibraries)) {
            return "Apache Omid is not in " + peerLibraries + ": run `make bench`, which fetches it, or name its place by --peer.";
        }
        return null;
    }
}
