package org.fencepost.audit.traces;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fencepost.audit.text.Json;
import org.fencepost.audit.text.Tlc;

/**
 * One process of TLC over some traces, which it searches side by side: a start costs as much as a few traces. The trace spec, its
 * configuration and the log are in a folder of its own.
 */
final class TraceRun {
    /** How far a trace was matched; complete unless the search was given up. */
    record Match(int events, boolean complete) {}

    private static final int FEW = 8;

    private final Path specs;
    private final Path folder;
    private final Tlc tlc;
    private final int timeoutSeconds;

    TraceRun(Path specs, Path folder, Tlc tlc, int timeoutSeconds) {
        this.specs = specs.toAbsolutePath();
        this.folder = folder.toAbsolutePath();
        this.tlc = tlc;
        this.timeoutSeconds = timeoutSeconds;
    }

    /** How far each trace of a protocol is matched, in their order; null where TLC did not come to its end, see {@link #log}. */
    List<Match> match(String protocol, List<Path> traces) throws IOException, InterruptedException {
        Path results = folder.resolve("results");
        Files.deleteIfExists(results);
        if (run(protocol, traces, protocol + "Trace", null) != 0) {
            return null;
        }
        return Files.readAllLines(results).stream().map(line -> line.split(" "))
                .map(line -> new Match(Integer.parseInt(line[0]), line[2].equals("false"))).toList();
    }

    /** Runs a module of this text, which extends the trace spec, and returns what it printed. */
    List<String> print(String protocol, Path trace, String module, String text) throws IOException, InterruptedException {
        run(protocol, List.of(trace), module, text);
        return Files.readAllLines(log());
    }

    Path log() {
        return folder.resolve("tlc.out");
    }

    /** Those of an earlier run: TLC would take them for those of the specs. */
    private void deleteModules() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path module : files.filter(file -> file.toString().endsWith(".tla")).toList()) {
                Files.delete(module);
            }
        }
    }

    private int run(String protocol, List<Path> traces, String module, String text) throws IOException, InterruptedException {
        Files.createDirectories(folder.resolve("tmp"));
        deleteModules();
        Path source = specs.resolve("traces");
        if (text == null) {
            Files.writeString(folder.resolve(module + ".tla"), Files.readString(source.resolve(module + ".tla")));
        } else {
            Files.writeString(folder.resolve(module + ".tla"), text);
        }
        String config = Files.readString(source.resolve(protocol + "Trace.cfg"));
        Files.writeString(folder.resolve(module + ".cfg"), text == null ? config : config.replace("CONSTRAINT GoesOn", "CONSTRAINT Explain"));
        Files.write(folder.resolve("traces"), traces.stream().map(t -> t.toAbsolutePath().toString()).toList());
        Process process = new ProcessBuilder(command(module, traces.size())).directory(folder.toFile()).redirectErrorStream(true)
                .redirectOutput(log().toFile()).start();
        try {
            return process.waitFor(timeoutSeconds, TimeUnit.SECONDS) ? process.exitValue() : -1;
        } finally {
            process.destroyForcibly();
        }
    }

    private List<String> command(String module, int traces) {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC", "-Xmx1g", "-Xss16m", "-Djava.io.tmpdir=" + folder.resolve("tmp")));
        if (traces <= FEW) { // over before the optimising compiler has paid for itself
            command.add("-XX:TieredStopAtLevel=1");
        }
        command.add("-DTLA-Library=" + specs + File.pathSeparator + specs.resolve("traces"));
        command.add("-D" + TraceOverrides.TRACES + "=" + folder.resolve("traces"));
        command.add("-D" + TraceOverrides.RESULTS + "=" + folder.resolve("results"));
        String classes = Stream.concat(Json.places().stream(), Stream.of(tlc.jar())).map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        command.addAll(List.of("-cp", classes, "tlc2.TLC", "-workers", "1", "-fp", "0", "-checkpoint", "0"));
        command.addAll(List.of("-metadir", folder.resolve("states").toString(), "-config", module + ".cfg", module + ".tla"));
        return command;
    }
}
