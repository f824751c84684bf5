package org.fencepost.audit.models;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fencepost.audit.text.Json;
import org.fencepost.audit.text.Tlc;

/**
 * What is kept of a run in its folder, beside TLC's log: enough to judge it again without running it, a hash of its inputs that tells
 * whether that would show the same, and a hash of all this and the log. What was damaged is run again. A run of which nothing could be said
 * is not kept.
 */
final class PastRun {
    private static final String FILE = "run.json";

    private PastRun() {}

    static void keep(Result result, String inputs, int workers) throws IOException {
        if (result.verdict().kind() == Verdict.Kind.UNKNOWN) {
            return;
        }
        Map<String, Object> kept = new LinkedHashMap<>();
        kept.put("inputs", inputs);
        kept.put("exit", result.exit());
        kept.put("seconds", result.seconds());
        kept.put("workers", workers);
        kept.put("command", result.command());
        kept.put("sha256", hash(kept, result.folder()));
        Files.writeString(result.folder().resolve(FILE), Json.write(kept) + "\n");
    }

    /** The result of a job as an earlier run with these inputs left it in one of the folders of results, or null. */
    static Result find(Job job, String inputs, List<Path> folders) {
        for (Path root : folders) {
            Path folder = root.toAbsolutePath().normalize().resolve(job.spec()).resolve(job.name());
            if (Files.isRegularFile(folder.resolve(FILE))) {
                Result found = read(job, inputs, folder);
                if (found != null && found.verdict().kind() != Verdict.Kind.UNKNOWN) {
                    return found;
                }
            }
        }
        return null;
    }

    private static Result read(Job job, String inputs, Path folder) {
        try {
            Map<?, ?> kept = (Map<?, ?>) Json.read(Files.readString(folder.resolve(FILE)));
            if (!inputs.equals(kept.get("inputs")) || !hash(kept, folder).equals(kept.get("sha256"))) {
                return null;
            }
            TlcOutput output = new TlcOutput();
            Files.readAllLines(folder.resolve("tlc.out")).forEach(output::line);
            int exit = ((Long) kept.get("exit")).intValue();
            List<String> command = ((List<?>) kept.get("command")).stream().map(Object::toString).toList();
            return new Result(job, Verdict.of(job, output, exit, kept.get("workers").equals(1L)), output, exit,
                    ((Number) kept.get("seconds")).doubleValue(), command, folder, true);
        } catch (IOException | RuntimeException e) {
            return null; // half-written, or by another version: the run is made again
        }
    }

    /** Of what is kept but for this hash, and of the log. */
    private static String hash(Map<?, ?> kept, Path folder) throws IOException {
        Map<Object, Object> rest = new LinkedHashMap<>(kept);
        rest.remove("sha256");
        return Tlc.sha256((Json.write(rest) + Tlc.sha256(Files.readAllBytes(folder.resolve("tlc.out")))).getBytes(StandardCharsets.UTF_8));
    }
}
