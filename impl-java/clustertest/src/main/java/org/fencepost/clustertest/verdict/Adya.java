package org.fencepost.clustertest.verdict;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.fencepost.audit.text.Json;

/**
 * Runs adya, which looks for Adya's phenomena in a history as Elle does. It is a program of its own, from crates.io, in a version that is
 * pinned here and in {@code cluster/adya}; histories that {@link Validator} finds a defect in are not for it.
 */
public final class Adya {

    static final String VERSION = "0.1.0";

    private Adya() {
    }

    /** The program; null where it is not installed. */
    public static Path find() {
        String named = System.getenv("ADYA");
        Path program = Path.of(named == null || named.isBlank() ? "target/adya/bin/adya" : named);
        return Files.isExecutable(program) ? program.toAbsolutePath() : null;
    }

    /**
     * Judges a history file in JSON.
     *
     * @param lists  list-append; otherwise rw-register
     * @param model  a consistency model, by Elle's name
     * @param report where its report goes
     */
    public static Verdict check(Path program, Path history, boolean lists, String model, Path report) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(program.toString(), "check", "-m", lists ? "list-append" : "rw-register", "-c", model,
                "--cycle-search-timeout", "10000", "--json", history.toString()).redirectErrorStream(true).redirectOutput(report.toFile()).start();
        int code = process.waitFor();
        String said = Files.readString(report, StandardCharsets.UTF_8);
        return switch (code) {
            case 0 -> Verdict.valid("adya found no phenomenon that " + model + " forbids");
            case 1 -> Verdict.invalid("adya found " + anomalies(said) + ": the history is not " + model + " (" + report.getFileName() + ")");
            case 2 -> Verdict.unknown("adya could not tell (" + report.getFileName() + ")");
            default -> Verdict.unknown("adya failed: " + said.strip().lines().findFirst().orElse("it ended with " + code));
        };
    }

    private static String anomalies(String report) {
        return Json.read(report) instanceof Map<?, ?> map && map.get("anomaly_types") != null ? map.get("anomaly_types").toString() : "anomalies";
    }
}
