package org.fencepost.hbase;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.fencepost.mediator.LocalProcess;
import org.fencepost.tm.client.RemoteOracle;
import org.fencepost.tm.client.RemoteTransactionManager;

/**
 * Two transaction managers with Mediator and three bookies, each in a process of its own, on HBase's ZooKeeper. A manager that is killed
 * is replaced by one that stands by. Their output stays in the directory, one file per process.
 */
final class MediatorProcesses implements AutoCloseable {

    private static final Path BUILT = Path.of("..", "mediator", "target");
    private static final int BOOKIES = 3;
    private static final long SECONDS = 120;
    private static final int HTTP_MILLIS = 5_000;
    private static final Pattern HELPED = Pattern.compile("mediator_helped_total\\{end=\"(\\w+)\"} (\\d+)");
    private static final Pattern RECOVERED = Pattern.compile("Mediator serves from timestamp \\d+ on; (\\d+) transactions were written back");

    /** @param port of its metrics */
    private record Manager(LocalProcess process, int port) {
    }

    /** What the managers have done, those that are gone included, as far as they could tell. */
    record Done(long tenures, long replayed, long leasesLost, long helperCommitted, long helperAborted) {
    }

    private final Path directory;
    private final String zooKeeper;
    private final long leap;
    private final List<LocalProcess> bookies = new ArrayList<>();
    private final List<Manager> managers = new ArrayList<>();
    private int started;
    private long helperCommitted;
    private long helperAborted;
    final RemoteTransactionManager manager;
    final RemoteOracle oracle;

    /** Returns when one of the managers serves. */
    MediatorProcesses(Path directory, Configuration hbase, long leap) throws IOException {
        this.directory = directory;
        this.zooKeeper = "127.0.0.1:" + hbase.get(HConstants.ZOOKEEPER_CLIENT_PORT);
        this.leap = leap;
        if (!Files.isDirectory(BUILT.resolve("lib"))) {
            throw new IllegalStateException("Mediator's processes are not built: run 'make build'.");
        }
        try (OutputStream out = Files.newOutputStream(site())) {
            hbase.writeXml(out);
        }
        for (int i = 1; i <= BOOKIES; i++) {
            bookies.add(start("org.fencepost.mediator.LocalBookie", List.of(metadata(), directory.resolve("bookie-" + i + ".data").toString(), "0"),
                    "bookie-" + i));
            bookies.get(0).await("Bookie on", SECONDS); // the first one makes BookKeeper's nodes
        }
        for (LocalProcess bookie : bookies) {
            bookie.await("Bookie on", SECONDS);
        }
        startManager();
        startManager();
        manager = new RemoteTransactionManager(RemoteTransactionManager.Settings.of(zooKeeper));
        oracle = new RemoteOracle(manager);
        awaitOracle();
    }

    private Path site() {
        return directory.resolve("hbase-site.xml");
    }

    private String metadata() {
        return "zk+hierarchical://" + zooKeeper + "/ledgers";
    }

    private LocalProcess start(String main, List<String> arguments, String name) {
        return new LocalProcess(List.of("-cp", BUILT.resolve("classes") + ":" + BUILT.resolve("lib") + "/*"), main, arguments,
                directory.resolve(name + ".log"));
    }

    private void startManager() throws IOException {
        int port = freePort();
        managers.add(new Manager(start("org.fencepost.mediator.MediatorTm", List.of("--zookeeper", zooKeeper, "--port", "0",
                "--metrics-port", Integer.toString(port), "--leap", Long.toString(leap), "--conflict-table-size", "1024", "--helper-ms", "300",
                "--ledger-bytes", "100000", "--bookkeeper", metadata(), "--hbase-site", site().toString()), "tm-" + started++), port));
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    // ---- what they say

    private static boolean isPrimary(String health) {
        return health.contains("\"primary\"");
    }

    private static boolean isOpen(String health) {
        return health.contains("\"mediator\":\"open\"");
    }

    /** The empty string if it does not answer. */
    private static String ask(Manager asked, String path) {
        try {
            var connection = URI.create("http://127.0.0.1:" + asked.port() + path).toURL().openConnection();
            connection.setConnectTimeout(HTTP_MILLIS);
            connection.setReadTimeout(HTTP_MILLIS);
            return new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    private Manager awaitManager(Predicate<String> health) {
        for (long start = System.nanoTime(); System.nanoTime() - start < TimeUnit.SECONDS.toNanos(SECONDS); sleep(20)) {
            for (Manager each : managers) {
                if (health.test(ask(each, "/health"))) {
                    return each;
                }
            }
        }
        throw new IllegalStateException("No transaction manager serves after " + SECONDS + " s: see " + directory + ".");
    }

    private static void sleep(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException("Interrupted.", e);
        }
    }

    // ---- what is done to them

    /** Returns when a manager is the primary; its oracle may recover still. */
    void awaitPrimary() {
        awaitManager(MediatorProcesses::isPrimary);
    }

    /** Returns when an oracle serves. */
    void awaitOracle() {
        awaitManager(MediatorProcesses::isOpen);
    }

    /** Kills the primary by kill -9, and with it oracle and helper. Returns whether its oracle was not open yet. */
    boolean killPrimary() throws IOException {
        Manager primary = awaitManager(MediatorProcesses::isPrimary);
        noteHelped(primary);
        boolean open = isOpen(ask(primary, "/health"));
        primary.process().kill();
        managers.remove(primary);
        startManager();
        return !open;
    }

    private void noteHelped(Manager told) {
        for (Matcher helped = HELPED.matcher(ask(told, "/metrics")); helped.find();) {
            if (helped.group(1).equals("committed")) {
                helperCommitted += Long.parseLong(helped.group(2));
            } else {
                helperAborted += Long.parseLong(helped.group(2));
            }
        }
    }

    /** Returns when the helper has brought all that was begun to its end. */
    void settle() {
        while (!ask(awaitManager(MediatorProcesses::isOpen), "/metrics").contains("mediator_active_entries 0\n")) {
            sleep(50);
        }
    }

    /** To be asked once. */
    Done done() throws IOException {
        managers.forEach(this::noteHelped);
        long tenures = 0;
        long replayed = 0;
        long leasesLost = 0;
        try (Stream<Path> logs = Files.list(directory)) {
            for (Path log : logs.filter(file -> file.getFileName().toString().startsWith("tm-")).toList()) {
                String said = Files.readString(log);
                for (Matcher recovered = RECOVERED.matcher(said); recovered.find(); tenures++) {
                    replayed += Long.parseLong(recovered.group(1));
                }
                leasesLost += said.lines().filter(line -> line.contains("No longer primary")).count();
            }
        }
        return new Done(tenures, replayed, leasesLost, helperCommitted, helperAborted);
    }

    @Override
    public void close() {
        manager.close();
        managers.forEach(each -> each.process().close());
        bookies.forEach(LocalProcess::close);
    }
}
