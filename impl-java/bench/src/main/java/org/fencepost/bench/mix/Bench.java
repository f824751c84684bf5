package org.fencepost.bench.mix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fencepost.bench.harness.Machine;
import org.fencepost.bench.harness.SlicedBenchmark;
import org.fencepost.bench.mix.Turn.Scene;
import org.fencepost.bench.peer.PeerOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures whole transactions on one HBase: HBase alone, Apache Omid in both modes, and ours, all in one run, by turns
 * (VLDB'18 sec. 5). Only ratios from one run mean anything on a machine that does other things too. See {@link Turns} for what is
 * measured when.
 */
@Command(name = "bench", sortOptions = false, description = "Measures transactions on HBase beside native HBase and Apache Omid.")
final class Bench extends SlicedBenchmark {

    @Mixin
    private PeerOptions peer;

    @Option(names = "--out", defaultValue = "target/bench", paramLabel = "DIR", description = "For results and logs. Default: ${DEFAULT-VALUE}.")
    Path out;

    @Option(names = "--systems", split = ",", defaultValue = "native,omid-default,omid-ll,ll,one-phase,fp,2pc,fragola", paramLabel = "NAME",
            description = "Which to measure. Default: ${DEFAULT-VALUE}.")
    List<String> systems;

    @Option(names = "--workloads", split = ",", defaultValue = "A,B,C,F,RANDOM,BRWC,SPARSE,WRITES", paramLabel = "NAME",
            description = "YCSB core A, B, C, F; the paper's random mix and BRWC; the mix among as many keys as the paper has, few of which exist; single updates alone. "
                    + "Default: ${DEFAULT-VALUE}.")
    List<Workload> workloads;

    @Option(names = "--threads", split = ",", defaultValue = "1,8,32", paramLabel = "N", description = "Of the client. Default: ${DEFAULT-VALUE}.")
    List<Integer> threads;

    @Option(names = "--background", split = ",", defaultValue = "100000,300000,500000", paramLabel = "TPS",
            description = "RANDOM is run again with so much load on the transaction manager. 0: not. Default: ${DEFAULT-VALUE}.")
    List<Integer> backgrounds;

    @Option(names = "--rounds", defaultValue = "4", description = "Turns of each workload, systems alternating. Default: ${DEFAULT-VALUE}.")
    int rounds;

    @Option(names = "--profile-seconds", defaultValue = "3", description = "At the end, and not counted, turns of so long show where the CPU time goes, by "
            + "async-profiler. 0: none. Default: ${DEFAULT-VALUE}.")
    double profileSeconds;

    @Option(names = "--from", paramLabel = "DIR", description = "Measures nothing, and writes the reports of an earlier run again, from its bench.csv and bench.json.")
    Path from;

    Bench() {
        seconds = 1.5;
        settleSeconds = 0.3;
        pauseSeconds = 0.1;
        warmUpSeconds = 480;
        keys = 100_000;
        valueBytes = 2048;
        heapMegabytes = 12_288; // each system's data in the block cache: what is missing there costs garbage, 64 kB a read
    }

    public static void main(String[] arguments) {
        System.exit(new Bench().command().execute(arguments));
    }

    @Override
    protected void run(Machine machine) throws IOException {
        if (from != null) {
            EarlierRun run = EarlierRun.read(from);
            report(run.machine(), run.settings(), run.turns(), run.profile());
            return;
        }
        List<Turn> turns = new ArrayList<>();
        Profile whereTimeWent = new Profile();
        try (BenchCluster cluster = new BenchCluster(this, peer, valueBytes, systems, profileSeconds > 0, Files.createDirectories(out.resolve("servers")))) {
            System.out.println("Starting HBase, transaction managers and clients.");
            cluster.start();
            for (ContenderProcess contender : cluster.contenders()) {
                System.out.println("Loading the table of " + contender.system() + ".");
                contender.load(keys);
            }
            new Turns(this, cluster, whereTimeWent).run(turns);
        } finally {
            if (!turns.isEmpty()) { // what was measured before something failed is not lost
                report(machine, settings("rounds", rounds, "conflictTableSize", peer.conflictEntries, "profileSeconds", profileSeconds), turns, whereTimeWent);
            }
        }
    }

    private void report(Machine machine, String settings, List<Turn> turns, Profile whereTimeWent) throws IOException {
        BenchSummary summary = new BenchSummary(turns);
        System.out.println();
        System.out.print(summary.text());
        System.out.print(whereTimeWent.text());
        BenchResults.write(out, machine, settings, turns, summary, whereTimeWent);
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

    /** Those of the goals, as far as only the systems are busy there. */
    List<Scene> profiled() {
        return profileSeconds == 0 ? List.of() : scenes().stream().filter(BenchSummary::isOfGoal).toList();
    }

    @Override
    protected String ownProblem() {
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
        if (rounds < 1) {
            return "--rounds must be at least 1.";
        }
        if (profileSeconds < 0 || profileSeconds > Turns.MOST_SECONDS / 2) {
            return "--profile-seconds is 0 to " + (int) (Turns.MOST_SECONDS / 2) + ".";
        }
        return peer.problem(from == null && systems.stream().anyMatch(List.of(BenchCluster.OMID_LL, BenchCluster.OMID_DEFAULT)::contains));
    }
}
