package org.fencepost.bench.mix;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fencepost.bench.harness.Machine;
import org.fencepost.bench.harness.Svg;
import org.fencepost.bench.mix.BenchSummary.Ratio;
import org.fencepost.bench.mix.BenchSummary.Row;
import org.fencepost.bench.mix.Contender.Phase;
import org.fencepost.bench.mix.Turn.Scene;

/**
 * Draws the summary of {@link Bench} as VLDB'18 does: where the time goes, alone (figures 5a and 6b) and behind the heaviest load on the
 * transaction manager (5b, where Omid's default mode is off the scale), and what the fast path gains (7). {@link LoadPlot} has latency
 * against load. The scene is that of {@value #THREADS} threads, or of as many as there were at most below that.
 */
final class BenchPlot {

    private static final int THREADS = 8;
    private static final List<String> KINDS = List.of(Job.READ, Job.WRITE, Job.READ_WRITE, Job.operations(5), Job.operations(10));
    private static final Map<Phase, String> PHASES = Map.of(Phase.BEGIN, Svg.LL, Phase.READ, Svg.PLAIN, Phase.WRITE, Svg.OURS, Phase.COMMIT, Svg.DIM);
    private static final int LABELS = 120;
    private static final int PANEL = 330;
    private static final int GAP = 220;
    private static final int ROW = 18;
    /** Between the names of the phases. */
    private static final int KEY = 80;

    private final BenchSummary summary;
    private final int threads;
    private final int load;
    private final Svg svg;

    private BenchPlot(BenchSummary summary) {
        this.summary = summary;
        this.threads = threads(summary);
        this.load = summary.scenes().stream().filter(s -> s.threads() == threads).mapToInt(Scene::background).max().orElse(0);
        this.svg = new Svg(LABELS + 3 * PANEL + 2 * GAP + 120, Svg.TOP + KINDS.size() * (summary.systems().size() + 1) * ROW, PANEL);
    }

    /** Of the plots. */
    static int threads(BenchSummary summary) {
        return summary.scenes().stream().mapToInt(Scene::threads).filter(count -> count <= THREADS).max()
                .orElse(summary.scenes().stream().mapToInt(Scene::threads).min().orElse(1));
    }

    static String draw(BenchSummary summary, Machine machine) {
        BenchPlot plot = new BenchPlot(summary);
        plot.svg.title("Transactions on HBase, " + plot.threads + (plot.threads == 1 ? " thread" : " threads"), machine);
        plot.drawPhases(LABELS, 0, "mean latency", plot.summary.systems());
        if (plot.load > 0) {
            plot.drawPhases(LABELS + PANEL + GAP, plot.load, String.format(Locale.ROOT, "behind %,d tps, or as many as the manager takes", plot.load),
                    plot.summary.systems().stream().filter(system -> !system.equals(BenchCluster.OMID_DEFAULT)).toList());
        }
        plot.drawFastPath();
        return plot.svg.end();
    }

    /** Transactions that read and write one key are in BRWC alone, which has no load. */
    private Scene scene(String kind, int background) {
        return new Scene(kind.equals(Job.READ_WRITE) ? Workload.BRWC : Workload.RANDOM, threads, background);
    }

    private void drawPhases(int left, int background, String title, List<String> systems) {
        List<Row> rows = KINDS.stream().flatMap(kind -> summary.rows().stream()
                .filter(row -> row.kind().equals(kind) && row.scene().equals(scene(kind, background)) && systems.contains(row.system()))).toList();
        double longest = rows.stream().mapToDouble(Row::mean).max().orElse(1) * 1.1;
        Svg.Axis latency = svg.linear(left, longest);
        drawKey(left);
        latency.draw(title, List.of(0.0, longest / 2, longest), List.of("0", ms(longest / 2), ms(longest)));
        int y = Svg.TOP;
        for (String kind : KINDS) {
            y += ROW;
            svg.text(left - LABELS + 20, y, "title", kind);
            for (String system : summary.systems()) {
                y += ROW;
                Row row = summary.find(scene(kind, background), kind, system);
                if (row == null) {
                    continue;
                }
                svg.text(left - 12, y, "end", system);
                if (!systems.contains(system)) {
                    svg.text(left + 5, y, "dim", "off the scale: " + ms(row.mean()));
                    continue;
                }
                double until = 0;
                for (Phase phase : Phase.values()) {
                    double from = until;
                    until += row.phases()[phase.ordinal()];
                    svg.bar(latency.x(from), latency.x(until), y, PHASES.get(phase));
                }
                svg.text((int) latency.x(until) + 5, y, "dim", ms(row.mean()));
            }
        }
    }

    private void drawKey(int left) {
        int x = left;
        for (Phase phase : Phase.values()) {
            svg.bar(x, x + 10, Svg.TOP - 27, PHASES.get(phase));
            svg.text(x + 14, Svg.TOP - 27, "dim", phase.name().toLowerCase(Locale.ROOT));
            x += KEY;
        }
    }

    static String ms(double micros) {
        return String.format(Locale.ROOT, "%.2f ms", micros / 1e3);
    }

    private void drawFastPath() {
        int left = LABELS + 2 * (PANEL + GAP);
        Svg.Axis ratios = svg.axis(left, 0.5, 8);
        ratios.draw("Omid LL's mean latency to FP's: quartiles, median (dot)", List.of(0.5, 1.0, 2.0, 4.0, 8.0), List.of("0.5", "1", "2", "4", "8"));
        int y = drawFastPath(ratios, left, 0, Svg.TOP);
        if (load > 0) {
            svg.text(left, y + 2 * ROW, "dim", String.format(Locale.ROOT, "behind %,d tps", load));
            drawFastPath(ratios, left, load, y + 2 * ROW);
        }
    }

    private int drawFastPath(Svg.Axis ratios, int left, int background, int top) {
        int y = top;
        for (String kind : summary.kinds()) {
            Ratio ratio = summary.ratio(scene(kind, background), kind, BenchCluster.LL, BenchCluster.FP);
            if (!kind.equals(ContenderServer.ALL) && !Double.isNaN(ratio.mean().median())) {
                y += ROW;
                svg.text(left - 12, y, "end", kind);
                svg.range(ratios.x(ratio.mean().lower()), ratios.x(ratio.mean().median()), ratios.x(ratio.mean().upper()), y, Svg.OURS);
                svg.text(left + PANEL + 12, y, "dim", String.format(Locale.ROOT, "%.2f", ratio.mean().median()));
            }
        }
        return y;
    }
}
