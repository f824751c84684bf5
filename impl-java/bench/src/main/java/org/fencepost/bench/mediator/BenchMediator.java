package org.fencepost.bench.mediator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fencepost.bench.harness.Machine;
import org.fencepost.bench.harness.SlicedBenchmark;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures native operations beside Mediator's transactions, against the same operations made transactions of Omid LL
 * (SYSTOR'14 sec. 5.2): all in one run, on one HBase, by turns. And what native operations cost on a table that is shared with
 * transactions. Only ratios from one run mean anything on a machine that does other things too. See {@link MixRunner} for what
 * is measured when.
 */
@Command(name = "bench-mediator", sortOptions = false, description = "Measures native operations beside Mediator's transactions.")
final class BenchMediator extends SlicedBenchmark {

    @Option(names = "--out", defaultValue = "target/bench-mediator", paramLabel = "DIR", description = "For results and logs. Default: ${DEFAULT-VALUE}.")
    Path out;

    @Option(names = "--sizes", split = ",", defaultValue = "1,4,20", paramLabel = "N", description = "Transactions have 1 to N operations. Default: ${DEFAULT-VALUE}.")
    List<Integer> sizes;

    @Option(names = "--gets", split = ",", defaultValue = "0,0.25,0.5,0.75,1", paramLabel = "SHARE", description = "Of all operations. Default: ${DEFAULT-VALUE}.")
    List<Double> gets;

    @Option(names = "--natives", split = ",", defaultValue = "0,0.25,0.5,0.75,1", paramLabel = "SHARE", description = "Of all operations. Default: ${DEFAULT-VALUE}.")
    List<Double> natives;

    @Option(names = "--threads", defaultValue = "8", description = "Of the client. Default: ${DEFAULT-VALUE}.")
    int threads;

    @Option(names = "--pairs", defaultValue = "14", description = "Slices of each mix, systems by turns. Default: ${DEFAULT-VALUE}.")
    int pairs;

    @Option(names = "--native-pairs", defaultValue = "48", description = "The same for native operations alone. Default: ${DEFAULT-VALUE}.")
    int nativePairs;

    @Option(names = "--bookies", defaultValue = "3", description = "Of BookKeeper; each has the whole log. Default: ${DEFAULT-VALUE}.")
    int bookies;

    @Option(names = "--bookies-sync", description = "Bookies acknowledge what is on the disk, which HBase's data nodes do not do by default. Default: not.")
    boolean bookiesSync;

    @Option(names = "--mediator", defaultValue = "impl-java/mediator/target", paramLabel = "DIR",
            description = "The transaction manager with BookKeeper, and its libraries. Default: ${DEFAULT-VALUE}.")
    Path mediator;

    BenchMediator() {
        seconds = 0.15;
        settleSeconds = 0.04;
        pauseSeconds = 0.03;
        warmUpSeconds = 180;
        keys = 10_000;
        valueBytes = 1024;
        heapMegabytes = 2560;
    }

    public static void main(String[] arguments) {
        System.exit(new BenchMediator().command().execute(arguments));
    }

    @Override
    protected void run(Machine machine) throws IOException {
        List<MixSlice> slices;
        try (MixCluster cluster = new MixCluster(Files.createDirectories(out.resolve("servers")), bookies, bookiesSync, mediator)) {
            System.out.println("Starting HBase, BookKeeper and the transaction manager.");
            cluster.start(hbaseJvm(), replicas);
            List<MixSystem> systems = MixSystem.all(cluster, keys, valueBytes);
            System.out.println("Loading 3 tables.");
            for (MixSystem system : systems) {
                system.load();
            }
            slices = new MixRunner(this, cluster, systems).run();
        }
        MixSummary summary = new MixSummary(slices);
        System.out.println();
        System.out.print(summary.text());
        MixResults.write(out, machine, this, slices, summary);
    }

    /** Transactions of one operation mean little; for them three shares of gets are enough. */
    List<Mix> mixes() {
        List<Mix> mixes = new ArrayList<>();
        for (int size : sizes) {
            for (double reads : gets) {
                for (double share : size == 1 && reads != 0 && reads != 0.5 && reads != 1 ? List.<Double>of() : natives) {
                    mixes.add(new Mix(size, reads, share));
                }
            }
        }
        return mixes;
    }

    @Override
    protected String ownProblem() {
        if (sizes.stream().anyMatch(size -> size < 1 || size > 1_000)) {
            return "--sizes are 1 to 1000.";
        }
        if (gets.stream().anyMatch(share -> !(share >= 0 && share <= 1)) || natives.stream().anyMatch(share -> !(share >= 0 && share <= 1))) {
            return "--gets and --natives are shares, from 0 to 1.";
        }
        if (sizes.stream().distinct().count() < sizes.size() || gets.stream().distinct().count() < gets.size()
                || natives.stream().distinct().count() < natives.size()) {
            return "--sizes, --gets and --natives name each once.";
        }
        if (threads < 1 || threads > 16) {
            return "--threads are 1 to 16: HBase has no more handlers here.";
        }
        if (pairs < 1 || nativePairs < 1) {
            return "--pairs and --native-pairs must be at least 1.";
        }
        if (bookies < 1 || bookies > 5) {
            return "--bookies must be 1 to 5.";
        }
        return Files.isDirectory(mediator.resolve("lib")) ? null
                : "There is no transaction manager with BookKeeper in " + mediator + ": run `make bench-mediator`, which builds it, or name its place by --mediator.";
    }
}
