package org.fencepost.lanes;

import java.util.ArrayList;
import java.util.List;

/** Breaks text into lines of limited width. */
public final class Wrap {
    private Wrap() {}

    /** Breaks at blanks, within a longer word where it must; the lines after the first are indented by one. */
    public static List<String> lines(String text, int width) {
        List<String> lines = new ArrayList<>();
        String rest = text.strip();
        String indent = "";
        while (indent.length() + rest.length() > width) {
            int room = Math.max(1, width - indent.length());
            int cut = rest.lastIndexOf(' ', room);
            if (cut <= 0) {
                cut = breakWithin(rest, room);
            }
            lines.add(indent + rest.substring(0, cut).stripTrailing());
            rest = rest.substring(cut).strip();
            indent = width > 2 ? " " : "";
        }
        lines.add(indent + rest);
        return lines;
    }

    /** Rather after punctuation, or where a lower-case letter meets an upper-case one, than anywhere. */
    private static int breakWithin(String word, int room) {
        for (int i = room; i > room / 2; i--) {
            char left = word.charAt(i - 1);
            char right = word.charAt(i);
            if (",:=".indexOf(left) >= 0 || ".[".indexOf(right) >= 0 || Character.isLowerCase(left) && Character.isUpperCase(right)) {
                return i;
            }
        }
        return room;
    }

    static List<String> all(List<String> texts, int width) {
        return texts.stream().flatMap(t -> lines(t, width).stream()).toList();
    }

    /**
     * Shares a total width among columns: each gets what it wants where that is possible; what the small ones leave over goes to the large.
     * No column gets less than {@code least} (or what it wants, if that is less), even if the total is exceeded.
     */
    public static int[] share(int[] wanted, int total, int least) {
        int[] widths = new int[wanted.length];
        List<Integer> open = new ArrayList<>();
        int left = total;
        for (int i = 0; i < wanted.length; i++) {
            open.add(i);
        }
        while (!open.isEmpty()) {
            int fair = left / open.size();
            List<Integer> content = open.stream().filter(i -> wanted[i] <= fair).toList();
            if (content.isEmpty()) {
                for (int i : open) {
                    widths[i] = Math.min(wanted[i], Math.max(least, fair));
                }
                break;
            }
            for (int i : content) {
                widths[i] = wanted[i];
                left -= wanted[i];
            }
            open.removeAll(content);
        }
        return widths;
    }
}
