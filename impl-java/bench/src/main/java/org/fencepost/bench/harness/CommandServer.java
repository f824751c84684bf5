package org.fencepost.bench.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * What a process of a benchmark's runs that does what it is told, over a socket whose port it writes into a file: see {@link CommandedProcess}. Each
 * command is a line, and so is each part of an answer; the last one is {@link #DONE}, or begins with {@link #FAILED}.
 */
public final class CommandServer {

    static final String DONE = "done";
    static final String FAILED = "failed ";

    /** Carries out a command. */
    public interface Commands {

        /** The lines of the answer. */
        List<String> carryOut(String[] words) throws Exception;
    }

    private CommandServer() {
    }

    /** Returns when the other side has gone. */
    public static void serve(Path ready, Commands commands) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Path written = Files.writeString(ready.resolveSibling(ready.getFileName() + ".part"), Integer.toString(socket.getLocalPort()));
            Files.move(written, ready, StandardCopyOption.ATOMIC_MOVE);
            answer(socket.accept(), commands);
        }
    }

    private static void answer(Socket driver, Commands commands) throws IOException {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(driver.getInputStream(), StandardCharsets.UTF_8));
                PrintStream out = new PrintStream(driver.getOutputStream(), true, StandardCharsets.UTF_8)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                try {
                    commands.carryOut(line.split(" ")).forEach(out::println);
                    out.println(DONE);
                } catch (Exception e) {
                    e.printStackTrace();
                    out.println(FAILED + e.toString().lines().findFirst().orElse(""));
                }
            }
        }
    }
}
