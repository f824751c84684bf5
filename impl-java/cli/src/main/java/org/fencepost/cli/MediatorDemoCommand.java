package org.fencepost.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.fencepost.demo.MediatorDemo;
import org.fencepost.hbase.embedded.EmbeddedHBase;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.mediator.LocalProcess;
import org.fencepost.tm.client.RemoteOracle;
import org.fencepost.tm.client.RemoteTransactionManager;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Starts an HBase in this process, bookies and transaction managers in others, and runs Mediator's demo on them. */
@Command(name = "demo-mediator", description = "Native clients and transactions on the same rows of a real HBase, with BookKeeper as the log;"
        + " some clients die half-way, and the status oracle once.",
        footer = {"", "Exit code: 0 everything was right; 1 something was not; 2 a part could not be started."})
final class MediatorDemoCommand implements Callable<Integer> {
    private static final int BOOKIES = 3;
    private static final long SPAN = 1 << 11;
    private static final long START_SECONDS = 120;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this and exit")
    private boolean help;

    private final List<LocalProcess> processes = new ArrayList<>();
    private Path directory;

    @Override
    public Integer call() throws Exception {
        String classPath = classPath();
        directory = Files.createTempDirectory("fencepost-mediator-");
        boolean right = false;
        System.out.println("Starting HBase with its ZooKeeper and HDFS, which takes about 20 s ...");
        try (EmbeddedHBase hbase = EmbeddedHBase.start(1, 1, Map.of(Settings.TM_ZOOKEEPER, EmbeddedHBase.OWN_ZOOKEEPER))) {
            Configuration conf = hbase.configuration();
            String zooKeeper = "127.0.0.1:" + conf.get(HConstants.ZOOKEEPER_CLIENT_PORT);
            startBookies(classPath, zooKeeper);
            LocalProcess primary = startManager(classPath, zooKeeper, conf, 1);
            primary.await("Mediator serves", START_SECONDS);
            startManager(classPath, zooKeeper, conf, 2);
            try (RemoteTransactionManager manager = new RemoteTransactionManager(RemoteTransactionManager.Settings.of(zooKeeper))) {
                RemoteOracle oracle = new RemoteOracle(manager);
                right = MediatorDemo.run(conf, oracle, oracle, SPAN, () -> killOracle(primary), System.out);
                return right ? 0 : 1;
            }
        } finally {
            processes.forEach(LocalProcess::close);
            if (right) {
                delete(directory);
            } else {
                System.out.println("What the bookies and transaction managers said is in " + directory + ".");
            }
        }
    }

    /** BookKeeper and HBase's servers want different versions of a library, so what uses BookKeeper has a class path of its own. */
    private static String classPath() {
        String built = System.getProperty("fencepost.mediator");
        if (built == null || !Files.isDirectory(Path.of(built, "lib"))) {
            throw new IllegalStateException("Mediator's processes are not built: run 'make build', then 'make demo-mediator'.");
        }
        return built + "/classes:" + built + "/lib/*";
    }

    private void startBookies(String classPath, String zooKeeper) {
        System.out.printf("Starting %d bookies and 2 transaction managers, each in a process of its own ...%n", BOOKIES);
        for (int i = 1; i <= BOOKIES; i++) {
            start(classPath, "bookie-" + i, "org.fencepost.mediator.LocalBookie",
                    List.of(metadata(zooKeeper), directory.resolve("bookie-" + i + ".data").toString(), "0")).await("Bookie on", START_SECONDS);
        }
    }

    private LocalProcess startManager(String classPath, String zooKeeper, Configuration conf, int number) throws IOException {
        Path site = directory.resolve("hbase-site.xml");
        try (OutputStream out = Files.newOutputStream(site)) {
            conf.writeXml(out);
        }
        LocalProcess started = start(classPath, "tm-" + number, "org.fencepost.mediator.MediatorTm", List.of("--zookeeper", zooKeeper, "--port", "0",
                "--metrics-port", "0", "--leap", Long.toString(SPAN), "--conflict-table-size", "65536", "--helper-ms", "1000",
                "--bookkeeper", metadata(zooKeeper), "--hbase-site", site.toString()));
        started.await("Transaction manager on", START_SECONDS);
        return started;
    }

    private LocalProcess start(String classPath, String name, String main, List<String> arguments) {
        LocalProcess process = new LocalProcess(List.of("-cp", classPath), main, arguments, directory.resolve(name + ".log"));
        processes.add(process);
        return process;
    }

    private static String metadata(String zooKeeper) {
        return "zk+hierarchical://" + zooKeeper + "/ledgers";
    }

    private static void killOracle(LocalProcess primary) {
        System.out.println("    the STATUS ORACLE is killed; the other transaction manager is to take over");
        primary.kill();
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
