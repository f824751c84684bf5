package org.fencepost.bench.harness;

import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * One self-contained SVG that follows the reader's light or dark scheme: rows from the top down, panels side by side. By hand, since plotting
 * libraries write colours into each element, where no scheme can change them.
 */
public final class Svg {

    public static final String OURS = "var(--ours)";
    public static final String LL = "var(--ll)";
    public static final String PLAIN = "var(--plain)";
    public static final String DIM = "var(--dim)";
    /** Where the first row begins. */
    public static final int TOP = 84;

    private static final String STYLE = """
            <style>
              :root { --paper: #ffffff; --ink: #1f2328; --dim: #656d76; --line: #d0d7de; --ours: #0a58a8; --ll: #b45309; --plain: #8c6d46; }
              @media (prefers-color-scheme: dark) {
                :root { --paper: #14181d; --ink: #e6edf3; --dim: #9aa5b1; --line: #3a434d; --ours: #79b8ff; --ll: #f0a95b; --plain: #c2a57f; }
              }
              text { font: 12px system-ui, sans-serif; fill: var(--ink); } .dim { fill: var(--dim); } .title { font-weight: 700; }
              .grid { stroke: var(--line); } .end { text-anchor: end; } .middle { text-anchor: middle; }
            </style>
            """;

    private final StringBuilder out = new StringBuilder();
    private final int bottom;
    private final int panelWidth;

    /** @param bottom of the last row */
    public Svg(int width, int bottom, int panelWidth) {
        this(width, bottom, panelWidth, 0);
    }

    /** @param below so much room there is under the marks of the axes */
    public Svg(int width, int bottom, int panelWidth, int below) {
        this.bottom = bottom;
        this.panelWidth = panelWidth;
        out.append(String.format(Locale.ROOT, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">%n%s<rect width=\"100%%\" height=\"100%%\" fill=\"var(--paper)\"/>%n",
                width, bottom + 50 + below, STYLE));
    }

    public void title(String title, Machine machine) {
        text(20, 26, "title", title);
        text(20, 44, "dim", machine.toString());
    }

    public void text(int x, int y, String style, String text) {
        out.append("<text x=\"").append(x).append("\" y=\"").append(y).append("\" class=\"").append(style).append("\">")
                .append(text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")).append("</text>\n");
    }

    /** From x to x, in the row whose text stands at y. */
    public void bar(double from, double to, int y, String colour) {
        out.append(String.format(Locale.ROOT, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"11\" fill=\"%s\"/>%n", from, y - 10, to - from, colour));
    }

    /** A line whose beginning has a bar across it, and a dot on the way. */
    public void range(double from, double dot, double to, int y, String colour) {
        out.append(String.format(Locale.ROOT, "<path d=\"M%.1f %d H%.1f M%.1f %d v8\" stroke=\"%s\" stroke-width=\"2\"/><circle cx=\"%.1f\" cy=\"%d\" r=\"4\" fill=\"%s\"/>%n",
                from, y - 4, to, from, y - 8, colour, dot, y - 4, colour));
    }

    /** A filled field, faint or strong, from 0 to 1. */
    public void field(int x, int y, int width, int height, String colour, double strength) {
        out.append(String.format(Locale.ROOT, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\" fill-opacity=\"%.2f\"/>%n", x, y, width, height,
                colour, strength));
    }

    /** From point to point, with a dot at each. */
    public void lines(List<double[]> points, String colour) {
        StringJoiner line = new StringJoiner(" ");
        for (double[] point : points) {
            line.add(String.format(Locale.ROOT, "%.1f,%.1f", point[0], point[1]));
            out.append(String.format(Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>%n", point[0], point[1], colour));
        }
        out.append("<polyline points=\"").append(line).append("\" fill=\"none\" stroke=\"").append(colour).append("\"/>\n");
    }

    public Axis axis(int left, double lowest, double highest) {
        return new Axis(left, lowest, highest, true);
    }

    /** From zero, in even steps. */
    public Axis linear(int left, double highest) {
        return new Axis(left, 0, highest, false);
    }

    public String end() {
        return out.append("</svg>\n").toString();
    }

    /** The scale of a panel. */
    public final class Axis {

        private final int left;
        private final double lowest;
        private final double highest;
        private final boolean logarithmic;

        private Axis(int left, double lowest, double highest, boolean logarithmic) {
            this.left = left;
            this.lowest = lowest;
            this.highest = highest;
            this.logarithmic = logarithmic;
        }

        public double x(double value) {
            double share = logarithmic ? Math.log(value / lowest) / Math.log(highest / lowest) : (value - lowest) / (highest - lowest);
            return left + panelWidth * Math.max(0, Math.min(1, share));
        }

        public void draw(String title, List<Double> marks, List<String> labels) {
            text(left, TOP - 14, "dim", title);
            for (int i = 0; i < marks.size(); i++) {
                out.append(String.format(Locale.ROOT, "<path d=\"M%.1f %d V%d\" class=\"grid\"/>%n", x(marks.get(i)), TOP, bottom));
                text((int) x(marks.get(i)), bottom + 18, "middle dim", labels.get(i));
            }
        }
    }
}
