package org.fencepost.bench.mix;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fencepost.bench.harness.Machine;
import org.fencepost.bench.harness.Svg;
import org.fencepost.bench.mix.BenchSummary.Row;
import org.fencepost.bench.mix.Turn.Scene;

/**
 * Draws mean latency in the random mix against the load that the transaction manager bore meanwhile, as VLDB'18 does: of single reads and
 * writes (figure 4) and of ten operations (figure 6a). Threads are those of {@link BenchPlot}. Both scales are logarithmic, from
 * no load on, since a manager may take a hundred times as much as another one.
 */
final class LoadPlot {

    private static final List<String> KINDS = List.of(Job.READ, Job.WRITE, Job.operations(10));
    private static final Map<String, String> COLOURS = Map.of(BenchCluster.NATIVE, Svg.PLAIN, BenchCluster.OMID_DEFAULT, Svg.LL, BenchCluster.OMID_LL, Svg.LL,
            BenchCluster.LL, Svg.OURS, BenchCluster.ONE_PHASE, Svg.OURS, BenchCluster.FP, Svg.OURS, BenchCluster.TWO_PHASE, Svg.DIM, BenchCluster.FRAGOLA, Svg.DIM);
    private static final int LEFT = 40;
    private static final int PANEL = 330;
    private static final int GAP = 190;
    private static final int HEIGHT = 360;
    /** From one label to the next. */
    private static final int LINE = 13;
    /** Stands for none. */
    private static final double LEAST = 1_000;
    private static final double MOST = 1_000_000;

    private final BenchSummary summary;
    private final List<Scene> scenes;
    private final Svg svg = new Svg(LEFT + KINDS.size() * (PANEL + GAP), Svg.TOP + HEIGHT, PANEL);

    private LoadPlot(BenchSummary summary) {
        this.summary = summary;
        this.scenes = summary.scenes().stream().filter(s -> s.workload() == Workload.RANDOM && s.threads() == BenchPlot.threads(summary))
                .sorted(Comparator.comparingInt(Scene::background)).toList();
    }

    static String draw(BenchSummary summary, Machine machine) {
        LoadPlot plot = new LoadPlot(summary);
        plot.svg.title("Mean latency in the random mix against transactions a second of others at the transaction manager", machine);
        for (int i = 0; i < KINDS.size(); i++) {
            plot.draw(KINDS.get(i), LEFT + i * (PANEL + GAP));
        }
        return plot.svg.end();
    }

    private void draw(String kind, int left) {
        List<Row> rows = summary.rows().stream().filter(row -> scenes.contains(row.scene()) && row.kind().equals(kind)).toList();
        double longest = rows.stream().mapToDouble(Row::mean).max().orElse(1);
        double shortest = rows.stream().mapToDouble(Row::mean).min().orElse(1);
        Svg.Axis load = svg.axis(left, LEAST, MOST);
        load.draw(kind, List.of(LEAST, 10_000.0, 100_000.0, MOST), List.of("none", "10,000", "100,000", "1,000,000"));
        TreeMap<Double, String> labels = new TreeMap<>();
        Map<String, double[]> ends = new HashMap<>();
        for (String system : summary.systems()) {
            List<double[]> points = new ArrayList<>();
            double last = Double.NaN;
            for (Scene scene : scenes) {
                Row row = summary.find(scene, kind, system);
                if (row != null) {
                    double share = Math.log(row.mean() / shortest) / Math.max(1e-9, Math.log(longest / shortest));
                    points.add(new double[] {load.x(Double.isNaN(row.attained()) ? LEAST : row.attained()), Svg.TOP + 10 + (1 - share) * (HEIGHT - 20)});
                    last = row.mean();
                }
            }
            if (!points.isEmpty()) {
                String label = system + " " + BenchPlot.ms(last);
                double[] end = points.get(points.size() - 1);
                svg.lines(points, COLOURS.get(system));
                ends.put(label, end);
                labels.put(end[1] + labels.size() * 1e-6, label); // no two at the same height
            }
        }
        double free = 0;
        for (Map.Entry<Double, String> label : labels.entrySet()) {
            double y = Math.max(label.getKey(), free);
            svg.text((int) ends.get(label.getValue())[0] + 7, (int) y + 4, "dim", label.getValue());
            free = y + LINE;
        }
    }
}
