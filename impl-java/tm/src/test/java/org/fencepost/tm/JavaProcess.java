package org.fencepost.tm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A JVM of its own on this test's class path, which is killed with the test. */
public final class JavaProcess implements AutoCloseable {

    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    private final Process process;
    private final BufferedReader output;

    public JavaProcess(Class<?> main, List<String> properties, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(JAVA.toString(), "-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "-Xshare:auto", "-cp", System.getProperty("java.class.path")));
        command.addAll(properties);
        command.add(main.getName());
        command.addAll(arguments);
        try {
            process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        output = new BufferedReader(process.inputReader(StandardCharsets.UTF_8));
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    }

    /** The next line of its standard output. */
    String readLine() {
        try {
            String line = output.readLine();
            if (line == null) {
                throw new IllegalStateException("The process ended with exit code " + process.waitFor() + ".");
            }
            return line;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** kill -9, and waits until it is gone. */
    void kill() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns once none of its threads runs: the signal alone takes its time to reach them. */
    void pause() {
        signal("STOP");
        Await.until("stopped", 10_000, this::stopped);
    }

    private boolean stopped() {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            return threads.allMatch(JavaProcess::stopped);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean stopped(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            return stat.startsWith("T", stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return true; // it has ended
        }
    }

    void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start().waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill -" + name + " failed with exit code " + code + ".");
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    public int exitCode() throws InterruptedException {
        return process.waitFor();
    }

    @Override
    public void close() {
        kill();
    }
}
