package org.fencepost.clustertest.verdict;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Draws a run over time: the latency of each operation, on a logarithmic scale, and how many ended per second; by how they ended. Shaded where a fault was in
 * effect, with a line where a primary changed or a region moved. Follows the reader's light or dark scheme, for
 * which plotting libraries have no way.
 */
public final class Plots {

    private static final int WIDTH = 1000;
    private static final int HEIGHT = 420;
    private static final int LEFT = 70;
    private static final int RIGHT = 20;
    private static final int TOP = 60;
    private static final int BOTTOM = 50;
    /** Of dots; of more operations some are left out. */
    private static final int DOTS = 6_000;
    private static final double NANOS = 1e9;
    private static final Op.Type[] ENDS = {Op.Type.ok, Op.Type.fail, Op.Type.info};

    private static final String STYLE = """
            <style>
              :root { --paper: #ffffff; --ink: #1f2328; --dim: #656d76; --line: #d0d7de; --ok: #0a58a8; --fail: #b45309; --info: #a3266e; --fault: #d1242f; }
              @media (prefers-color-scheme: dark) {
                :root { --paper: #14181d; --ink: #e6edf3; --dim: #9aa5b1; --line: #3a434d; --ok: #79b8ff; --fail: #f0a95b; --info: #ff7bc0; --fault: #ff6b6b; }
              }
              text { font: 12px system-ui, sans-serif; fill: var(--ink); } .dim { fill: var(--dim); } .title { font-weight: 700; } .end { text-anchor: end; }
              .middle { text-anchor: middle; } .grid { stroke: var(--line); } .fault { fill: var(--fault); opacity: 0.12; } .mark { stroke: var(--fault); opacity: 0.5; }
              .ok { fill: var(--ok); stroke: var(--ok); } .fail { fill: var(--fail); stroke: var(--fail); } .info { fill: var(--info); stroke: var(--info); }
              polyline { fill: none !important; stroke-width: 1.5; } circle { opacity: 0.6; stroke: none; }
            </style>
            """;

    private final List<Op> history;
    private final double seconds;
    private final StringBuilder out = new StringBuilder();

    private Plots(List<Op> history) {
        this.history = history;
        this.seconds = Math.max(1, history.isEmpty() ? 1 : history.get(history.size() - 1).time() / NANOS);
    }

    public static String latency(List<Op> history, String title) {
        return new Plots(history).latency(title);
    }

    public static String throughput(List<Op> history, String title) {
        return new Plots(history).throughput(title);
    }

    // ---- the two pictures

    private String latency(String title) {
        List<Judge.Pair> pairs = Judge.Pair.of(history);
        begin("Latency, by how operations ended: " + title);
        for (double ms = 0.1; ms <= 100_000; ms *= 10) {
            grid(logarithmic(ms), ms < 1_000 ? plain(ms) + " ms" : plain(ms / 1_000) + " s");
        }
        int every = 1 + pairs.size() / DOTS;
        for (int i = 0; i < pairs.size(); i++) {
            Judge.Pair pair = pairs.get(i);
            if (i % every == 0 || pair.completed().type() == Op.Type.info) {
                out.append(String.format(Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.6\" class=\"%s\"/>%n", x(pair.completed().time() / NANOS),
                        logarithmic((pair.completed().time() - pair.invoked().time()) / 1e6), pair.completed().type()));
            }
        }
        return end();
    }

    private static double logarithmic(double ms) {
        double share = Math.log10(Math.max(0.1, Math.min(100_000, ms)) / 0.1) / 6;
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
    }

    private String throughput(String title) {
        Map<Op.Type, int[]> perSecond = new HashMap<>();
        for (Op.Type type : ENDS) {
            perSecond.put(type, new int[(int) seconds + 1]);
        }
        history.stream().filter(op -> op.isClient() && op.type() != Op.Type.invoke).forEach(op -> perSecond.get(op.type())[(int) (op.time() / NANOS)]++);
        int highest = 1;
        for (int[] counts : perSecond.values()) {
            for (int count : counts) {
                highest = Math.max(highest, count);
            }
        }
        begin("Operations ended per second: " + title);
        double step = Math.pow(10, Math.floor(Math.log10(highest)));
        for (double mark = 0; mark <= highest; mark += highest / step < 3 ? step / 2 : step) {
            grid(linear(mark, highest), plain(mark));
        }
        for (Op.Type type : ENDS) {
            StringBuilder points = new StringBuilder();
            int[] counts = perSecond.get(type);
            for (int i = 0; i < counts.length; i++) {
                points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(Math.min(seconds, i + 0.5)), linear(counts[i], highest)));
            }
            out.append("<polyline class=\"").append(type).append("\" points=\"").append(points).append("\"/>\n");
        }
        return end();
    }

    private static double linear(double value, double highest) {
        return HEIGHT - BOTTOM - value / highest * (HEIGHT - TOP - BOTTOM);
    }

    // ---- what both have

    private double x(double second) {
        return LEFT + second / seconds * (WIDTH - LEFT - RIGHT);
    }

    private void begin(String title) {
        out.append(String.format(Locale.ROOT, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">%n%s<rect width=\"100%%\" height=\"100%%\" fill=\"var(--paper)\"/>%n",
                WIDTH, HEIGHT, STYLE));
        text(20, 24, "title", title);
        int at = LEFT;
        for (Op.Type type : ENDS) {
            out.append(String.format(Locale.ROOT, "<rect x=\"%d\" y=\"34\" width=\"10\" height=\"10\" class=\"%s\"/>%n", at, type));
            text(at + 15, 44, "dim", type == Op.Type.info ? "unknown" : type.name());
            at += 80;
        }
        out.append(String.format(Locale.ROOT, "<rect x=\"%d\" y=\"34\" width=\"10\" height=\"10\" class=\"fault\"/>%n", at));
        text(at + 15, 44, "dim", "fault (a line: another primary, a region moved)");
        faults();
        double step = Math.max(1, Math.pow(10, Math.floor(Math.log10(seconds))) / 2);
        for (double second = 0; second <= seconds; second += step) {
            text((int) x(second), HEIGHT - BOTTOM + 18, "middle dim", plain(second));
        }
        text((int) x(seconds / 2), HEIGHT - 12, "middle dim", "seconds");
    }

    private void faults() {
        Map<String, Op> started = new HashMap<>();
        List<double[]> spans = new ArrayList<>();
        for (Op op : history) {
            if (op.isClient()) {
                continue;
            }
            if (op.f().equals("failover") || op.f().equals("start-move-region")) {
                out.append(String.format(Locale.ROOT, "<path class=\"mark\" d=\"M%.1f %d V%d\"/>%n", x(op.time() / NANOS), TOP, HEIGHT - BOTTOM));
            } else if (op.f().startsWith("start-")) {
                started.putIfAbsent(op.f().substring("start-".length()), op);
            } else if (op.f().startsWith("stop-") && started.containsKey(op.f().substring("stop-".length()))) {
                spans.add(new double[] {started.remove(op.f().substring("stop-".length())).time() / NANOS, op.time() / NANOS});
            }
        }
        started.values().forEach(op -> spans.add(new double[] {op.time() / NANOS, seconds}));
        spans.forEach(span -> out.append(String.format(Locale.ROOT, "<rect class=\"fault\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>%n", x(span[0]), TOP,
                Math.max(1, x(span[1]) - x(span[0])), HEIGHT - TOP - BOTTOM)));
    }

    private void grid(double y, String label) {
        out.append(String.format(Locale.ROOT, "<path class=\"grid\" d=\"M%d %.1f H%d\"/>%n", LEFT, y, WIDTH - RIGHT));
        text(LEFT - 8, (int) y + 4, "end dim", label);
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.1f", value);
    }

    private void text(int x, int y, String style, String text) {
        out.append("<text x=\"").append(x).append("\" y=\"").append(y).append("\" class=\"").append(style).append("\">")
                .append(text.replace("&", "&amp;").replace("<", "&lt;")).append("</text>\n");
    }

    private String end() {
        return out.append("</svg>\n").toString();
    }
}
