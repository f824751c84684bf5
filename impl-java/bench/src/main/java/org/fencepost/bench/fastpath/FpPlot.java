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
    /** Of a column of counts. */
    private static final int COUNT = 120;

    private FpPlot() {
    }

    static String draw(FpSummary summary, Machine machine) {
        int lines = Math.max(summary.rows().size() + groups(summary), summary.comparisons().size());
        int bottom = Svg.TOP + lines * ROW;
        Svg svg = new Svg(LABELS + 2 * PANEL + GAP + 210, bottom, PANEL, (summary.trips().size() + 2) * ROW);
        svg.title("Single-key transactions on the fast path, beside HBase's own operations and regular transactions", machine);
        drawLatencies(svg, summary);
        drawRatios(svg, summary);
        drawTrips(svg, bottom + 50, summary.trips());
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
    }

    /** A table, since counts are compared by reading them. */
    private static void drawTrips(Svg svg, int top, List<Trips> trips) {
        if (trips.isEmpty()) {
            return;
        }
        svg.text(20, top, "title", "What one operation asks of the servers, as they count it");
        List<String> columns = List.of("log syncs", "requests to HBase", "to the manager", "messages");
        for (int column = 0; column < columns.size(); column++) {
            svg.text(LABELS + (column + 1) * COUNT, top + ROW, "end dim", columns.get(column));
        }
        int y = top + 2 * ROW;
        for (Trips t : trips) {
            svg.text(LABELS - 12, y, "end", t.kind().text() + ", " + t.system());
            double[] counts = {t.syncs(), t.ofHBase(), t.ofManager(), t.unanswered()};
            for (int column = 0; column < counts.length; column++) {
                svg.text(LABELS + (column + 1) * COUNT, y, "end", String.format(Locale.ROOT, "%.2f", counts[column]));
            }
            svg.text(LABELS + counts.length * COUNT + 20, y, "dim", t.verdict());
            y += ROW;
        }
    }
}
