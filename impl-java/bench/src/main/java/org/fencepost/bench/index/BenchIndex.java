package org.fencepost.bench.index;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fencepost.bench.harness.Machine;
import org.fencepost.bench.harness.SlicedBenchmark;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures what VLDB'18 section 6 costs: writers while an index of their table is built, beside before; rows that a build populates each second, beside a plain copy
 * of the table; a scan that excludes what its transaction has written since a checkpoint, beside a plain one; and a scan that region servers decide beside one
 * that the client does, of rows with 10 versions. All in one run, on one HBase, by turns: see {@link IndexRunner}.
 */
@Command(name = "bench-index", sortOptions = false, description = "Measures builds of indexes, checkpoints, and reads that region servers decide.")
final class BenchIndex extends SlicedBenchmark {

    @Option(names = "--out", defaultValue = "target/bench-index", paramLabel = "DIR", description = "For results and logs. Default: ${DEFAULT-VALUE}.")
    Path out;

    @Option(names = "--threads", defaultValue = "4", paramLabel = "N", description = "That write. Default: ${DEFAULT-VALUE}.")
    int threads;

    @Option(names = "--pairs", defaultValue = "12", description = "Slices of each operation, by turns. Default: ${DEFAULT-VALUE}.")
    int pairs;

    BenchIndex() {
        seconds = 1;
        settleSeconds = 0.2;
        pauseSeconds = 0.05;
        warmUpSeconds = 60;
        keys = 100_000;
        valueBytes = 100;
        heapMegabytes = 3072;
    }

    public static void main(String[] arguments) {
        System.exit(new BenchIndex().command().execute(arguments));
    }

    @Override
    protected void run(Machine machine) throws IOException {
        List<IndexSlice> slices;
        try (IndexCluster cluster = new IndexCluster(Files.createDirectories(out.resolve("servers")))) {
            System.out.println("Starting HBase and the transaction manager.");
            cluster.start(hbaseJvm(), replicas);
            System.out.println("Loading 3 tables.");
            cluster.load(keys, new byte[valueBytes]);
            slices = new IndexRunner(this, cluster).run();
        }
        IndexSummary summary = new IndexSummary(slices);
        System.out.println();
        System.out.print(summary.text());
        IndexResults.write(out, machine, this, slices, summary);
    }

    @Override
    protected String ownProblem() {
        if (threads < 1 || threads > 16) {
            return "--threads must be 1 to 16: HBase has no more handlers here.";
        }
        if (pairs < 1) {
            return "--pairs must be at least 1.";
        }
        return null;
    }
}
