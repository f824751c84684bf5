package org.fencepost.bench.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** A JVM of its own, kept on one core or free, whose main class runs under {@link Probe}. What it prints goes to a file. */
public final class ServerProcess implements AutoCloseable {

    /** In place of a core: any. */
    public static final int ANY_CORE = -1;

    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
    private static final long SAMPLE_SECONDS = 10;
    private static final int LOWEST_PORT = 20_000;
    private static final int FIRST_OUTGOING_PORT = 32_768;
    private static final int ATTEMPTS = 100;

    private final String name;
    private final Path log;
    private final Process process;
    private final OutputStream input;
    private final BlockingQueue<Usage> samples = new LinkedBlockingQueue<>();

    public ServerProcess(String name, int core, List<String> jvm, String classPath, String main, List<String> arguments, Path log)
            throws IOException {
        this.name = name;
        this.log = log;
        List<String> command = new ArrayList<>(core == ANY_CORE ? List.of() : List.of("taskset", "-c", Integer.toString(core)));
        command.add(JAVA.toString());
        command.addAll(jvm);
        command.addAll(List.of("-cp", classPath, Probe.class.getName(), main));
        command.addAll(arguments);
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        input = process.getOutputStream();
        Writer file = Files.newBufferedWriter(log);
        Thread reader = new Thread(() -> read(process.inputReader(StandardCharsets.UTF_8), file), name + "-output");
        reader.setDaemon(true);
        reader.start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    }

    private void read(BufferedReader output, Writer file) {
        try (file) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(Probe.MARK)) {
                    samples.add(Usage.parse(line));
                } else {
                    file.append(line).append('\n').flush();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static String ownClassPath() {
        return System.getProperty("java.class.path");
    }

    /** The folder or jar that has the type. */
    public static String classes(Class<?> type) {
        return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString())).toString();
    }

    /** Below the ports that systems give to outgoing connections: no other process is given this one before the server binds it. */
    public static InetSocketAddress freeAddress() throws IOException {
        IOException last = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, FIRST_OUTGOING_PORT);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
                return new InetSocketAddress("127.0.0.1", free.getLocalPort());
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    }

    /** Throws IllegalStateException if the process has ended or does not answer. */
    public Usage usage() {
        return ask("");
    }

    /** A command for async-profiler; returns when it has been carried out, and throws as {@link #usage} does. */
    public void profile(String command) {
        ask(command);
    }

    private Usage ask(String command) {
        try {
            input.write((command + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
            Usage usage = samples.poll(SAMPLE_SECONDS, TimeUnit.SECONDS);
            if (usage != null) {
                return usage;
            }
        } catch (IOException e) {
            // reported below
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new IllegalStateException("The process of " + name + (process.isAlive() ? " does not answer" : " has ended") + ": see " + log + ".");
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public Path log() {
        return log;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
