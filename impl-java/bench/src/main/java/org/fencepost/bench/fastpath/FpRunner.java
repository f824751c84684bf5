package org.fencepost.bench.fastpath;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.fencepost.bench.harness.Rounds;
import org.fencepost.bench.harness.Slices;

/**
 * The order of the measurements, which are {@link Slices} of one operation each. The systems that are compared take turns within a
 * pair, in the opposite order in every second one, and only then comes the next kind of operation: whatever else the machine
 * does hits them alike.
 */
final class FpRunner {

    private final BenchFp options;
    private final Slices slices;
    private final List<Operation> operations;

    FpRunner(BenchFp options, FpCluster cluster, List<Operation> operations) {
        this.options = options;
        this.slices = new Slices(options, cluster);
        this.operations = operations;
    }

    List<Slice> run() {
        System.out.println("Warming up.");
        double each = options.warmUpSeconds / operations.size() / options.threads.size() / BenchFp.WARM_UP_ROUNDS;
        for (int round = 1; round <= BenchFp.WARM_UP_ROUNDS; round++) {
            measureAll(0, each, false);
        }
        List<Slice> all = new ArrayList<>();
        for (int pair = 1; pair <= options.pairs; pair++) {
            all.addAll(measureAll(pair, options.seconds, true));
        }
        return all;
    }

    private List<Slice> measureAll(int pair, double seconds, boolean print) {
        List<Slice> all = new ArrayList<>();
        for (int threads : options.threads) {
            for (Operation.Kind kind : options.kinds) {
                List<Operation> compared = operations.stream().filter(operation -> operation.kind() == kind).toList();
                for (Operation operation : Rounds.inTurn(pair, compared)) {
                    Slice slice = measure(operation, threads, pair, seconds);
                    all.add(slice);
                    if (print) {
                        System.out.println(line(slice));
                    }
                }
            }
        }
        return all;
    }

    private static String line(Slice slice) {
        return String.format(Locale.ROOT, "  %2d %d thread%s %-13s %-13s %,7.0f/s, p50 %,7.0f us, mean %,7.0f us, p99 %,8.0f us; CPU us each: HBase %,5.0f, client %,5.0f",
                slice.pair(), slice.threads(), slice.threads() == 1 ? ", " : "s,", slice.kind().text(), slice.system(), slice.perSecond(), slice.p50(), slice.mean(),
                slice.p99(), slice.hbaseCpu(), slice.clientCpu());
    }

    private Slice measure(Operation operation, int threads, int pair, double seconds) {
        Slices.Shown shown = slices.measure(operation.system() + ", " + operation.kind().text(), threads, () -> timed(operation.bodies().get()), seconds);
        return new Slice(operation.kind(), operation.system(), threads, pair, shown.operations(), shown.perSecond(), shown.abortShare(),
                shown.mean(), shown.percentile(50), shown.percentile(99), shown.hbaseCpu(), shown.hbaseBytes(), shown.clientCpu());
    }

    private static Slices.Body timed(Operation.Body body) {
        return (random, latency) -> {
            long begin = System.nanoTime();
            body.run(random);
            latency.accept(System.nanoTime() - begin);
            return 1;
        };
    }
}
