package org.fencepost.bench.tm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fencepost.bench.harness.Benchmark;
import org.fencepost.bench.harness.Machine;
import org.fencepost.bench.load.Scenario;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures transaction managers alone, as VLDB'18 sec. 5.1.2 stresses its own: one server on one core, a load generator on
 * another, begin and commit requests over loopback. Ours beside Apache Omid's TSO, in one run, by turns; only ratios from
 * one run mean anything on a machine that does other things too. See {@link Runner} for what is measured when.
 */
@Command(name = "bench-tm", sortOptions = false, description = "Measures the transaction manager beside Apache Omid's.")
final class BenchTm extends Benchmark {

    @Option(names = "--out", defaultValue = "target/bench-tm", paramLabel = "DIR", description = "For results and logs. Default: ${DEFAULT-VALUE}.")
    Path out;

    @Option(names = "--peer", defaultValue = "impl-java/bench-peer/target/lib", paramLabel = "DIR",
            description = "Apache Omid's TSO and its libraries. Default: ${DEFAULT-VALUE}.")
    Path peerLibraries;

    @Option(names = "--systems", split = ",", defaultValue = "fencepost,omid-ll,omid-default", paramLabel = "NAME",
            description = "Which to measure. Default: ${DEFAULT-VALUE}.")
    List<String> systems;

    @Option(names = "--write-sets", split = ",", defaultValue = "1,10,100", paramLabel = "CELLS", description = "Default: ${DEFAULT-VALUE}.")
    List<Integer> writeSets;

    @Option(names = "--conflicts", split = ",", defaultValue = "0,10", paramLabel = "PERCENT",
            description = "Of the transactions that must meet a conflict, 0 to 50. Default: ${DEFAULT-VALUE}.")
    List<Integer> conflicts;

    @Option(names = "--pairs", defaultValue = "5", description = "Runs of each kind, systems by turns. Default: ${DEFAULT-VALUE}.")
    int pairs;

    @Option(names = "--seconds", defaultValue = "1.5", description = "Length of each run. Default: ${DEFAULT-VALUE}.")
    double seconds;

    @Option(names = "--settle-seconds", defaultValue = "0.3", description = "Of each run before it counts. Default: ${DEFAULT-VALUE}.")
    double settleSeconds;

    @Option(names = "--warm-up-seconds", defaultValue = "20", description = "For each system, at the start. Default: ${DEFAULT-VALUE}.")
    double warmUpSeconds;

    @Option(names = "--connections", defaultValue = "4", description = "Of the generator. Default: ${DEFAULT-VALUE}.")
    int connections;

    @Option(names = "--outstanding", defaultValue = "2000", description = "Transactions under way at saturation. Default: ${DEFAULT-VALUE}.")
    int outstanding;

    @Option(names = "--conflict-table-size", defaultValue = "8388608", description = "Cells in each system's. Default: ${DEFAULT-VALUE}.")
    int conflictEntries;

    @Option(names = "--server-core", defaultValue = "0", description = "Default: ${DEFAULT-VALUE}.")
    int serverCore;

    @Option(names = "--generator-core", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
    int generatorCore;

    @Option(names = "--heap-mb", defaultValue = "2048", description = "Of each server. Default: ${DEFAULT-VALUE}.")
    int heapMegabytes;

    @Option(names = "--jvm", paramLabel = "OPTION", description = "Another option of each server's JVM.")
    List<String> jvmArguments = new ArrayList<>();

    @Option(names = "--omid", paramLabel = "'KEY: VALUE'", description = "Another line of Apache Omid's configuration, otherwise as shipped.")
    List<String> omidSettings = new ArrayList<>();

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Prints this.")
    boolean help;

    public static void main(String[] arguments) {
        System.exit(new BenchTm().command().execute(arguments));
    }

    @Override
    protected void run(Machine machine) throws IOException {
        pin(generatorCore);
        Path logs = Files.createDirectories(out.resolve("servers"));
        List<Measurement> results;
        try (Servers servers = new Servers(this, logs)) {
            List<Servers.Target> targets = new ArrayList<>();
            for (String system : systems) {
                System.out.println("Starting " + system + ".");
                targets.add(servers.start(system));
            }
            results = new Runner(this, targets).run(scenarios());
        }
        Summary summary = new Summary(results, scenarios(), systems);
        System.out.println();
        System.out.print(summary.text());
        Results.write(out, machine, this, results, summary);
    }

    private List<Scenario> scenarios() {
        return writeSets.stream().flatMap(cells -> conflicts.stream().map(percent -> new Scenario(cells, percent))).toList();
    }

    @Override
    protected String problem() {
        for (String system : systems) {
            if (!Servers.NAMES.contains(system)) {
                return "--systems knows " + String.join(", ", Servers.NAMES) + ", not '" + system + "'.";
            }
        }
        if (systems.stream().distinct().count() < systems.size()) {
            return "--systems names each system once.";
        }
        if (writeSets.stream().anyMatch(cells -> cells < 1 || cells > 600)) {
            return "--write-sets are of 1 to 600 cells: Apache Omid's frames hold no more.";
        }
        if (conflicts.stream().anyMatch(percent -> percent < 0 || percent > 50)) {
            return "--conflicts are of 0 to 50 percent.";
        }
        if (pairs < 1 || seconds <= 0 || settleSeconds < 0 || warmUpSeconds <= 0) {
            return "--pairs and the seconds must be positive.";
        }
        if (connections < 1 || outstanding < 2 * connections) {
            return "--outstanding must be at least 2 for each of the --connections.";
        }
        if (conflictEntries < 1 << 16 || conflictEntries > 1 << 26) {
            return "--conflict-table-size must be " + (1 << 16) + " to " + (1 << 26) + ".";
        }
        if (heapMegabytes < 256) {
            return "--heap-mb must be at least 256.";
        }
        int cores = Machine.countCores();
        if (serverCore == generatorCore || serverCore < 0 || generatorCore < 0 || serverCore >= cores || generatorCore >= cores) {
            return "--server-core and --generator-core must be two of this machine's " + cores + " cores, from 0 on.";
        }
        if (systems.stream().anyMatch(system -> !system.equals(Servers.FENCEPOST)) && !Files.isDirectory(peerLibraries)) {
            return "Apache Omid is not in " + peerLibraries + ": run `make bench-tm`, which fetches it, or name its place by --peer.";
        }
        return null;
    }

    private static void pin(int core) throws IOException {
        Process taskset = new ProcessBuilder("taskset", "-acp", Integer.toString(core), Long.toString(ProcessHandle.current().pid()))
                .redirectErrorStream(true).start();
        taskset.getInputStream().readAllBytes();
        try {
            if (taskset.waitFor() != 0) {
                throw new IOException("taskset could not keep the generator on core " + core + ".");
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
