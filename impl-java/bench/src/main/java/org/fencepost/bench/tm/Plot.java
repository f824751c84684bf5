package org.fencepost.bench.tm;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fencepost.bench.harness.Machine;
import org.fencepost.bench.harness.Svg;
import org.fencepost.bench.load.Scenario;

/**
 * Draws the summary of {@link BenchTm}. A row for each system in each scenario; on the left a bar for the throughput at
 * saturation, on the right a line from the median latency over the 99th percentile, which is marked, to the 99.9th.
 */
final class Plot {

    private static final Map<String, String> COLOURS = Map.of(Servers.FENCEPOST, Svg.OURS, Servers.OMID_LL, Svg.LL, Servers.OMID_DEFAULT, Svg.PLAIN);

    private static final int LABELS = 280;
    private static final int PANEL = 330;
    private static final int GAP = 110;
    private static final int ROW = 18;

    private final Svg svg;
    private final List<Summary.Row> rows;

    private Plot(List<Summary.Row> rows) {
        this.rows = rows;
        long scenarios = rows.stream().map(Summary.Row::scenario).distinct().count();
        this.svg = new Svg(LABELS + 2 * PANEL + GAP + 60, Svg.TOP + (int) (rows.size() * ROW + scenarios * ROW), PANEL);
    }

    static String draw(Summary summary, Machine machine) {
        return new Plot(summary.rows()).draw(machine);
    }

    private String draw(Machine machine) {
        svg.title("Transaction managers alone: one server on one core, load generator on another", machine);
        Svg.Axis throughput = svg.axis(LABELS, 1e4, 1e7);
        Svg.Axis latency = svg.axis(LABELS + PANEL + GAP, 10, 1e6);
        throughput.draw("transactions per second at saturation (>: at least)", List.of(1e4, 1e5, 1e6, 1e7), List.of("10k", "100k", "1M", "10M"));
        latency.draw("latency of a request at half of that: p50, p99 (dot), p99.9", List.of(10.0, 100.0, 1e3, 1e4, 1e5, 1e6),
                List.of("10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s"));
        int y = Svg.TOP;
        Scenario scenario = null;
        for (Summary.Row row : rows) {
            if (!row.scenario().equals(scenario)) {
                scenario = row.scenario();
                y += ROW;
                svg.text(20, y, "title", scenario.toString());
            }
            draw(row, y, throughput, latency);
            y += ROW;
        }
        return svg.end();
    }

    private void draw(Summary.Row row, int y, Svg.Axis throughput, Svg.Axis latency) {
        String colour = COLOURS.get(row.system());
        svg.text(LABELS - 12, y, "end", row.system());
        if (!Double.isNaN(row.tps())) {
            svg.bar(LABELS, throughput.x(row.tps()), y, colour);
            svg.text((int) throughput.x(row.tps()) + 5, y, "dim", (row.lowerBound() ? "> " : "") + String.format(Locale.ROOT, "%,.0f", row.tps()));
        }
        if (!Double.isNaN(row.p50())) {
            svg.range(latency.x(row.p50()), latency.x(row.p99()), latency.x(row.p999()), y, colour);
        }
    }
}
