package org.fencepost.bench.fastpath;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fencepost.bench.fastpath.Operation.Kind;
import org.fencepost.bench.harness.Machine;
import org.fencepost.bench.harness.SlicedBenchmark;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures single-key transactions on the fast path beside HBase's own puts and gets and beside regular transactions, and
 * what the fast path costs longer ones (VLDB'18 sec. 5.2): all in one run, on one HBase, by turns. Only ratios from one run
 * mean anything on a machine that does other things too. See {@link FpRunner} for what is measured when.
 */
@Command(name = "bench-fp", sortOptions = false, description = "Measures the fast path beside HBase's own operations and regular transactions.")
final class BenchFp extends SlicedBenchmark {

    static final int WARM_UP_ROUNDS = 4;

    @Option(names = "--out", defaultValue = "target/bench-fp", paramLabel = "DIR", description = "For results and logs. Default: ${DEFAULT-VALUE}.")
    Path out;

    @Option(names = "--kinds", split = ",", defaultValue = "WRITE,READ,READ_WRITE,FIVE,TEN", paramLabel = "KIND",
            description = "Which operations to compare. Default: ${DEFAULT-VALUE}.")
    List<Kind> kinds;

    @Option(names = "--threads", split = ",", defaultValue = "1,8", paramLabel = "N", description = "Of the client. Default: ${DEFAULT-VALUE}.")
    List<Integer> threads;

    @Option(names = "--pairs", defaultValue = "48", description = "Slices of each operation, systems by turns. Default: ${DEFAULT-VALUE}.")
    int pairs;

    BenchFp() {
        seconds = 0.15;
        settleSeconds = 0.05;
        pauseSeconds = 0.03;
        warmUpSeconds = 40;
        keys = 10_000;
        valueBytes = 2048;
        heapMegabytes = 3072;
    }

    public static void main(String[] arguments) {
        System.exit(new BenchFp().command().execute(arguments));
    }

    @Override
    protected void run(Machine machine) throws IOException {
        List<Slice> slices;
        List<Trips> trips;
        try (FpCluster cluster = new FpCluster(Files.createDirectories(out.resolve("servers")))) {
            System.out.println("Starting HBase and the transaction manager.");
            cluster.start(hbaseJvm(), replicas);
            FpOperations operations = new FpOperations(cluster, keys, valueBytes);
            System.out.println("Loading 6 tables.");
            operations.load();
            List<Operation> all = operations.all().stream().filter(operation -> kinds.contains(operation.kind())).toList();
            slices = new FpRunner(this, cluster, all).run();
            trips = Trips.count(cluster, all);
        }
        FpSummary summary = new FpSummary(slices, trips);
        System.out.println();
        System.out.print(summary.text());
        FpResults.write(out, machine, this, slices, summary);
    }

    @Override
    protected String ownProblem() {
        if (threads.stream().anyMatch(count -> count < 1 || count > 16)) {
            return "--threads are 1 to 16: HBase has no more handlers here.";
        }
        if (threads.stream().distinct().count() < threads.size() || kinds.stream().distinct().count() < kinds.size()) {
            return "--threads and --kinds name each once.";
        }
        if (pairs < 1) {
            return "--pairs must be at least 1.";
        }
        return null;
    }
}
