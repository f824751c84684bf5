package org.fencepost.bench.mediator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.fencepost.bench.harness.Rounds;
import org.fencepost.bench.harness.Slices;

/**
 * The order of the measurements, which are {@link Slices} of one mix each. The systems that are compared take turns within a pair, in
 * the opposite order in every second one, and only then comes the next mix: whatever else the machine does hits them alike.
 *
 * <p>Native operations come first, while all tables have been written alike: the mixes do not go to HBase's own table, and what
 * they leave in the others makes gets slower.
 */
final class MixRunner {

    private final BenchMediator options;
    private final Slices slices;
    private final List<MixSystem> systems;

    MixRunner(BenchMediator options, MixCluster cluster, List<MixSystem> systems) {
        this.options = options;
        this.slices = new Slices(options, cluster);
        this.systems = systems;
    }

    List<MixSlice> run() {
        List<Mix> natives = List.of(new Mix(1, 0, 1), new Mix(1, 1, 1));
        List<MixSystem> both = systems.stream().filter(MixSystem::hasTransactions).toList();
        List<MixSlice> all = new ArrayList<>();
        System.out.println("Latency of native operations, first to warm up.");
        for (int round = 0; round < 2; round++) {
            round(MixSlice.LATENCY, 0, options.warmUpSeconds / 4 / 2 / natives.size() / systems.size(), natives, systems, options.threads);
        }
        for (int pair = 1; pair <= options.nativePairs; pair++) {
            for (int threads : Stream.of(1, options.threads).distinct().toList()) {
                all.addAll(round(MixSlice.LATENCY, pair, options.seconds, natives, systems, threads));
            }
        }
        System.out.println("Throughput, first to warm up.");
        for (int round = 0; round < 2; round++) {
            round(MixSlice.THROUGHPUT, 0, options.warmUpSeconds * 3 / 4 / 2 / options.mixes().size() / both.size(), options.mixes(), both, options.threads);
        }
        for (int pair = 1; pair <= options.pairs; pair++) {
            all.addAll(round(MixSlice.THROUGHPUT, pair, options.seconds, options.mixes(), both, options.threads));
        }
        return all;
    }

    private List<MixSlice> round(String phase, int pair, double seconds, List<Mix> mixes, List<MixSystem> compared, int threads) {
        List<MixSlice> all = new ArrayList<>();
        for (Mix mix : mixes) {
            for (MixSystem system : Rounds.inTurn(pair, compared)) {
                MixSlice slice = measure(phase, mix, system, threads, pair, seconds);
                all.add(slice);
                if (pair > 0) {
                    System.out.println(line(slice));
                }
            }
        }
        return all;
    }

    private static String line(MixSlice s) {
        return String.format(Locale.ROOT, "  %2d %d threads, %-28s %-9s %,7.0f operations/s, %4.1f%% aborts, native p50 %,6.0f us; CPU us each: HBase %,5.0f, client %,5.0f",
                s.pair(), s.threads(), s.mix(), s.system(), s.perSecond(), 100 * s.aborts(), s.p50(), s.hbaseCpu(), s.clientCpu());
    }

    private MixSlice measure(String phase, Mix mix, MixSystem system, int threads, int pair, double seconds) {
        Slices.Shown shown = slices.measure(system.name() + ", " + mix, threads, () -> body(mix, system), seconds);
        return new MixSlice(phase, mix, system.name(), threads, pair, shown.operations(), shown.perSecond(), shown.abortShare(),
                shown.percentile(50), shown.mean(), shown.hbaseCpu(), shown.clientCpu());
    }

    /** Only native operations are timed. */
    private static Slices.Body body(Mix mix, MixSystem system) {
        return (random, latency) -> {
            if (!mix.drawNative(random)) {
                int size = mix.drawSize(random);
                system.transaction(size, () -> mix.drawRead(random), random);
                return size;
            }
            long begin = System.nanoTime();
            system.operation(mix.drawRead(random), random);
            latency.accept(System.nanoTime() - begin);
            return 1;
        };
    }
}
