package org.fencepost.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.fencepost.bench.BenchSummary.Ratio;
import org.fencepost.bench.BenchSummary.Row;
import org.fencepost.bench.Contender.Phase;
import org.fencepost.bench.Turn.Scene;

/**
 * Draws the summary of {@link Bench} as VLDB'18 does. On the left where the time goes (figures 5 and 6b); in the middle what the
 * fast path gains (figure 7); on the right latency against the load on the transaction manager (figure 4). The scene is that of
 * {@value #THREADS} threads, or of as many as there were at most below that.
 */
final class BenchPlot {

    private static final int THREADS = 8;
    private static final List<String> KINDS = List.of(Job.READ, Job.WRITE, Job.READ_WRITE, Job.operations(5), Job.operations(10));
    private static final Map<Phase, String> PHASES = Map.of(Phase.BEGIN, Svg.LL, Phase.READ, Svg.PLAIN, Phase.WRITE, Svg.OURS, Phase.COMMIT, Svg.DIM);
    private static final Map<String, String> COLOURS = Map.of(BenchCluster.NATIVE, Svg.PLAIN, BenchCluster.OMID_DEFAULT, Svg.LL, BenchCluster.OMID_LL, Svg.LL,
            BenchCluster.LL, Svg.OURS, BenchCluster.FP, Svg.OURS, BenchCluster.TWO_PHASE, Svg.DIM);

    private static final int LABELS = 120;
    private static final int PANEL = 330;
    private static final int GAP = 230;
    private static final int ROW = 18;
    /** Between the names of the phases. */
    private static final int KEY = 95;

    private final BenchSummary summary;
    private final int threads;
    private final Svg svg;
    private final int height;

    private BenchPlot(BenchSummary summary) {
        this.summary = summary;
        this.threads = summary.scenes().stream().mapToInt(Scene::threads).filter(count -> count <= THREADS).max()
                .orElse(summary.scenes().stream().mapToInt(Scene::threads).min().orElse(1));
        this.height = KINDS.size() * (summary.systems().size() + 1) * ROW;
        this.svg = new Svg(LABELS + 3 * PANEL + 2 * GAP + 190, Svg.TOP + height, PANEL);
    }

    static String draw(BenchSummary summary, Machine machine) {
        BenchPlot plot = new BenchPlot(summary);
        plot.svg.title("Transactions on HBase, " + plot.threads + (plot.threads == 1 ? " thread" : " threads"), machine);
        plot.drawPhases();
        plot.drawFastPath();
        plot.drawLoad();
        return plot.svg.end();
    }

    private Scene scene(String kind) {
        return new Scene(kind.equals(Job.READ_WRITE) ? Workload.BRWC : Workload.RANDOM, threads, 0);
    }

    private void drawPhases() {
        List<Row> rows = KINDS.stream().flatMap(kind -> summary.rows().stream().filter(row -> row.kind().equals(kind) && row.scene().equals(scene(kind)))).toList();
        double longest = rows.stream().mapToDouble(Row::mean).max().orElse(1) * 1.1;
        Svg.Axis latency = svg.linear(LABELS, longest);
        drawKey();
        latency.draw("mean latency", List.of(0.0, longest / 2, longest), List.of("0", ms(longest / 2), ms(longest)));
        int y = Svg.TOP;
        for (String kind : KINDS) {
            y += ROW;
            svg.text(20, y, "title", kind);
            for (Row row : rows.stream().filter(row -> row.kind().equals(kind)).toList()) {
                y += ROW;
                svg.text(LABELS - 12, y, "end", row.system());
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

    private void drawKey() {
        int x = LABELS + KEY;
        for (Phase phase : Phase.values()) {
            svg.bar(x, x + 10, Svg.TOP - 14, PHASES.get(phase));
            svg.text(x + 14, Svg.TOP - 14, "dim", phase.name().toLowerCase(Locale.ROOT));
            x += KEY;
        }
    }

    private static String ms(double micros) {
        return String.format(Locale.ROOT, "%.2f ms", micros / 1e3);
    }

    private void drawFastPath() {
        int left = LABELS + PANEL + GAP;
        Svg.Axis ratios = svg.axis(left, 0.5, 8);
        ratios.draw("Omid LL's mean latency to FP's: quartiles, median (dot)", List.of(0.5, 1.0, 2.0, 4.0, 8.0), List.of("0.5", "1", "2", "4", "8"));
        int y = Svg.TOP;
        for (String kind : summary.kinds()) {
            Ratio ratio = summary.ratio(scene(kind), kind, BenchCluster.LL, BenchCluster.FP);
            if (!kind.equals(ContenderServer.ALL) && !Double.isNaN(ratio.mean().median())) {
                y += ROW;
                svg.text(left - 12, y, "end", kind);
                svg.range(ratios.x(ratio.mean().lower()), ratios.x(ratio.mean().median()), ratios.x(ratio.mean().upper()), y, Svg.OURS);
                svg.text(left + PANEL + 12, y, "dim", String.format(Locale.ROOT, "%.2f", ratio.mean().median()));
            }
        }
    }

    private void drawLoad() {
        int left = LABELS + 2 * (PANEL + GAP);
        List<Scene> scenes = summary.scenes().stream().filter(s -> s.workload() == Workload.RANDOM && s.threads() == threads)
                .sorted(Comparator.comparingInt(Scene::background)).toList();
        double most = Math.max(1, scenes.stream().mapToInt(Scene::background).max().orElse(1));
        Svg.Axis load = svg.linear(left, most);
        load.draw("mean latency of a single write against load on the transaction manager", scenes.stream().map(s -> (double) s.background()).toList(),
                scenes.stream().map(s -> String.format(Locale.ROOT, "%,d tps", s.background())).toList());
        double longest = summary.rows().stream().filter(row -> scenes.contains(row.scene()) && row.kind().equals(Job.WRITE)).mapToDouble(Row::mean).max().orElse(1);
        double shortest = summary.rows().stream().filter(row -> scenes.contains(row.scene()) && row.kind().equals(Job.WRITE)).mapToDouble(Row::mean).min().orElse(1);
        for (String system : summary.systems()) {
            List<double[]> points = new ArrayList<>();
            for (Scene scene : scenes) {
                Row row = summary.find(scene, Job.WRITE, system);
                if (row != null) {
                    double share = Math.log(row.mean() / shortest) / Math.max(1e-9, Math.log(longest / shortest));
                    points.add(new double[] {load.x(scene.background()), Svg.TOP + 10 + (1 - share) * (height - 20)});
                    svg.text((int) load.x(scene.background()) + 5, (int) points.get(points.size() - 1)[1] - 4, "dim", system + " " + ms(row.mean()));
                }
            }
            svg.lines(points, COLOURS.get(system));
        }
    }
}
