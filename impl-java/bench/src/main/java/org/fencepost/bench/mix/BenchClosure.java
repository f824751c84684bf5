package org.fencepost.bench.mix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.fencepost.bench.harness.HBaseBenchmark;
import org.fencepost.bench.harness.Json;
import org.fencepost.bench.harness.Machine;
import org.fencepost.bench.harness.ResultFiles;
import org.fencepost.bench.harness.Rounds;
import org.fencepost.bench.harness.Spread;
import org.fencepost.bench.harness.Svg;
import org.fencepost.bench.peer.PeerOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the checkpoints of VLDB'18 section 6.2 beside those of Apache Omid: how long ten statements of a {@link Closure} and the commit take, by turns on
 * one HBase. Each run is counted in the end, so that one that has missed an edge, or has seen its own inserts, is no figure but a failure.
 */
@Command(name = "bench-closure", sortOptions = false, description = "Measures the transitive closure of a graph by statements between checkpoints, beside Apache Omid.")
final class BenchClosure extends HBaseBenchmark {

    @Mixin
    private PeerOptions peer;

    @Option(names = "--out", defaultValue = "target/bench-closure", paramLabel = "DIR", description = "For results and logs. Default: ${DEFAULT-VALUE}.")
    Path out;

    @Option(names = "--pairs", defaultValue = "6", description = "Closures of each system, by turns, in the opposite order in every second pair. Default: ${DEFAULT-VALUE}.")
    int pairs;

    @Option(names = "--warm-up-pairs", defaultValue = "2", description = "Before those, which do not count. Default: ${DEFAULT-VALUE}.")
    int warmUpPairs;

    @Option(names = "--chains", defaultValue = "1000", description = "Of eleven edges each, of the --keys edges; the others are single. Default: ${DEFAULT-VALUE}.")
    int chains;

    private static final List<String> SYSTEMS = List.of(BenchCluster.OMID_LL, BenchCluster.LEVELS);
    private static final int LABELS = 240;
    private static final int PANEL = 420;
    private static final int ROW = 18;

    /** @param pair 1, 2, ...: those with the same number were run one after the other */
    private record Run(String system, int pair, double seconds) {
    }

    BenchClosure() {
        pauseSeconds = 1;
        keys = 100_000;
        heapMegabytes = 4096;
    }

    public static void main(String[] arguments) {
        System.exit(new BenchClosure().command().execute(arguments));
    }

    @Override
    protected void run(Machine machine) throws IOException {
        List<Run> runs = new ArrayList<>();
        try (BenchCluster cluster = new BenchCluster(this, peer, 1, SYSTEMS, false, Files.createDirectories(out.resolve("servers")))) {
            System.out.println("Starting HBase, transaction managers and clients.");
            cluster.start();
            for (int pair = 1 - warmUpPairs; pair <= pairs; pair++) {
                for (ContenderProcess contender : Rounds.inTurn(pair + warmUpPairs, cluster.contenders())) {
                    Rounds.sleep(pauseSeconds);
                    double took = contender.close(pair + warmUpPairs, keys, chains) / 1e9;
                    System.out.printf(Locale.ROOT, "  %s %-8s %7.2f s%n", pair < 1 ? "warming up" : "pair " + pair, contender.system(), took);
                    if (pair >= 1) {
                        runs.add(new Run(contender.system(), pair, took));
                    }
                }
            }
        }
        report(machine, runs);
    }

    private void report(Machine machine, List<Run> runs) throws IOException {
        Spread ratio = Spread.of(of(runs, BenchCluster.LEVELS).mapToDouble(ours -> of(runs, BenchCluster.OMID_LL).filter(theirs -> theirs.pair == ours.pair).findFirst()
                .orElseThrow().seconds / ours.seconds));
        String found = String.format(Locale.ROOT, "Apache Omid low-latency takes %.2f (%.2f to %.2f) times as long as Omid LL here: %d statements over %,d edges, %,d in the end.",
                ratio.median(), ratio.lower(), ratio.upper(), Closure.STATEMENTS, keys, new Closure(0, keys, chains).closed());
        System.out.println("\n" + found);
        Svg svg = new Svg(LABELS + PANEL + 260, Svg.TOP + (SYSTEMS.size() + 1) * ROW, PANEL);
        svg.title("A transitive closure by ten statements between checkpoints: seconds", machine);
        Svg.Axis axis = svg.axis(LABELS, 1, 128);
        axis.draw("seconds: quartiles, median (dot)", List.of(1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0), List.of("1", "2", "4", "8", "16", "32", "64", "128"));
        int y = Svg.TOP + ROW;
        for (String system : SYSTEMS) {
            Spread spread = Spread.of(of(runs, system).mapToDouble(Run::seconds));
            boolean ours = system.equals(BenchCluster.LEVELS);
            svg.text(LABELS - 12, y, "end", ours ? "Omid LL here" : "Apache Omid low-latency");
            svg.range(axis.x(spread.lower()), axis.x(spread.median()), axis.x(spread.upper()), y, ours ? Svg.OURS : Svg.LL);
            svg.text(LABELS + PANEL + 12, y, "dim", String.format(Locale.ROOT, "%.2f", spread.median()));
            y += ROW;
        }
        ResultFiles.write(out, "bench-closure", machine, "system,pair,seconds",
                runs.stream().map(run -> List.of(run.system, Integer.toString(run.pair), Json.plain(run.seconds))).toList(),
                settings("pairs", pairs, "warmUpPairs", warmUpPairs, "chains", chains, "conflictTableSize", peer.conflictEntries),
                Map.of("ratio", Json.object("median", ratio.median(), "lowerQuartile", ratio.lower(), "upperQuartile", ratio.upper())), svg.end());
    }

    private static Stream<Run> of(List<Run> runs, String system) {
        return runs.stream().filter(run -> run.system.equals(system));
    }

    @Override
    protected String ownProblem() {
        if (pairs < 1) {
            return "--pairs must be at least 1.";
        }
        if (warmUpPairs < 0) {
            return "--warm-up-pairs must be at least 0.";
        }
        if (chains < 1 || chains > Closure.mostChains(keys)) {
            return "--chains must be 1 to " + Closure.mostChains(keys) + ", a part of the --keys edges.";
        }
        if (chains * 55L > 100_000) {
            return "--chains is at most 1818: the transaction manager takes 100000 keys of a transaction, and a chain has 55 new edges.";
        }
        return peer.problem(true);
    }
}
