package org.fencepost.bench;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Draws the summary as one self-contained SVG that follows the reader's light or dark scheme. A row for each system in each
 * scenario; on the left a bar for the throughput at saturation, on the right a line from the median latency over the 99th
 * percentile, which is marked, to the 99.9th. Both scales are logarithmic.
 */
final class Plot {

    private static final String STYLE = """
            <style>
              :root { --paper: #ffffff; --ink: #1f2328; --dim: #656d76; --line: #d0d7de; --ours: #0a58a8; --ll: #b45309; --default: #8c6d46; }
              @media (prefers-color-scheme: dark) {
                :root { --paper: #14181d; --ink: #e6edf3; --dim: #9aa5b1; --line: #3a434d; --ours: #79b8ff; --ll: #f0a95b; --default: #c2a57f; }
              }
              text { font: 12px system-ui, sans-serif; fill: var(--ink); } .dim { fill: var(--dim); } .title { font-weight: 700; }
              .grid { stroke: var(--line); } .end { text-anchor: end; } .middle { text-anchor: middle; }
            </style>
            """;
    private static final Map<String, String> COLOURS = Map.of(Servers.FENCEPOST, "var(--ours)", Servers.OMID_LL, "var(--ll)", Servers.OMID_DEFAULT, "var(--default)");

    private static final int LABELS = 280;
    private static final int PANEL = 330;
    private static final int GAP = 110;
    private static final int TOP = 84;
    private static final int ROW = 18;

    private final StringBuilder out = new StringBuilder();
    private final List<Summary.Row> rows;

    private Plot(List<Summary.Row> rows) {
        this.rows = rows;
    }

    static String draw(Summary summary, Machine machine) {
        return new Plot(summary.rows()).draw(machine);
    }

    private String draw(Machine machine) {
        long scenarios = rows.stream().map(Summary.Row::scenario).distinct().count();
        int bottom = TOP + (int) (rows.size() * ROW + scenarios * ROW);
        int width = LABELS + 2 * PANEL + GAP + 60;
        out.append(String.format(Locale.ROOT, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">%n%s<rect width=\"100%%\" height=\"100%%\" fill=\"var(--paper)\"/>%n",
                width, bottom + 50, STYLE));
        text(20, 26, "title", "Transaction managers alone: one server on one core, load generator on another");
        text(20, 44, "dim", machine.toString());
        Axis throughput = new Axis(LABELS, 1e4, 1e7);
        Axis latency = new Axis(LABELS + PANEL + GAP, 10, 1e6);
        throughput.draw(bottom, "transactions per second at saturation (>: at least)", List.of(1e4, 1e5, 1e6, 1e7), List.of("10k", "100k", "1M", "10M"));
        latency.draw(bottom, "latency of a request at half of that: p50, p99 (dot), p99.9", List.of(10.0, 100.0, 1e3, 1e4, 1e5, 1e6),
                List.of("10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s"));
        int y = TOP;
        Scenario scenario = null;
        for (Summary.Row row : rows) {
            if (!row.scenario().equals(scenario)) {
                scenario = row.scenario();
                y += ROW;
                text(20, y, "title", scenario.toString());
            }
            draw(row, y, throughput, latency);
            y += ROW;
        }
        return out.append("</svg>\n").toString();
    }

    private void draw(Summary.Row row, int y, Axis throughput, Axis latency) {
        String colour = COLOURS.get(row.system());
        text(LABELS - 12, y, "end", row.system());
        if (!Double.isNaN(row.tps())) {
            out.append(String.format(Locale.ROOT, "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"11\" fill=\"%s\"/>%n", LABELS, y - 10, throughput.x(row.tps()) - LABELS, colour));
            text((int) throughput.x(row.tps()) + 5, y, "dim", (row.lowerBound() ? "&gt; " : "") + String.format(Locale.ROOT, "%,.0f", row.tps()));
        }
        if (!Double.isNaN(row.p50())) {
            out.append(String.format(Locale.ROOT, "<path d=\"M%.1f %d H%.1f M%.1f %d v8\" stroke=\"%s\" stroke-width=\"2\"/><circle cx=\"%.1f\" cy=\"%d\" r=\"4\" fill=\"%s\"/>%n",
                    latency.x(row.p50()), y - 4, latency.x(row.p999()), latency.x(row.p50()), y - 8, colour, latency.x(row.p99()), y - 4, colour));
        }
    }

    private void text(int x, int y, String style, String text) {
        out.append("<text x=\"").append(x).append("\" y=\"").append(y).append("\" class=\"").append(style).append("\">").append(text).append("</text>\n");
    }

    private final class Axis {

        private final int left;
        private final double lowest;
        private final double highest;

        Axis(int left, double lowest, double highest) {
            this.left = left;
            this.lowest = lowest;
            this.highest = highest;
        }

        double x(double value) {
            double share = Math.log(value / lowest) / Math.log(highest / lowest);
            return left + PANEL * Math.max(0, Math.min(1, share));
        }

        void draw(int bottom, String title, List<Double> marks, List<String> labels) {
            text(left, TOP - 14, "dim", title.replace(">", "&gt;"));
            for (int i = 0; i < marks.size(); i++) {
                out.append(String.format(Locale.ROOT, "<path d=\"M%.1f %d V%d\" class=\"grid\"/>%n", x(marks.get(i)), TOP, bottom));
                text((int) x(marks.get(i)), bottom + 18, "middle dim", labels.get(i));
            }
        }
    }
}
