package org.fencepost.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.fencepost.bench.Operation.Kind;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures single-key transactions on the fast path beside HBase's own puts and gets and beside regular transactions, and
 * what the fast path costs longer ones (VLDB'18 sec. 5.2): all in one run, on one HBase, by turns. Only ratios from one run
 * mean anything on a machine that does other things too. See {@link FpRunner} for what is measured when.
 */
@Command(name = "bench-fp", sortOptions = false, description = "Measures the fast path beside HBase's own operations and regular transactions.")
final class BenchFp extends Benchmark {

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

    @Option(names = "--seconds", defaultValue = "0.15", description = "Length of a slice. Default: ${DEFAULT-VALUE}.")
    double seconds;

    @Option(names = "--settle-seconds", defaultValue = "0.05", description = "Before a slice counts. Default: ${DEFAULT-VALUE}.")
    double settleSeconds;

    @Option(names = "--pause-seconds", defaultValue = "0.03", description = "Between slices. Default: ${DEFAULT-VALUE}.")
    double pauseSeconds;

    @Option(names = "--warm-up-seconds", defaultValue = "40", description = "At the start, for all operations together. Default: ${DEFAULT-VALUE}.")
    double warmUpSeconds;

    @Option(names = "--keys", defaultValue = "10000", description = "In each table. Default: ${DEFAULT-VALUE}.")
    int keys;

    @Option(names = "--value-bytes", defaultValue = "2048", description = "Size of each value. Default: ${DEFAULT-VALUE}, as the paper's.")
    int valueBytes;

    @Option(names = "--heap-mb", defaultValue = "3072", description = "Of HBase. Default: ${DEFAULT-VALUE}.")
    int heapMegabytes;

    @Option(names = "--replicas", defaultValue = "3", description = "DataNodes of HDFS; each has all data. Default: ${DEFAULT-VALUE}, as HDFS's.")
    int replicas;

    @Option(names = "--jvm", paramLabel = "OPTION", description = "Another option of HBase's JVM.")
    List<String> jvmArguments = new ArrayList<>();

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Prints this.")
    boolean help;

    public static void main(String[] arguments) {
        System.exit(new BenchFp().command().execute(arguments));
    }

    @Override
    void run(Machine machine) throws IOException {
        List<Slice> slices;
        try (FpCluster cluster = new FpCluster(Files.createDirectories(out.resolve("servers")))) {
            System.out.println("Starting HBase and the transaction manager.");
            cluster.start(hbaseJvm(), replicas);
            FpOperations operations = new FpOperations(cluster, keys, valueBytes);
            System.out.println("Loading 5 tables.");
            operations.load();
            slices = new FpRunner(this, cluster, operations.all()).run();
        }
        FpSummary summary = new FpSummary(slices);
        System.out.println();
        System.out.print(summary.text());
        FpResults.write(out, machine, this, slices, summary);
    }

    List<String> hbaseJvm() {
        return Stream.concat(Stream.of("-Xms" + heapMegabytes + "m", "-Xmx" + heapMegabytes + "m"), jvmArguments.stream()).toList();
    }

    @Override
    String problem() {
        if (threads.stream().anyMatch(count -> count < 1 || count > 16)) {
            return "--threads are 1 to 16: HBase has no more handlers here.";
        }
        if (threads.stream().distinct().count() < threads.size() || kinds.stream().distinct().count() < kinds.size()) {
            return "--threads and --kinds name each once.";
        }
        if (pairs < 1 || seconds <= 0 || settleSeconds < 0 || pauseSeconds < 0 || warmUpSeconds <= 0) {
            return "--pairs and the seconds must be positive.";
        }
        if (keys < 100 || keys > 100_000) {
            return "--keys must be 100 to 100000.";
        }
        if (valueBytes < 1 || valueBytes > 100_000) {
            return "--value-bytes must be 1 to 100000.";
        }
        if (replicas < 1 || replicas > 5) {
            return "--replicas must be 1 to 5.";
        }
        if (heapMegabytes < 512) {
            return "--heap-mb must be at least 512.";
        }
        return null;
    }
}
