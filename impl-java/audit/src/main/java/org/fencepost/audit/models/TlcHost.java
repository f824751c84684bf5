package org.fencepost.audit.models;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.fencepost.audit.text.Folders;
import org.fencepost.audit.text.Tlc;

/**
 * A JVM that runs TLC for one job after another, for a start takes longer than most mutants live. TLC keeps some of what it knows in static
 * fields and was not made for that. So only those jobs come here that must find a violation ({@link Job#mayShare}), or whose graph has a pinned
 * size, where it is drawn ({@link StateGraphs}) or the spec has been changed ({@link Runner#inTurn}), all of one spec; and what did not end as
 * expected here counts for nothing, but is run again in a JVM of its own.
 */
final class TlcHost implements AutoCloseable {
    private final List<String> jvm;
    private final Path tmp;
    private final Process process;
    private final BufferedReader said;
    private final Writer runs;

    private TlcHost(List<String> jvm, Path tmp, Process process) {
        this.jvm = jvm;
        this.tmp = tmp;
        this.process = process;
        this.said = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.runs = process.outputWriter(StandardCharsets.UTF_8);
    }

    /** @param jvm the command that starts the JVM, without class path and main class */
    static TlcHost start(List<String> jvm, Path tlc, Path tmp) throws IOException {
        List<String> command = new ArrayList<>(jvm);
        String classes = tlc + File.pathSeparator + Tlc.placeOf(TlcLoop.class);
        command.addAll(List.of("-Djava.io.tmpdir=" + Files.createDirectories(tmp), "-cp", classes, TlcLoop.class.getName()));
        return new TlcHost(jvm, tmp, new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /** Whether it is such a JVM, and lives. */
    boolean is(List<String> wanted) {
        return process.isAlive() && jvm.equals(wanted);
    }

    Process process() {
        return process;
    }

    /**
     * @param lines gets what TLC says
     * @return TLC's exit code; that of the JVM where it has died
     */
    int run(Path folder, List<String> arguments, Consumer<String> lines) throws IOException, InterruptedException {
        List<String> parts = new ArrayList<>(List.of(folder.toString()));
        parts.addAll(arguments);
        runs.write(String.join(TlcLoop.SEPARATOR, parts) + "\n");
        runs.flush();
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith(TlcLoop.END)) {
                return Integer.parseInt(line.substring(TlcLoop.END.length()));
            }
            lines.accept(line);
        }
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        Folders.deleteQuietly(tmp);
    }
}
