package org.fencepost.bench.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What a benchmark leaves behind: all that was measured as CSV, the same with machine, commit and settings as JSON, a plot. */
public final class ResultFiles {

    private ResultFiles() {
    }

    /**
     * @param name     of the three files, without ending
     * @param columns  of the CSV
     * @param rows     of the CSV, one list of fields each
     * @param settings a JSON object
     * @param parts    the rest of the JSON, by name, in this order
     */
    public static void write(Path directory, String name, Machine machine, String columns, List<List<String>> rows, String settings,
            Map<String, String> parts, String svg) throws IOException {
        Files.createDirectories(directory);
        StringBuilder csv = new StringBuilder("# " + machine + "\n" + columns + "\n");
        rows.forEach(row -> csv.append(String.join(",", row)).append('\n'));
        Files.writeString(directory.resolve(name + ".csv"), csv);
        StringBuilder json = new StringBuilder("{\n  \"machine\": " + machine.json() + ",\n  \"settings\": " + settings);
        parts.forEach((part, value) -> json.append(",\n  \"").append(part).append("\": ").append(value));
        Files.writeString(directory.resolve(name + ".json"), json.append("\n}\n"));
        Files.writeString(directory.resolve(name + ".svg"), svg);
        System.out.println("Written: " + directory.resolve(name + ".csv") + ", " + name + ".json, " + name + ".svg.");
    }
}
