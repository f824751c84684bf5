package org.fencepost.bench.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A process that runs a {@link CommandServer}, as the benchmark sees it. */
public final class CommandedProcess implements AutoCloseable {

    private final String name;
    private final ServerProcess process;
    private final Socket socket;
    private final BufferedReader in;
    private final PrintStream out;

    CommandedProcess(String name, ServerProcess process, int port) throws IOException {
        this.name = name;
        this.process = process;
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        this.out = new PrintStream(socket.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    public String name() {
        return name;
    }

    public ServerProcess process() {
        return process;
    }

    /** Returns when it has been carried out, with the answer. */
    public List<String> command(String command) throws IOException {
        out.println(command);
        List<String> answers = new ArrayList<>();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.equals(CommandServer.DONE)) {
                return answers;
            }
            if (line.startsWith(CommandServer.FAILED)) {
                throw new IOException(name + " failed: " + line.substring(CommandServer.FAILED.length()));
            }
            answers.add(line);
        }
        throw new IOException("The client of " + name + " has ended: see " + process.log() + ".");
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
