package org.fencepost.clustertest.nemesis;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.fencepost.audit.traces.ManagerTraces;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.tm.server.TmServer;
import org.fencepost.tm.zookeeper.LeaseRecord;

/**
 * A small cluster without network, root or docker: HBase's mini cluster with two region servers in one process, and two transaction managers; for Mediator
 * three bookies besides. It knows the faults of transaction managers and bookies, and moves of regions.
 */
public final class LocalCluster implements Cluster {

    private static final int START_SECONDS = 180;
    private static final List<String> OPTIONS = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx768m", "--add-opens",
            "java.base/java.lang=ALL-UNNAMED", "--add-opens", "java.base/java.nio=ALL-UNNAMED", "--add-opens", "java.base/java.lang.reflect=ALL-UNNAMED");

    private static final List<String> MANAGERS = List.of("n4", "n5");
    private static final String HERE = System.getProperty("java.class.path");

    private final Path directory;
    private final Map<String, Process> running = new TreeMap<>();
    /** By node; none without Mediator. */
    private final Map<String, Integer> bookiePorts = new TreeMap<>();
    private final Configuration conf;

    /** Starts it, which takes half a minute. */
    public LocalCluster(Path directory, boolean mediator) throws IOException, InterruptedException {
        this.directory = Files.createDirectories(directory.toAbsolutePath());
        this.conf = HBaseConfiguration.create();
        try {
            Path ready = this.directory.resolve("hbase.port");
            start("hbase", HERE, LocalHBase.class.getName(), ready.toString());
            awaitFile(ready);
            conf.set(HConstants.ZOOKEEPER_QUORUM, "127.0.0.1");
            conf.set(HConstants.ZOOKEEPER_CLIENT_PORT, Files.readString(ready));
            conf.set(Settings.TM_ZOOKEEPER, "127.0.0.1:" + Files.readString(ready));
            if (mediator) {
                writeHBaseSite();
                for (String node : List.of("n1", "n2", "n3")) {
                    bookiePorts.put(node, freePort());
                    startNode(node);
                }
            }
            for (String node : MANAGERS) {
                startNode(node);
            }
        } catch (IOException | InterruptedException e) {
            close();
            throw e;
        }
    }

    private void writeHBaseSite() throws IOException {
        try (OutputStream out = Files.newOutputStream(hbaseSite())) {
            conf.writeXml(out);
        }
    }

    private Path traces() {
        return directory.resolve("traces");
    }

    private Path hbaseSite() {
        return directory.resolve("hbase-site.xml");
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private void startNode(String node) throws IOException {
        String zooKeeper = conf.get(Settings.TM_ZOOKEEPER);
        List<String> manager = List.of("--zookeeper", zooKeeper, "--port", "0", "--metrics-port", "0", "--trace", traces().toString());
        if (bookiePorts.isEmpty()) {
            start(node, HERE, TmServer.class.getName(), manager.toArray(String[]::new));
            return;
        }
        String bookKeeper = "zk+hierarchical://" + zooKeeper + "/ledgers";
        if (bookiePorts.containsKey(node)) {
            start(node, mediatorsClassPath(), "org.fencepost.mediator.LocalBookie", bookKeeper, directory.resolve(node + ".data").toString(),
                    bookiePorts.get(node).toString());
        } else {
            start(node, mediatorsClassPath(), "org.fencepost.mediator.MediatorTm", Stream.concat(manager.stream(), Stream.of("--bookkeeper", bookKeeper,
                    "--hbase-site", hbaseSite().toString(), "--helper-ms", "1000")).toArray(String[]::new));
        }
    }

    /** BookKeeper and HBase's servers want different versions of a library. */
    private static String mediatorsClassPath() {
        String built = System.getProperty("fencepost.mediator"); // which the launcher sets
        if (built == null || !Files.isDirectory(Path.of(built, "lib"))) {
            throw new IllegalStateException("Mediator's processes are not built: run `make build`, and this by impl-java/cli/fencepost.");
        }
        return built + "/classes:" + built + "/lib/*";
    }

    private void start(String name, String classPath, String main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(OPTIONS);
        command.addAll(List.of("-Djava.io.tmpdir=" + directory, "-cp", classPath, main));
        command.addAll(List.of(arguments));
        running.put(name, new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log(name))).start());
    }

    private File log(String name) {
        return directory.resolve(name + ".log").toFile();
    }

    private void awaitFile(Path file) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!Files.exists(file)) {
            if (!running.get("hbase").isAlive() || System.nanoTime() > deadline) {
                List<String> said = Files.readAllLines(log("hbase").toPath());
                throw new IOException("HBase did not start; the last that it said was: " + (said.isEmpty() ? "nothing" : said.get(said.size() - 1)));
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
    }

    @Override
    public Configuration configuration() {
        return new Configuration(conf);
    }

    @Override
    public String run(String... command) throws IOException, InterruptedException {
        switch (String.join(" ", List.of(command).subList(0, Math.min(2, command.length)))) {
            case "tm-primary":
                return primary();
            case "kill tm", "kill bookie":
                running.get(command[2]).destroyForcibly().waitFor();
                return "";
            case "pause tm", "pause bookie":
                signal("STOP", command[2]);
                return "";
            case "resume tm", "resume bookie":
                signal("CONT", command[2]);
                return "";
            case "restart tm", "restart bookie":
                startNode(command[2]);
                return "";
            case "heal":
                heal();
                return "";
            default:
        }
        if (command[0].equals("move-region")) {
            moveRegion(TableName.valueOf(command[1]));
        } else if (!command[0].equals("ready")) {
            throw new IOException("A local cluster knows no '" + String.join(" ", command) + "'.");
        }
        return "";
    }

    private void signal(String signal, String node) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, Long.toString(running.get(node).pid())).start().waitFor();
    }

    private void heal() throws IOException, InterruptedException {
        for (String node : Stream.concat(MANAGERS.stream(), bookiePorts.keySet().stream()).toList()) {
            if (running.get(node).isAlive()) {
                signal("CONT", node);
            } else {
                startNode(node);
            }
        }
    }

    /** The node whose manager wrote the lease. */
    private String primary() throws IOException, InterruptedException {
        ZooKeeper zooKeeper = new ZooKeeper(conf.get(Settings.TM_ZOOKEEPER), 10_000, event -> {});
        try {
            LeaseRecord lease = LeaseRecord.parse(new String(zooKeeper.getData("/fencepost/lease", false, null), StandardCharsets.UTF_8));
            for (String node : MANAGERS) {
                if (lease != null && Files.readString(log(node).toPath()).contains("Transaction manager on " + lease.address() + ",")) {
                    return node;
                }
            }
            throw new IOException("No transaction manager is primary.");
        } catch (KeeperException e) {
            throw new IOException("ZooKeeper does not tell which transaction manager is primary: " + e.getMessage(), e);
        } finally {
            zooKeeper.close();
        }
    }

    private void moveRegion(TableName table) throws IOException {
        try (Connection connection = ConnectionFactory.createConnection(conf); Admin admin = connection.getAdmin()) {
            List<RegionInfo> regions = admin.getRegions(table);
            RegionInfo region = regions.get(ThreadLocalRandom.current().nextInt(regions.size()));
            ServerName at;
            try (var locator = connection.getRegionLocator(table)) {
                at = locator.getRegionLocation(region.getStartKey(), true).getServerName();
            }
            ServerName other = admin.getRegionServers().stream().filter(server -> !server.equals(at)).findFirst().orElseThrow();
            admin.move(region.getEncodedNameAsBytes(), other);
        }
    }

    @Override
    public List<String> nodes(String role) {
        return role.equals("tm") ? MANAGERS : role.equals("bookie") ? List.copyOf(bookiePorts.keySet()) : List.of();
    }

    @Override
    public void collectLogs(Path target) throws IOException {
        Files.createDirectories(target);
        for (String name : running.keySet()) {
            Files.copy(log(name).toPath(), target.resolve(name + ".log"));
        }
        for (Path trace : ManagerTraces.in(traces())) {
            Files.copy(trace, target.resolve(trace.getFileName()));
        }
    }

    @Override
    public void close() throws IOException {
        for (Process process : running.values()) {
            process.destroyForcibly();
        }
        try {
            for (Process process : running.values()) {
                process.waitFor(10, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try (Stream<Path> left = Files.walk(directory)) {
            for (Path path : left.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
