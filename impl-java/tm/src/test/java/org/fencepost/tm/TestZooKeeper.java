package org.fencepost.tm;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import org.apache.zookeeper.server.ZooKeeperServerMain;

/** A real ZooKeeper server in a process of its own; it can be killed and started again with what it had stored. */
public final class TestZooKeeper implements AutoCloseable {

    private final Path directory;
    private final int port;
    private JavaProcess process;

    public TestZooKeeper(Path directory) throws IOException {
        this.directory = directory;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.port = free.getLocalPort();
        }
        start();
    }

    /** Returns once it answers. */
    public void start() {
        process = new JavaProcess(ZooKeeperServerMain.class, List.of("-Dzookeeper.admin.enableServer=false",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off", "-Dzookeeper.forceSync=no"),
                List.of(Integer.toString(port), directory.toString(), "500"));
        Await.until("ZooKeeper answers", 30_000, () -> {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return true;
            } catch (IOException e) {
                return false;
            }
        });
    }

    public void kill() {
        process.kill();
    }

    public int port() {
        return port;
    }

    public String address() {
        return "127.0.0.1:" + port;
    }

    @Override
    public void close() {
        process.close();
    }
}
