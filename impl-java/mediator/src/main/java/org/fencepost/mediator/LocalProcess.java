package org.fencepost.mediator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A small JVM of its own, whose output goes to a file, for tests, demos and benchmarks. It is killed with this one. */
public final class LocalProcess implements AutoCloseable {

    private static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final long PAUSE_MILLIS = 20;
    private static final int TAIL = 20;

    private final String main;
    private final Path log;
    private final Process process;

    /**
     * Starts it.
     *
     * @param jvm what the JVM is told, its class path among it
     * @param log where its output goes; replaced
     */
    public LocalProcess(List<String> jvm, String main, List<String> arguments, Path log) {
        this.main = main;
        this.log = log;
        List<String> command = new ArrayList<>(List.of(JAVA, "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(jvm);
        command.add(main);
        command.addAll(arguments);
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    }

    /**
     * Waits until it has printed a line with the text.
     *
     * @return the line
     * @throws IllegalStateException with the end of its output, if it ends before, or takes longer
     */
    public String await(String text, long seconds) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (true) {
            boolean ended = !process.isAlive();
            List<String> lines = output();
            String found = lines.stream().filter(line -> line.contains(text)).findFirst().orElse(null);
            if (found != null) {
                return found;
            }
            if (ended || System.nanoTime() - end > 0) {
                throw new IllegalStateException(main + (ended ? " ended" : " took more than " + seconds + " s") + " and did not say '" + text + "' but:\n"
                        + String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL), lines.size())));
            }
            pause();
        }
    }

    /** Without a last line that is not complete. */
    private List<String> output() {
        try {
            String text = Files.readString(log);
            return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted.", e);
        }
    }

    /** kill -9, and waits until it is gone. */
    public void kill() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        kill();
    }
}
