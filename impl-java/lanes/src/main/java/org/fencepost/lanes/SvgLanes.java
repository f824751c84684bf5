package org.fencepost.lanes;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Draws a swim lane as one self-contained SVG that follows the reader's light or dark scheme. By hand: what libraries lay out are graphs and
 * charts, not lanes.
 */
public final class SvgLanes {
    private static final double CHAR = 7.3; // advance of a 12 px monospace character, rounded up
    private static final int LINE = 16;
    private static final int PAD = 8;
    private static final int MARGIN = 20;
    private static final int NUMBER_CHARS = 3;
    private static final int ACTION_CHARS = 26;
    private static final int LANE_CHARS = 30;
    private static final int LEAST_CHARS = 12;
    private static final int REST = 6; // steps' time that the whole stands there before it begins again
    private static final String STYLE = """
            <style>
              :root { --paper: #ffffff; --ink: #1f2328; --dim: #656d76; --line: #d0d7de; --head: #f3f5f7; --mark: #0a58a8; --cell: #eaf2fb; --bad: #b42318; --look: #fdecea; }
              @media (prefers-color-scheme: dark) {
                :root { --paper: #14181d; --ink: #e6edf3; --dim: #9aa5b1; --line: #3a434d; --head: #1d232a; --mark: #79b8ff; --cell: #1b2a3b; --bad: #ff8f85; --look: #3a2022; }
              }
              text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: var(--ink); white-space: pre; }
              .title { font-size: 14px; font-weight: 700; } .head { font-weight: 700; } .dim { fill: var(--dim); } .action { fill: var(--mark); font-weight: 700; }
              .bad { fill: var(--bad); font-weight: 700; } .lane { stroke: var(--line); } .rule { stroke: var(--line); stroke-dasharray: 2 4; }
            </style>
            """;

    private final SwimLane picture;
    /** Between one step and the next; 0 where all stand there at once. */
    private final double seconds;
    private final StringBuilder body = new StringBuilder();
    private final int[] chars; // text width of each column: number, action, lanes
    private final int[] left;
    private int right;
    private int y = MARGIN;

    private SvgLanes(SwimLane picture, double seconds) {
        this.picture = picture;
        this.seconds = seconds;
        this.chars = columnChars(picture);
        this.left = new int[chars.length];
        right = MARGIN;
        for (int c = 0; c < chars.length; c++) {
            left[c] = right;
            right += (int) Math.ceil(chars[c] * CHAR) + 2 * PAD;
        }
        right = Math.max(right, MARGIN + (int) (72 * CHAR));
    }

    public static String draw(SwimLane picture) {
        return new SvgLanes(picture, 0).draw();
    }

    /**
     * The same as a recording, over and over: one step appears after the other, and what it teaches in the end. Who wants less motion sees it
     * all at once.
     *
     * @param seconds between one step and the next
     */
    public static String play(SwimLane picture, double seconds) {
        return new SvgLanes(picture, seconds).draw();
    }

    /** When each step appears, the last of which is the lesson. */
    private String times() {
        int steps = picture.rows().size() + 1;
        double all = seconds * (steps + REST);
        StringBuilder out = new StringBuilder("<style>\n@media (prefers-reduced-motion: no-preference) {\n");
        for (int i = 2; i <= steps; i++) {
            double begins = 100 * seconds * (i - 1) / all;
            out.append(String.format(Locale.ROOT, "@keyframes at%d { 0%%, %.2f%% { opacity: 0 } %.2f%%, 100%% { opacity: 1 } } .at%1$d { animation: at%1$d %.0fs infinite }%n",
                    i, begins - 0.01, begins, all));
        }
        return out.append("}\n</style>\n").toString();
    }

    private void group(int step, StringBuilder out) {
        if (seconds > 0) {
            out.append("<g class=\"at").append(step).append("\">\n");
        }
    }

    private void endGroup(StringBuilder out) {
        out.append(seconds > 0 ? "</g>\n" : "");
    }

    private static int[] columnChars(SwimLane picture) {
        int[] chars = new int[2 + picture.lanes().size()];
        chars[0] = NUMBER_CHARS;
        chars[1] = ACTION_CHARS;
        for (int i = 0; i < picture.lanes().size(); i++) {
            SwimLane.Lane lane = picture.lanes().get(i);
            int wanted = Math.max(LEAST_CHARS, lane.label().length());
            for (SwimLane.Row row : picture.rows()) {
                for (String line : row.cells().getOrDefault(lane, List.of())) {
                    wanted = Math.max(wanted, line.length());
                }
            }
            chars[2 + i] = Math.min(wanted, Math.max(LANE_CHARS, lane.label().length()));
        }
        return chars;
    }

    private String draw() {
        text(MARGIN, y + 12, "title", picture.title());
        y += 32;
        int top = y;
        StringBuilder cells = new StringBuilder();
        rect(MARGIN, y, right - MARGIN, LINE + 2 * PAD, "var(--head)", cells);
        text(left[1] + PAD, y + PAD + 12, "head", "action");
        for (int i = 0; i < picture.lanes().size(); i++) {
            text(left[2 + i] + PAD, y + PAD + 12, "head", picture.lanes().get(i).label());
        }
        y += LINE + 2 * PAD;
        for (SwimLane.Row row : picture.rows()) {
            group(row.number(), cells);
            group(row.number(), body);
            drawRow(row, cells);
            endGroup(cells);
            endGroup(body);
        }
        for (int c = 1; c < left.length; c++) {
            cells.append(String.format("<line class=\"lane\" x1=\"%d\" y1=\"%d\" x2=\"%1$d\" y2=\"%d\"/>%n", left[c], top, y));
        }
        y += PAD;
        if (picture.ending() != null) {
            paragraph("head", "↻ " + picture.ending());
        }
        group(picture.rows().size() + 1, body);
        picture.lesson().forEach(p -> paragraph(p.startsWith("Violated") ? "bad" : "", p));
        endGroup(body);
        int width = right + MARGIN;
        int height = y + MARGIN - PAD;
        return String.format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %1$d %2$d\" role=\"img\">%n"
                + "<title>%s</title>%n", width, height, escape(picture.title())) + STYLE + (seconds > 0 ? times() : "")
                + String.format("<rect width=\"%d\" height=\"%d\" fill=\"var(--paper)\"/>%n", width, height) + cells + body + "</svg>\n";
    }

    private void drawRow(SwimLane.Row row, StringBuilder cells) {
        List<String> action = Wrap.lines(row.action(), chars[1]);
        List<String> source = row.source().isEmpty() ? List.of() : Wrap.lines(row.source(), chars[1]);
        List<List<String>> columns = new ArrayList<>();
        int height = action.size() + source.size();
        for (int i = 0; i < picture.lanes().size(); i++) {
            columns.add(Wrap.all(row.cells().getOrDefault(picture.lanes().get(i), List.of()), chars[2 + i]));
            height = Math.max(height, columns.get(i).size());
        }
        int bottom = y + height * LINE + 2 * PAD;
        if (row.marked()) {
            rect(MARGIN, y + 1, right - MARGIN, bottom - y - 2, "var(--look)", cells);
        }
        text(left[0] + PAD, y + PAD + 12, "dim", row.number() == 0 ? "" : Integer.toString(row.number()));
        lines(left[1] + PAD, y, "action", action);
        lines(left[1] + PAD, y + action.size() * LINE, "dim", source);
        for (int i = 0; i < columns.size(); i++) {
            if (!columns.get(i).isEmpty()) {
                rect(left[2 + i] + 2, y + 2, (int) Math.ceil(chars[2 + i] * CHAR) + 2 * PAD - 4, bottom - y - 4, "var(--cell)", cells);
                lines(left[2 + i] + PAD, y, "", columns.get(i));
            }
        }
        cells.append(String.format("<line class=\"rule\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%2$d\"/>%n", MARGIN, bottom, right));
        y = bottom;
    }

    private void paragraph(String css, String paragraph) {
        List<String> wrapped = Wrap.lines(paragraph, (int) ((right - MARGIN) / CHAR)).stream().map(String::strip).toList();
        lines(MARGIN, y, css, wrapped);
        y += wrapped.size() * LINE + PAD;
    }

    private void lines(int x, int top, String css, List<String> lines) {
        for (int i = 0; i < lines.size(); i++) {
            text(x, top + PAD + 12 + i * LINE, css, lines.get(i));
        }
    }

    private void text(int x, int baseline, String css, String text) {
        String style = css.isEmpty() ? "" : " class=\"" + css + "\"";
        body.append(String.format(Locale.ROOT, "<text x=\"%d\" y=\"%d\"%s>%s</text>%n", x, baseline, style, escape(text)));
    }

    private static void rect(int x, int y, int width, int height, String fill, StringBuilder out) {
        out.append(String.format("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\" fill=\"%s\"/>%n", x, y, width, height, fill));
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
