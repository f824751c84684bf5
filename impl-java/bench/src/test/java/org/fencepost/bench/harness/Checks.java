package org.fencepost.bench.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** What the tests of both benchmarks look at. */
public final class Checks {

    private Checks() {
    }

    /** It prints this sentence and nothing else, and its exit code is 2. */
    public static void assertRefused(String sentence, CommandLine benchmark, String... arguments) {
        PrintStream before = System.err;
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
        try {
            assertEquals(2, benchmark.execute(arguments));
        } finally {
            System.setErr(before);
        }
        assertEquals(sentence + "\n", errors.toString(StandardCharsets.UTF_8));
    }

    /** The rows, by the names of their columns. */
    public static List<Map<String, String>> csv(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file).stream().filter(line -> !line.startsWith("#")).toList();
        String[] names = lines.get(0).split(",");
        List<Map<String, String>> rows = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] values = line.split(",", -1);
            assertEquals(names.length, values.length, line);
            Map<String, String> row = new HashMap<>();
            for (int i = 0; i < names.length; i++) {
                row.put(names[i], values[i]);
            }
            rows.add(row);
        }
        return rows;
    }
}
