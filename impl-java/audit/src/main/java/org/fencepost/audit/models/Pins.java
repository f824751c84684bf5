package org.fencepost.audit.models;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Writes what a passing run has counted and reached into its model's header. */
final class Pins {
    private Pins() {}

    /** Replaces the fields where they are, or adds them below {@code expect}; leaves everything else as it is. */
    static void write(Path file, long states, Integer depth, int checks, Collection<String> witnesses) throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        set(lines, "checks", checks);
        set(lines, "witnesses", witnesses.isEmpty() ? null : String.join(", ", witnesses));
        set(lines, "depth", depth);
        set(lines, "states", states);
        Files.write(file, lines);
    }

    private static void set(List<String> lines, String field, Object value) {
        if (value == null) {
            return;
        }
        String line = "\\* " + field + ": " + value;
        int below = -1;
        for (int i = 0; i < lines.size() && (lines.get(i).isBlank() || lines.get(i).strip().startsWith("\\*")); i++) {
            if (lines.get(i).matches("\\s*\\\\\\*\\s*" + field + "\\s*:.*")) {
                while (lines.get(i).endsWith(",")) {
                    lines.set(i, lines.remove(i + 1)); // it goes on there
                }
                lines.set(i, line);
                return;
            }
            below = lines.get(i).matches("\\s*\\\\\\*\\s*expect\\s*:.*") ? i : below;
        }
        lines.add(below + 1, line);
    }
}
