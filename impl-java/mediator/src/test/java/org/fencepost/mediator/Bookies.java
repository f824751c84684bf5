package org.fencepost.mediator;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.server.ZooKeeperServerMain;

/** A real ZooKeeper and real bookies, each in a process of its own, with their data in one directory. */
final class Bookies implements AutoCloseable {

    static final List<String> JVM = List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-cp", System.getProperty("java.class.path"));

    private final Path directory;
    private final int zooKeeperPort;
    private final LocalProcess zooKeeper;
    private final List<LocalProcess> bookies = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();
    private final List<String> bookieJvm = new ArrayList<>(JVM);

    /** @param more what the bookies' JVMs are told */
    Bookies(Path directory, int count, String... more) throws Exception {
        this.directory = directory;
        bookieJvm.addAll(0, List.of(more));
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            zooKeeperPort = free.getLocalPort();
        }
        List<String> jvm = new ArrayList<>(JVM);
        jvm.addAll(0, List.of("-Dzookeeper.admin.enableServer=false", "-Dzookeeper.forceSync=no"));
        zooKeeper = new LocalProcess(jvm, ZooKeeperServerMain.class.getName(), List.of(Integer.toString(zooKeeperPort),
                directory.resolve("zookeeper").toString(), "500"), directory.resolve("zookeeper.log"));
        awaitZooKeeper();
        for (int i = 0; i < count; i++) {
            ports.add(0);
            bookies.add(null);
            launch(i);
        }
        for (int i = 0; i < count; i++) {
            awaitBookie(i);
        }
    }

    private void awaitZooKeeper() throws InterruptedException {
        for (boolean up = false; !up; TimeUnit.MILLISECONDS.sleep(20)) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), zooKeeperPort)) {
                up = true;
            } catch (IOException e) {
                // not yet
            }
        }
    }

    String zooKeeper() {
        return "127.0.0.1:" + zooKeeperPort;
    }

    String metadata() {
        return "zk+hierarchical://" + zooKeeper() + "/ledgers";
    }

    void kill(int bookie) {
        bookies.get(bookie).kill();
    }

    /** With what it had stored. Returns once it serves. */
    void start(int bookie) {
        launch(bookie);
        awaitBookie(bookie);
    }

    private void launch(int bookie) {
        bookies.set(bookie, new LocalProcess(bookieJvm, LocalBookie.class.getName(), List.of(metadata(), directory.resolve("bookie" + bookie).toString(),
                Integer.toString(ports.get(bookie))), directory.resolve("bookie" + bookie + ".log")));
    }

    private void awaitBookie(int bookie) {
        String said = bookies.get(bookie).await("Bookie on ", 120);
        ports.set(bookie, Integer.parseInt(said.replaceAll("\\D+$", "").replaceAll(".*:", "")));
    }

    @Override
    public void close() {
        bookies.forEach(LocalProcess::close);
        zooKeeper.close();
    }
}
