package org.fencepost.clustertest;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.fencepost.audit.text.Json;
import org.fencepost.clustertest.client.Target;
import org.fencepost.clustertest.nemesis.Cluster;
import org.fencepost.clustertest.nemesis.LocalCluster;
import org.fencepost.clustertest.nemesis.Nemesis;
import org.fencepost.clustertest.nemesis.ScriptCluster;
import org.fencepost.clustertest.verdict.Op;
import org.fencepost.clustertest.verdict.Plots;
import org.fencepost.clustertest.verdict.TraceVerdict;
import org.fencepost.clustertest.verdict.Verdict;
import org.fencepost.clustertest.workload.Paths;
import org.fencepost.clustertest.workload.Workload;
import org.fencepost.clustertest.workload.Workloads;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs a workload on a cluster under faults, and judges what came of it. */
@Command(name = "cluster-test", sortOptions = false, usageHelpWidth = 110,
        description = "Runs a workload on a real cluster while faults strike, and judges the history.",
        footer = {"", "Exit code: 0 valid; 1 invalid; 4 unknown, with the reason; 2 nothing was run."})
public final class ClusterTest implements Callable<Integer> {

    private static final String NODES = "nodes";

    @Option(names = "--workload", defaultValue = "list-append-mixed", paramLabel = "NAME", description = "what clients do (default: ${DEFAULT-VALUE}); --list shows them all")
    private String workload;

    @Option(names = "--nemesis", defaultValue = "none", paramLabel = "NAME", description = "which faults strike (default: ${DEFAULT-VALUE})")
    private String nemesis;

    @Option(names = "--time", defaultValue = "60", paramLabel = "SECONDS", description = "of load (default: ${DEFAULT-VALUE})")
    private int seconds;

    @Option(names = "--threads", defaultValue = "8", paramLabel = "N", description = "client threads (default: ${DEFAULT-VALUE})")
    private int threads;

    @Option(names = "--rate", defaultValue = "200", paramLabel = "N", description = "operations per second, of all threads; 0: as many as they can (default: ${DEFAULT-VALUE})")
    private int rate;

    @Option(names = "--timeout", defaultValue = "5000", paramLabel = "MS", description = "of each request (default: ${DEFAULT-VALUE})")
    private int timeout;

    @Option(names = "--seed", paramLabel = "N", description = "of the operations and of the faults (default: the time)")
    private Long seed;

    @Option(names = "--ask", paramLabel = "PATH=TIMES", description = "how often a path must be taken at least for a verdict, where it is another number than the workload's"
            + " own; may be repeated")
    private Map<String, Integer> asked = Map.of();

    @Option(names = "--local", description = "in place of a cluster: HBase in one process, two transaction managers, and for Mediator's workloads"
            + " three bookies, started for this run")
    private boolean local;

    @Option(names = "--cluster", defaultValue = "cluster/cluster", paramLabel = "FILE", description = "the command of the cluster (default: ${DEFAULT-VALUE})")
    private Path cluster;

    @Option(names = "--specs", defaultValue = "specs", paramLabel = "FOLDER", description = "which traces are checked against (default: ${DEFAULT-VALUE})")
    private Path specs;

    @Option(names = "--out", defaultValue = "target/cluster-test", paramLabel = "FOLDER", description = "for the results, in a folder of their own (default: ${DEFAULT-VALUE})")
    private Path out;

    @Option(names = "--check", description = "see whether this could be run as it is asked for, and exit: 0 if so, 2 if not")
    private boolean check;

    @Option(names = "--list", description = "list workloads and faults, and exit")
    private boolean list;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this and exit")
    private boolean help;

    private final PrintStream console = System.out;
    private final Target target;

    /** Of our own system. */
    public ClusterTest() {
        this(Target.FENCEPOST);
    }

    public ClusterTest(Target target) {
        this.target = target;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (list) {
            console.println("Workloads: " + Workloads.names() + ".\nFaults: " + Nemesis.names() + ".");
            return 0;
        }
        Workload chosen = Workloads.named(workload);
        target.requireCan(chosen);
        Nemesis.requireKnown(nemesis);
        if (chosen.isPH1() && Nemesis.isOfHBase(nemesis)) {
            throw new IllegalArgumentException("The nemesis " + nemesis + " strikes HBase, on which pH1's workloads do not run.");
        }
        if (local && chosen.isPH1()) {
            throw new IllegalArgumentException("--local has no Cassandra: leave it out for pH1's workloads.");
        }
        if (seconds < 1 || threads < 1 || rate < 0 || timeout < 1) {
            throw new IllegalArgumentException("Time, threads and timeout must be at least 1, and the rate must not be negative.");
        }
        if (check) {
            return 0;
        }
        Path folder = out.resolve(LocalDateTime.now().format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss")) + "-" + workload + "-" + nemesis);
        Files.createDirectories(folder);
        Runner.Options options = new Runner.Options(nemesis, seconds, threads, rate, timeout, seed == null ? System.currentTimeMillis() : seed, folder);
        Paths paths = new Paths();
        Runner.Outcome outcome;
        if (local) {
            console.println("Starting HBase and transaction managers, which takes half a minute ...");
        }
        try (Cluster where = local ? new LocalCluster(folder.resolve("local"), chosen.isMediators()) : new ScriptCluster(cluster)) {
            console.printf("%s: %s under %s for %d s, %d threads, seed %d%n", target, workload, nemesis, seconds, threads, options.seed());
            outcome = new Runner(target, where, chosen, options, paths, console).run();
            where.collectLogs(folder.resolve(NODES));
        } catch (IOException e) {
            console.println("Unknown, the run broke off: " + String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString()));
            return Verdict.Kind.UNKNOWN.exitCode;
        }
        Judgement judgement = Judgement.of(chosen, outcome.history(), folder);
        chosen.counts(outcome.history()).forEach(paths::add);
        if (target.isTraced() || !outcome.traces().isEmpty()) {
            judgement.add("traces", TraceVerdict.of(outcome.traces(), target.isTraced() ? folder.resolve(NODES) : null, specs, folder.resolve("trace-check")));
        }
        judgement.add("final reads", Verdict.unknownFor(outcome.missing(), "complete"));
        judgement.add("paths", Verdict.unknownFor(paths.tooSeldom(asks(chosen)), "each that the workload is about was taken as often as asked"));
        write(folder, outcome, judgement, options, paths);
        return judgement.kind().exitCode;
    }

    /** The workload's and the nemesis's own numbers are for a minute. */
    private Map<String, Integer> asks(Workload chosen) {
        Map<String, Integer> asks = target.asks(chosen);
        Nemesis.asks(nemesis).forEach((path, times) -> asks.merge(path, times, Math::max));
        Map<String, Integer> within = Paths.within(seconds, asks);
        within.putAll(asked);
        return within;
    }

    private void write(Path folder, Runner.Outcome outcome, Judgement judgement, Runner.Options options, Paths paths) throws IOException {
        String title = workload + " under " + nemesis + ", seed " + options.seed();
        Files.writeString(folder.resolve("latency.svg"), Plots.latency(outcome.history(), title));
        Files.writeString(folder.resolve("throughput.svg"), Plots.throughput(outcome.history(), title));
        Map<String, Object> results = new LinkedHashMap<>();
        results.put("valid", judgement.kind().json());
        results.put("system", target.toString());
        results.put("judged", Workloads.named(workload).judged());
        results.put("local", local);
        results.put("broken", BrokenBuild.guardMissingHere());
        results.put("workload", workload);
        results.put("nemesis", nemesis);
        results.put("seed", options.seed());
        results.put("seconds", Math.round(outcome.seconds()));
        results.put("operations", outcome.history().stream().filter(op -> op.isClient() && op.type() == Op.Type.invoke).count());
        results.put("paths", paths.taken());
        results.put("asked", asks(Workloads.named(workload)));
        results.put("verdicts", judgement.json());
        Files.writeString(folder.resolve("results.json"), Json.write(results) + "\n");
        console.println();
        paths.taken().forEach((path, times) -> console.printf("  %,9d  %s%n", times, path));
        console.println();
        console.print(judgement.text());
        console.printf("%n%s: %s (%s)%n", title, judgement.kind(), folder);
    }
}
