package org.fencepost.bench.fastpath;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fencepost.bench.harness.Machine;
import org.fencepost.bench.harness.Svg;

/**
 * Draws the summary of {@link BenchFp}. On the left a row for each system at each kind of operation, with its median latency;
 * on the right the ratios: a line from quartile to quartile with a dot at the median, and the goal.
 */
final class FpPlot {

    private static final Map<String, String> COLOURS = Map.of(Operation.NATIVE, Svg.PLAIN, Operation.FP, Svg.OURS, Operation.LL, Svg.LL,
            Operation.LL_BESIDE_FP, Svg.OURS, Operation.ONE_PHASE, Svg.LL, Operation.BLIND, Svg.LL);

    private static final int LABELS = 230;
    private static final int PANEL = 330;
    private static final int GAP = 230;
    private static final int ROW = 18;

    private FpPlot() {
    }

    static String draw(FpSummary summary, Machine machine) {
        int lines = Math.max(summary.rows().size() + groups(summary), 2 + summary.comparisons().size() + 2 + summary.trips().size());
        Svg svg = new Svg(LABELS + 2 * PANEL + GAP + 210, Svg.TOP + lines * ROW, PANEL);
        svg.title("Single-key transactions on the fast path, beside HBase's own operations and regular transactions", machine);
        drawLatencies(svg, summary);
        drawRatios(svg, summary);
        return svg.end();
    }

    private static int groups(FpSummary summary) {
        return (int) summary.rows().stream().map(FpPlot::group).distinct().count();
    }

    private static String group(FpSummary.Row row) {
        return row.kind().text() + ", " + threads(row.threads());
    }

    private static String threads(int count) {
        return count + (count == 1 ? " thread" : " threads");
    }

    private static void drawLatencies(Svg svg, FpSummary summary) {
        Svg.Axis latency = svg.axis(LABELS, 100, 1e5);
        latency.draw("median latency", List.of(100.0, 1e3, 1e4, 1e5), List.of("0.1 ms", "1 ms", "10 ms", "100 ms"));
        int y = Svg.TOP;
        String group = "";
        for (FpSummary.Row row : summary.rows()) {
            if (!group(row).equals(group)) {
                group = group(row);
                y += ROW;
                svg.text(20, y, "title", group);
            }
            svg.text(LABELS - 12, y, "end", row.system());
            svg.bar(LABELS, latency.x(row.p50()), y, COLOURS.get(row.system()));
            svg.text((int) latency.x(row.p50()) + 5, y, "dim", String.format(Locale.ROOT, "%.2f ms", row.p50() / 1e3));
            y += ROW;
        }
    }

    private static void drawRatios(Svg svg, FpSummary summary) {
        int left = LABELS + PANEL + GAP;
        Svg.Axis ratios = svg.axis(left, 0.5, 8);
        ratios.draw("ratio of median latencies: quartiles, median (dot)", List.of(0.5, 1.0, 2.0, 4.0, 8.0), List.of("0.5", "1", "2", "4", "8"));
        int y = Svg.TOP + ROW;
        for (FpSummary.Comparison c : summary.comparisons()) {
            svg.text(left - 12, y, "end", c.goal().kind().text() + ", " + threads(c.threads()) + ": " + c.goal().system() + " / " + c.goal().to());
            svg.range(ratios.x(c.p50().lower()), ratios.x(c.p50().median()), ratios.x(c.p50().upper()), y, COLOURS.get(c.goal().system()));
            svg.text(left + PANEL + 12, y, "dim", String.format(Locale.ROOT, "%.2f  %s", c.p50().median(), c.verdict()));
            y += ROW;
        }
        drawTrips(svg, left, y + ROW, summary.trips());
    }

    private static void drawTrips(Svg svg, int left, int top, List<Trips> trips) {
        svg.text(left, top, "title", "for each operation, counted: log syncs, requests to HBase, to the manager, messages");
        int y = top + ROW;
        for (Trips t : trips) {
            svg.text(left - 12, y, "end", t.kind().text() + ": " + t.system());
            svg.text(left, y, "", String.format(Locale.ROOT, "%.2f   %.2f   %.2f   %.2f", t.syncs(), t.ofHBase(), t.ofManager(), t.unanswered()));
            svg.text(left + PANEL + 12, y, "dim", t.verdict());
            y += ROW;
        }
    }
}
