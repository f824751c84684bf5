package org.fencepost.audit.models;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.fencepost.audit.text.Folders;
import org.fencepost.audit.text.Tlc;

/**
 * One run of TLC in a folder of its own, which keeps the configuration, the module and the log.
 *
 * <p>Two quirks of 2.18 shape it. Modules on the library path are found only when the checked module lies in the working folder, so it is
 * copied there. And the standard modules are unpacked into {@code java.io.tmpdir} under fixed names, where runs side by side could read
 * each other's half-written files, so each run has its own. A process that stands still is ended and made once more.
 */
final class TlcRun {
    /**
     * How a run uses the machine.
     *
     * @param timeoutSeconds limit of each process
     * @param stillSeconds so long a process may go without states and CPU time
     */
    record Resources(int workers, int heapMiB, int timeoutSeconds, int stillSeconds) {
        private static final int STILL_SECONDS = 30;

        Resources(int workers, int heapMiB, int timeoutSeconds) {
            this(workers, heapMiB, timeoutSeconds, STILL_SECONDS);
        }
    }

    private static final int KILL_SECONDS = 10;
    /** Most of what TLC makes is garbage at once. Without this, the young generation begins with a small part of it, and grows late. */
    private static final int YOUNG_SHARE = 3;

    final Job job;
    private final Tlc tlc;
    private final List<Path> library;
    private final Path folder;
    private final Resources resources;
    private final List<String> options;
    private final TlcHost host;
    private volatile long startNanos;
    private volatile Process process;
    private volatile TlcOutput output = new TlcOutput();
    private int exit;

    TlcRun(Job job, Tlc tlc, List<Path> library, Path folder, Resources resources) {
        this(job, tlc, library, folder, resources, List.of(), null);
    }

    /**
     * @param options more of TLC's; relative paths begin in the folder of the run, or of the host
     * @param host runs it if it still lives, else a JVM of its own; null for the latter
     */
    TlcRun(Job job, Tlc tlc, List<Path> library, Path folder, Resources resources, List<String> options, TlcHost host) {
        this.job = job;
        this.tlc = tlc;
        this.library = library;
        this.folder = folder;
        this.resources = resources;
        this.options = options;
        this.host = host;
    }

    /** Seconds since TLC was started. */
    double seconds() {
        return startNanos == 0 ? 0 : (System.nanoTime() - startNanos) / 1e9;
    }

    /** What TLC has said by now. */
    TlcOutput output() {
        return output;
    }

    /** Runs TLC to its end. What goes wrong becomes the verdict {@code unknown}. */
    Result run() {
        startNanos = System.nanoTime();
        if (job.problem() != null) {
            return Result.notRun(job, folder, job.problem());
        }
        List<String> command = command();
        try {
            Watch.End end = execute(command);
            if (end == Watch.End.STOOD_STILL) {
                end = execute(command);
            }
            Verdict verdict = switch (end) {
                case TIMEOUT -> Verdict.unknown("stopped after " + resources.timeoutSeconds + " s: raise --timeout");
                case STOOD_STILL -> Verdict.unknown("TLC stood still for " + resources.stillSeconds + " s, twice: run it again, its log is in "
                        + folder);
                case ITSELF -> Verdict.of(job, output, exit, resources.workers == 1);
            };
            return new Result(job, verdict, output, exit, seconds(), command, folder);
        } catch (IOException e) {
            return Result.notRun(job, folder, "cannot run TLC: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Result.notRun(job, folder, "interrupted");
        } finally {
            if (host == null || process != host.process()) {
                kill();
            }
            Folders.deleteQuietly(folder.resolve("states"));
            Folders.deleteQuietly(folder.resolve("tmp"));
        }
    }

    void kill() {
        Process p = process;
        if (p != null) {
            p.destroyForcibly();
        }
    }

    private void prepare() throws IOException {
        Folders.deleteQuietly(folder);
        Files.createDirectories(folder.resolve("tmp"));
        Path module = job.file().resolveSibling(job.module() + ".tla");
        Files.copy(module, folder.resolve(module.getFileName()));
        Files.writeString(folder.resolve(job.name() + ".cfg"), job.config().toString());
    }

    /** TLC in a JVM of its own: what reproduces the run. */
    private List<String> command() {
        List<String> command = jvm(job, library, resources);
        command.addAll(List.of("-Djava.io.tmpdir=" + folder.resolve("tmp"), "-cp", tlc.jar().toString(), "tlc2.TLC"));
        command.addAll(tlcArguments());
        return command;
    }

    /** The command that starts a JVM for such a job; class path and main class come behind it. */
    static List<String> jvm(Job job, List<Path> library, Resources resources) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (resources.workers > 1) {
            command.add("-XX:+UseParallelGC");
        } else {
            command.add("-XX:+UseSerialGC");
            if (job.small()) {
                command.add("-XX:TieredStopAtLevel=1");
            }
        }
        command.add("-Xmx" + resources.heapMiB + "m");
        command.add("-Xmn" + resources.heapMiB / YOUNG_SHARE + "m");
        command.add("-XX:+ExitOnOutOfMemoryError");
        if (job.config().properties().isEmpty()) { // with liveness, TLC stops its workers to count, which is when it may never go on
            command.add("-Dtlc2.TLC.progressInterval=2000");
        }
        command.add("-DTLA-Library=" + library.stream().map(Path::toString).collect(Collectors.joining(java.io.File.pathSeparator)));
        return command;
    }

    private List<String> tlcArguments() {
        List<String> arguments = new ArrayList<>(List.of("-workers", Integer.toString(resources.workers)));
        arguments.addAll(List.of("-metadir", folder.resolve("states").toString()));
        arguments.addAll(arguments(job));
        arguments.addAll(options);
        arguments.addAll(List.of("-config", job.name() + ".cfg", job.module() + ".tla"));
        return arguments;
    }

    /** What TLC is told that may change what it finds. */
    static List<String> arguments(Job job) {
        List<String> arguments = new ArrayList<>(List.of("-tool", "-fp", "0", "-checkpoint", "0"));
        if (job.reportsCoverage()) {
            arguments.addAll(List.of("-coverage", "600"));
        }
        return arguments;
    }

    private Watch.End execute(List<String> command) throws IOException, InterruptedException {
        prepare();
        output = new TlcOutput();
        boolean shared = host != null && host.process().isAlive();
        process = shared ? host.process() : new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
        Watch watch = new Watch(process, resources, output::generated);
        watch.start();
        try (BufferedWriter log = Files.newBufferedWriter(folder.resolve("tlc.out"))) {
            exit = shared ? host.run(folder, tlcArguments(), line -> hear(line, log)) : listen(log);
            return watch.end();
        } catch (IOException | UncheckedIOException e) {
            if (!process.waitFor(KILL_SECONDS, TimeUnit.SECONDS)) {
                throw e instanceof UncheckedIOException u ? u.getCause() : (IOException) e;
            }
            exit = process.exitValue(); // who kills a process closes its output, too
            return watch.end();
        } finally {
            watch.interrupt();
        }
    }

    private int listen(BufferedWriter log) throws IOException, InterruptedException {
        process.getOutputStream().close();
        try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
            in.lines().forEach(line -> hear(line, log));
        }
        return process.waitFor();
    }

    private void hear(String line, BufferedWriter log) {
        try {
            if (output.line(line)) {
                log.write(line);
                log.newLine();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
