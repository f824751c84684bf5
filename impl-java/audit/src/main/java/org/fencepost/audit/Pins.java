package org.fencepost.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes the counts of a passing run into its model's header. */
final class Pins {
  private Pins() {}

  /** Replaces the fields where they are, or adds them below {@code expect}; leaves everything else as it is. */
  static void write(Path file, long states, Integer depth) throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    set(lines, "depth", depth);
    set(lines, "states", states);
    Files.write(file, lines);
  }

  private static void set(List<String> lines, String field, Number value) {
    if (value == null) {
      return;
    }
    String line = "\\* " + field + ": " + value;
    int below = -1;
    for (int i = 0; i < lines.size() && (lines.get(i).isBlank() || lines.get(i).strip().startsWith("\\*")); i++) {
      if (lines.get(i).matches("\\s*\\\\\\*\\s*" + field + "\\s*:.*")) {
        lines.set(i, line);
        return;
      }
      below = lines.get(i).matches("\\s*\\\\\\*\\s*expect\\s*:.*") ? i : below;
    }
    lines.add(below + 1, line);
  }
}
