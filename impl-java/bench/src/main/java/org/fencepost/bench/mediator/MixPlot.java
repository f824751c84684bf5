package org.fencepost.bench.mediator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fencepost.bench.harness.Machine;
import org.fencepost.bench.harness.Svg;

/**
 * Draws the summary of {@link BenchMediator}. Above, a field for each mix as in SYSTOR'14 fig. 4: whose throughput is higher, and by
 * what, with the equilibrium curve across. Below, the latency of native operations as in fig. 3a.
 */
final class MixPlot {

    private static final Map<String, String> COLOURS = Map.of(MixSlice.BARE, Svg.PLAIN, MixSlice.MEDIATOR, Svg.OURS, MixSlice.LL, Svg.LL);

    private static final int WIDTH = 52;
    private static final int HEIGHT = 36;
    private static final int LEFT = 110;
    private static final int GAP = 60;
    private static final int ROW = 18;
    private static final int LABELS = 230;
    private static final int PANEL = 300;

    private final MixSummary summary;
    private final List<Double> gets;
    private final List<Double> natives;
    private final Svg svg;
    /** Where the lower part begins. */
    private final int below;

    private MixPlot(MixSummary summary) {
        this.summary = summary;
        this.gets = summary.throughputs().stream().map(t -> t.mix().reads()).distinct().sorted().toList();
        this.natives = summary.throughputs().stream().map(t -> t.mix().natives()).distinct().sorted().toList();
        this.below = Svg.TOP + natives.size() * HEIGHT + 90;
        int sizes = (int) summary.throughputs().stream().map(t -> t.mix().largest()).distinct().count();
        this.svg = new Svg(Math.max(LEFT + sizes * (gets.size() * WIDTH + GAP), LABELS + PANEL + 230), below + summary.latencies().size() * ROW, PANEL);
    }

    static String draw(MixSummary summary, Machine machine) {
        MixPlot plot = new MixPlot(summary);
        plot.svg.title("Native operations beside Mediator's transactions, against all of them as transactions of Omid LL", machine);
        int left = LEFT;
        for (int largest : summary.throughputs().stream().mapToInt(t -> t.mix().largest()).distinct().sorted().toArray()) {
            plot.drawFields(largest, left);
            left += plot.gets.size() * WIDTH + GAP;
        }
        plot.drawLatencies();
        return plot.svg.end();
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f%%", 100 * share);
    }

    private double x(double reads, int left) {
        return left + gets.indexOf(reads) * WIDTH + WIDTH / 2.0;
    }

    /** The more native operations, the higher; between two shares in proportion. */
    private double y(double share) {
        int above = 0;
        while (natives.get(above) < share) {
            above++;
        }
        double position = above == 0 ? 0 : above - (natives.get(above) - share) / (natives.get(above) - natives.get(above - 1));
        return Svg.TOP + (natives.size() - 1 - position) * HEIGHT + HEIGHT / 2.0;
    }

    private void drawFields(int largest, int left) {
        svg.text(left, Svg.TOP - 14, "title", "U" + largest + ": throughput, Mediator / Omid LL");
        for (MixSummary.Throughput t : summary.throughputs()) {
            if (t.mix().largest() == largest) {
                double ratio = t.ratio().median();
                int x = (int) x(t.mix().reads(), left);
                int y = (int) y(t.mix().natives());
                svg.field(x - WIDTH / 2 + 1, y - HEIGHT / 2 + 1, WIDTH - 2, HEIGHT - 2, ratio > 1 ? Svg.OURS : Svg.LL, Math.min(0.6, Math.abs(Math.log(ratio)) / 3));
                svg.text(x, y - 5, "middle", String.format(Locale.ROOT, "%.2f", ratio)); // above the curve
            }
        }
        for (double share : natives) {
            svg.text(left - 8, (int) y(share) + 4, "end dim", percent(share) + (left == LEFT ? " native" : ""));
        }
        int bottom = Svg.TOP + natives.size() * HEIGHT + 16;
        for (double reads : gets) {
            svg.text((int) x(reads, left), bottom, "middle dim", percent(reads));
        }
        svg.text(left, bottom + 18, "dim", "gets among all operations; curve: equilibrium");
        List<double[]> curve = new ArrayList<>();
        for (MixSummary.Equilibrium e : summary.equilibria()) {
            if (e.largest() == largest && !Double.isNaN(e.natives())) {
                curve.add(new double[] {x(e.reads(), left), y(e.natives())});
            }
        }
        svg.lines(curve, "var(--ink)");
    }

    private void drawLatencies() {
        svg.text(20, below - ROW, "title", "Native operations alone: median latency, and what it is to bare HBase's");
        double longest = summary.latencies().stream().mapToDouble(MixSummary.Latency::p50).max().orElse(1);
        int y = below;
        for (MixSummary.Latency l : summary.latencies()) {
            svg.text(LABELS - 12, y, "end", (l.mix().reads() > 0 ? "get, " : "put, ") + l.threads() + (l.threads() == 1 ? " thread, " : " threads, ") + l.system());
            double end = LABELS + PANEL * l.p50() / longest;
            svg.bar(LABELS, end, y, COLOURS.get(l.system()));
            svg.text((int) end + 6, y, "dim", String.format(Locale.ROOT, "%.2f ms", l.p50() / 1e3) + (l.system().equals(MixSlice.BARE) ? ""
                    : String.format(Locale.ROOT, ", %.2f times%s", l.ratio().median(), l.verdict().isEmpty() ? "" : "; " + l.verdict())));
            y += ROW;
        }
    }
}
