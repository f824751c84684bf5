package org.fencepost.bench.mix;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.fencepost.bench.harness.ServerProcess;
import org.fencepost.bench.harness.Usage;
import org.fencepost.bench.mix.ContenderServer.Figures;

/** A {@link ContenderServer} as the benchmark sees it. */
final class ContenderProcess implements AutoCloseable {

    private final String system;
    private final ServerProcess process;
    private final Socket socket;
    private final BufferedReader in;
    private final PrintStream out;

    ContenderProcess(String system, ServerProcess process, int port) throws IOException {
        this.system = system;
        this.process = process;
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        this.out = new PrintStream(socket.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    String system() {
        return system;
    }

    Usage usage() {
        return process.usage();
    }

    ServerProcess process() {
        return process;
    }

    void load(int keys) throws IOException {
        command("load " + keys);
    }

    /** Transactions run from now on; they do not count yet. */
    void start(Workload workload, int threads, int keys) throws IOException {
        command("start " + workload + " " + threads + " " + keys);
    }

    /** From now on they count. */
    void record() throws IOException {
        command("record");
    }

    /** Returns when none is under way. One line for each kind that was met, and one for all. */
    List<Figures> stop() throws IOException {
        return command("stop").stream().map(Figures::parse).toList();
    }

    /** How long the statements and the commit took, in nanoseconds. */
    long close(int run, int edges, int chains) throws IOException {
        return Long.parseLong(command("closure " + run + " " + edges + " " + chains).get(0));
    }

    private List<String> command(String command) throws IOException {
        out.println(command);
        List<String> answers = new ArrayList<>();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.equals(ContenderServer.DONE)) {
                return answers;
            }
            if (line.startsWith(ContenderServer.FAILED)) {
                throw new IOException(system + " failed: " + line.substring(ContenderServer.FAILED.length()));
            }
            answers.add(line);
        }
        throw new IOException("The client of " + system + " has ended: see " + process.log() + ".");
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
