package org.fencepost.bench.mediator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.fencepost.bench.harness.Spread;

/** Medians of the slices, ratios between systems within each pair, and where they cross one (SYSTOR'14 section 5.2). */
final class MixSummary {

    /** What native operations on a shared table may cost. */
    static final double GOAL_LATENCY = 1.05;
    /** From this share of native operations on, Mediator shall be ahead. */
    static final double GOAL_NATIVES = 0.5;

    /**
     * Of native operations alone.
     *
     * @param p50   in microseconds
     * @param ratio of p50 to that of bare HBase
     */
    record Latency(int threads, Mix mix, String system, double p50, Spread ratio) {

        String verdict() {
            return !system.equals(MixSlice.MEDIATOR) ? ""
                    : String.format(Locale.ROOT, "at most %.2f: %s", GOAL_LATENCY, ratio.median() <= GOAL_LATENCY ? "met" : "missed");
        }
    }

    /**
     * @param mediator operations in a second
     * @param omid     of transactions of Omid LL
     * @param ratio    of the two
     */
    record Throughput(Mix mix, double mediator, double omid, double mediatorAborts, double omidAborts, Spread ratio) {

        String verdict() {
            return mix.natives() < GOAL_NATIVES ? "" : "above 1: " + (ratio.median() > 1 ? "met" : "missed");
        }
    }

    /** @param natives the smallest share of native operations from which on Mediator is ahead, by its neighbours; NaN if it never is */
    record Equilibrium(int largest, double reads, double natives) {
    }

    private final List<MixSlice> all;
    private final List<Latency> latencies = new ArrayList<>();
    private final List<Throughput> throughputs = new ArrayList<>();
    private final List<Equilibrium> equilibria = new ArrayList<>();

    MixSummary(List<MixSlice> all) {
        this.all = all;
        for (int threads : of(MixSlice.LATENCY).stream().mapToInt(MixSlice::threads).distinct().sorted().toArray()) {
            for (Mix mix : mixes(MixSlice.LATENCY)) {
                List<MixSlice> bare = slices(MixSlice.LATENCY, mix, MixSlice.BARE, threads);
                for (String system : List.of(MixSlice.BARE, MixSlice.MEDIATOR, MixSlice.LL)) {
                    List<MixSlice> slices = slices(MixSlice.LATENCY, mix, system, threads);
                    latencies.add(new Latency(threads, mix, system, median(slices, MixSlice::p50), ratio(slices, bare, MixSlice::p50)));
                }
            }
        }
        for (Mix mix : mixes(MixSlice.THROUGHPUT)) {
            int threads = of(MixSlice.THROUGHPUT).get(0).threads();
            List<MixSlice> mediator = slices(MixSlice.THROUGHPUT, mix, MixSlice.MEDIATOR, threads);
            List<MixSlice> omid = slices(MixSlice.THROUGHPUT, mix, MixSlice.LL, threads);
            throughputs.add(new Throughput(mix, median(mediator, MixSlice::perSecond), median(omid, MixSlice::perSecond),
                    median(mediator, MixSlice::aborts), median(omid, MixSlice::aborts), ratio(mediator, omid, MixSlice::perSecond)));
        }
        throughputs.stream().map(t -> new Equilibrium(t.mix().largest(), t.mix().reads(), crossing(line(t.mix().largest(), t.mix().reads()))))
                .distinct().forEach(equilibria::add);
    }

    private List<MixSlice> of(String phase) {
        return all.stream().filter(slice -> slice.phase().equals(phase)).toList();
    }

    private List<Mix> mixes(String phase) {
        return of(phase).stream().map(MixSlice::mix).distinct().toList();
    }

    private List<MixSlice> slices(String phase, Mix mix, String system, int threads) {
        return of(phase).stream().filter(s -> s.mix().equals(mix) && s.system().equals(system) && s.threads() == threads).toList();
    }

    private static double median(List<MixSlice> slices, ToDoubleFunction<MixSlice> figure) {
        return Spread.of(slices.stream().mapToDouble(figure)).median();
    }

    private static Spread ratio(List<MixSlice> slices, List<MixSlice> to, ToDoubleFunction<MixSlice> figure) {
        return Spread.of(slices.stream().flatMapToDouble(slice -> to.stream().filter(other -> other.pair() == slice.pair())
                .mapToDouble(other -> figure.applyAsDouble(slice) / figure.applyAsDouble(other))));
    }

    List<Latency> latencies() {
        return latencies;
    }

    List<Throughput> throughputs() {
        return throughputs;
    }

    /** Of one size and share of gets, by the share of native operations. */
    List<Throughput> line(int largest, double reads) {
        return throughputs.stream().filter(t -> t.mix().largest() == largest && t.mix().reads() == reads)
                .sorted(Comparator.comparingDouble(t -> t.mix().natives())).toList();
    }

    List<Equilibrium> equilibria() {
        return equilibria;
    }

    /** From the top down, in proportion on a logarithmic scale. */
    static double crossing(List<Throughput> line) {
        double ahead = Double.NaN;
        for (int i = line.size() - 1; i >= 0; i--) {
            double here = Math.log(line.get(i).ratio().median());
            if (here <= 0) {
                if (i == line.size() - 1) {
                    return Double.NaN;
                }
                double above = Math.log(line.get(i + 1).ratio().median());
                return line.get(i).mix().natives() + (ahead - line.get(i).mix().natives()) * -here / (above - here);
            }
            ahead = line.get(i).mix().natives();
        }
        return ahead;
    }

    String text() {
        StringBuilder out = new StringBuilder(String.format(Locale.ROOT, "%-7s %-8s %-10s %9s  %-22s %s%n", "threads", "native", "system", "p50 us",
                "to bare HBase", "goal"));
        for (Latency l : latencies) {
            out.append(String.format(Locale.ROOT, "%-7d %-8s %-10s %,9.0f  %-22s %s%n", l.threads(), l.mix().reads() > 0 ? "get" : "put", l.system(), l.p50(),
                    text(l.ratio()), l.verdict()));
        }
        out.append(String.format(Locale.ROOT, "%n%-32s %12s %12s  %-22s %15s  %s%n", "operations per second", "mediator", "omid-ll", "ratio", "aborts", "goal"));
        for (Throughput t : throughputs) {
            out.append(String.format(Locale.ROOT, "%-32s %,12.0f %,12.0f  %-22s %6.1f%% %6.1f%%  %s%n", t.mix(), t.mediator(), t.omid(), text(t.ratio()),
                    100 * t.mediatorAborts(), 100 * t.omidAborts(), t.verdict()));
        }
        out.append("\nMediator is ahead from this share of native operations on:\n");
        for (Equilibrium e : equilibria) {
            out.append(String.format(Locale.ROOT, "  U%-3d %3.0f%% gets: %s%n", e.largest(), 100 * e.reads(),
                    Double.isNaN(e.natives()) ? "never" : String.format(Locale.ROOT, "%.0f%%", 100 * e.natives())));
        }
        return out.append("Medians of slices, and of the ratios within each pair with quartiles.\n").toString();
    }

    private static String text(Spread ratio) {
        return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", ratio.median(), ratio.lower(), ratio.upper());
    }
}
