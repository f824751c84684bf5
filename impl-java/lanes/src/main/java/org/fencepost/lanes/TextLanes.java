package org.fencepost.lanes;

import java.util.ArrayList;
import java.util.List;

/** Draws a swim lane as text of a given width; wider only where there are more lanes than fit. */
public final class TextLanes {
    private static final int ACTION_WIDTH = 22;
    private static final int LEAST_LANE = 8;

    private TextLanes() {}

    public static String draw(SwimLane picture, int width) {
        List<List<List<String>>> rows = new ArrayList<>(); // row, column, lines
        List<List<String>> head = new ArrayList<>(List.of(List.of("#"), List.of("action")));
        picture.lanes().forEach(lane -> head.add(List.of(lane.label())));
        rows.add(head);
        for (SwimLane.Row row : picture.rows()) {
            List<List<String>> cells = new ArrayList<>();
            cells.add(List.of((row.marked() ? "▶ " : "") + row.number()));
            cells.add(row.source().isEmpty() ? List.of(row.action()) : List.of(row.action(), row.source()));
            picture.lanes().forEach(lane -> cells.add(row.cells().getOrDefault(lane, List.of())));
            rows.add(cells);
        }
        int[] widths = widths(rows, width);
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < rows.size(); i++) {
            drawRow(rows.get(i), widths, out);
            drawRule(i == 0 ? '─' : ' ', i == 0 ? '┼' : '│', i + 1 < rows.size(), widths, out);
        }
        if (picture.ending() != null) {
            Wrap.lines("↻ " + picture.ending(), width).forEach(line -> out.append(line).append('\n'));
        }
        for (String paragraph : picture.lesson()) {
            out.append('\n');
            Wrap.lines(paragraph, width).forEach(line -> out.append(line.strip()).append('\n'));
        }
        return out.toString();
    }

    private static int[] widths(List<List<List<String>>> rows, int total) {
        int columns = rows.get(0).size();
        int[] wanted = new int[columns];
        for (List<List<String>> row : rows) {
            for (int c = 0; c < columns; c++) {
                for (String line : row.get(c)) {
                    wanted[c] = Math.max(wanted[c], line.length());
                }
            }
        }
        wanted[1] = Math.min(wanted[1], ACTION_WIDTH);
        int[] shared = Wrap.share(wanted, total - 3 * (columns - 1), LEAST_LANE);
        shared[0] = wanted[0];
        return shared;
    }

    private static void drawRow(List<List<String>> cells, int[] widths, StringBuilder out) {
        List<List<String>> wrapped = new ArrayList<>();
        int height = 1;
        for (int c = 0; c < widths.length; c++) {
            wrapped.add(Wrap.all(cells.get(c), widths[c]));
            height = Math.max(height, wrapped.get(c).size());
        }
        for (int y = 0; y < height; y++) {
            StringBuilder line = new StringBuilder();
            for (int c = 0; c < widths.length; c++) {
                String text = y < wrapped.get(c).size() ? wrapped.get(c).get(y) : "";
                line.append(c == 0 ? " ".repeat(widths[0] - text.length()) + text : text + " ".repeat(widths[c] - text.length()))
                        .append(c + 1 < widths.length ? " │ " : "");
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
    }

    private static void drawRule(char dash, char cross, boolean wanted, int[] widths, StringBuilder out) {
        if (!wanted) {
            return;
        }
        StringBuilder line = new StringBuilder();
        for (int c = 0; c < widths.length; c++) {
            line.append(String.valueOf(dash).repeat(widths[c])).append(c + 1 < widths.length ? "" + dash + cross + dash : "");
        }
        out.append(line.toString().stripTrailing()).append('\n');
    }
}
