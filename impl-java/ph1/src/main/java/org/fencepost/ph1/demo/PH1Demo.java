package org.fencepost.ph1.demo;

import com.datastax.oss.driver.api.core.CqlSession;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fencepost.mediator.LocalProcess;
import org.fencepost.ph1.store.CassandraLog;
import org.fencepost.ph1.store.CassandraSessions;
import org.fencepost.ph1.store.CassandraStore;

/**
 * Bank transfers on a real Cassandra, by three instances of the middleware, each in a process of its own. One is killed (kill -9) in the middle
 * of a flush, when one of two accounts is written, and is started again. The total holds all the time.
 */
public final class PH1Demo implements AutoCloseable {

    private static final String CASSANDRA = "127.0.0.44";
    private static final int INSTANCES = 3;
    private static final int RUN_SECONDS = 24;
    private static final int STUCK_SECONDS = 6;
    private static final long PATIENCE_SECONDS = 120;
    private static final List<String> QUIET = List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-Dzookeeper.admin.enableServer=false",
            "-Dzookeeper.forceSync=no");

    private final Path directory;
    private final List<AutoCloseable> parts = new ArrayList<>();

    private PH1Demo(Path directory) {
        this.directory = directory;
    }

    /** Exit code: 0 the total held; 1 it did not; 2 a part could not be started. No arguments. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0) {
            System.err.println("demo-ph1 takes no arguments.");
            System.exit(2);
        }
        Path directory = Files.createTempDirectory("fencepost-ph1-");
        int exit = 2;
        try (PH1Demo demo = new PH1Demo(directory)) {
            exit = demo.run() ? 0 : 1;
        } catch (IllegalStateException | IOException e) {
            System.err.println("The demo could not run: " + e.getMessage());
        }
        if (exit == 0) {
            delete(directory);
        } else {
            System.out.println("What the processes said is in " + directory + ".");
        }
        System.exit(exit);
    }

    private boolean run() throws IOException, InterruptedException {
        System.out.println("Starting a Cassandra node, ZooKeeper and a transaction manager, each in a process of its own, which takes about 20 s ...");
        String zooKeeper = startServers();
        int[] ports = new int[INSTANCES];
        for (int place = 0; place < INSTANCES; place++) {
            ports[place] = freePort();
        }
        String members = Arrays.stream(ports).mapToObj(Integer::toString).collect(Collectors.joining(","));
        List<LocalProcess> instances = new ArrayList<>();
        for (int place = 0; place < INSTANCES; place++) {
            instances.add(startInstance("instance-" + place, place, members, zooKeeper, RUN_SECONDS, place == 0 ? STUCK_SECONDS : 0));
        }
        for (LocalProcess instance : instances) {
            instance.await(BankInstance.OPEN, PATIENCE_SECONDS);
        }
        System.out.printf("%d accounts hold %d each, %,d in all. For %d seconds %d instances of the middleware transfer money and add up.%n", Bank.ACCOUNTS,
                Bank.FIRST_BALANCE, Bank.TOTAL, RUN_SECONDS, INSTANCES);
        String stuck = instances.get(0).await(BankInstance.FLUSH, PATIENCE_SECONDS);
        instances.get(0).kill();
        System.out.println("    instance 0 is KILLED " + stuck + "; the others have its redo record");
        instances.add(startInstance("instance-0-again", 0, members, zooKeeper, RUN_SECONDS / 2, 0));
        return verdict(List.of("instance-0", "instance-1", "instance-2", "instance-0-again"), instances);
    }

    private String startServers() throws IOException, InterruptedException {
        String libraries = System.getProperty("fencepost.cassandra");
        if (libraries == null || !Files.isDirectory(Path.of(libraries, "lib"))) {
            throw new IllegalStateException("Cassandra is not built: run 'make build', then 'make demo-ph1'.");
        }
        CassandraNode node = CassandraNode.start(Path.of(libraries, "lib"), directory.resolve("cassandra"), CASSANDRA, CASSANDRA);
        parts.add(node);
        int port = freePort();
        start("zookeeper", "org.apache.zookeeper.server.ZooKeeperServerMain", List.of(Integer.toString(port), directory.resolve("zookeeper").toString(), "500"));
        awaitPort(port);
        String zooKeeper = "127.0.0.1:" + port;
        start("tm", "org.fencepost.tm.server.TmServer", List.of("--zookeeper", zooKeeper, "--port", "0", "--metrics-port", "0", "--conflict-table-size", "65536"))
                .await("Transaction manager on", PATIENCE_SECONDS);
        node.await();
        try (CqlSession session = CassandraSessions.open(List.of(new InetSocketAddress(CASSANDRA, CassandraNode.PORT)), "datacenter1")) {
            CassandraSessions.createKeyspace(session, BankInstance.KEYSPACE, 1);
            CassandraStore.createTable(session, BankInstance.KEYSPACE, Bank.TABLE);
            new CassandraLog(session, BankInstance.KEYSPACE); // all instances at once would create it several times
        }
        return zooKeeper;
    }

    private LocalProcess startInstance(String name, int place, String members, String zooKeeper, int seconds, int stuckSeconds) {
        return start(name, BankInstance.class.getName(), List.of(Integer.toString(place), members, zooKeeper, CASSANDRA, Integer.toString(seconds),
                Integer.toString(stuckSeconds)));
    }

    private LocalProcess start(String name, String main, List<String> arguments) {
        List<String> jvm = new ArrayList<>(List.of("-cp", System.getProperty("java.class.path")));
        jvm.addAll(QUIET);
        LocalProcess process = new LocalProcess(jvm, main, arguments, directory.resolve(name + ".log"));
        parts.add(process);
        return process;
    }

    private boolean verdict(List<String> names, List<LocalProcess> instances) throws IOException {
        boolean intact = true;
        long[] sums = new long[5];
        for (int i = 0; i < instances.size(); i++) {
            if (i > 0) {
                String end = instances.get(i).await("The total is", PATIENCE_SECONDS);
                intact &= end.equals("The total is " + Bank.TOTAL + ".");
                System.out.printf("    %s has ended. %s%n", names.get(i), end);
            }
            String[] counts = Files.readAllLines(directory.resolve(names.get(i) + ".log")).stream().filter(line -> line.startsWith("counts "))
                    .reduce((first, last) -> last).orElse("counts 0 0 0 0 0").split(" ");
            for (int column = 0; column < sums.length; column++) {
                sums[column] += Long.parseLong(counts[column + 1]);
            }
        }
        intact &= sums[0] > 0 && sums[3] > 0 && sums[4] == 0;
        System.out.printf("In the end: %,d transfers committed, %,d aborted, %,d of unknown outcome; the total was checked %,d times and was wrong %,d times: %s.%n",
                sums[0], sums[1], sums[2], sums[3], sums[4], intact ? "intact" : "NOT INTACT");
        return intact;
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static void awaitPort(int port) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (System.nanoTime() - end < 0) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException e) {
                Bank.pause();
            }
        }
        throw new IllegalStateException("ZooKeeper does not answer at port " + port + ".");
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    /** Kills all processes. */
    @Override
    public void close() throws Exception {
        for (AutoCloseable part : parts) {
            part.close();
        }
    }
}
