package org.fencepost.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.embedded.EmbeddedHBase;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.tm.server.TmServer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/** What a first program needs, in one process: HBase, a transaction manager, a commit table and a table. */
@Command(name = "playground", description = "An HBase in this process with ZooKeeper, a transaction manager, and a table for transactions, accounts with the family f,"
        + " until the process is ended. Nothing is kept. For a first program, and for nothing else.",
        footer = {"", "Exit code: 2 it could not start; 130 or 143 it was stopped by Ctrl-C or kill."})
final class PlaygroundCommand implements Callable<Integer> {
    private static final int SHARDS = 4;
    private static final String ENTRIES = "65536";

    @Option(names = "--zookeeper-port", paramLabel = "PORT", defaultValue = "2181", description = "on 127.0.0.1 (default: ${DEFAULT-VALUE})")
    private int zooKeeperPort;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this and exit")
    private boolean help;

    @Override
    public Integer call() throws Exception {
        try (ServerSocket free = new ServerSocket(zooKeeperPort, 1, InetAddress.getByName("127.0.0.1"))) {
            // Nobody else has it.
        } catch (IOException | IllegalArgumentException e) {
            System.err.println("Port " + zooKeeperPort + " of 127.0.0.1 cannot be used, perhaps because another playground runs: stop that, or choose another"
                    + " port by --zookeeper-port.");
            return 2;
        }
        System.out.println("Starting HBase with its ZooKeeper and HDFS, which takes 10 to 20 s ...");
        String zooKeeper = "127.0.0.1:" + zooKeeperPort;
        try (EmbeddedHBase hbase = EmbeddedHBase.start(1, 1, Map.of("test.hbase.zookeeper.property.clientPort", Integer.toString(zooKeeperPort),
                Settings.TM_ZOOKEEPER, zooKeeper))) {
            endAtOnce(hbase);
            Thread manager = new Thread(() -> TmServer.run(new TmServer(), "--zookeeper", zooKeeper, "--host", "127.0.0.1", "--port", "0", "--metrics-port", "0",
                    "--conflict-table-size", ENTRIES), "manager");
            manager.setDaemon(true);
            manager.start();
            try (Connection connection = ConnectionFactory.createConnection(hbase.configuration()); Admin admin = connection.getAdmin()) {
                TableName commits = TableName.valueOf(Settings.DEFAULT_COMMIT_TABLE);
                Tables.createCommitTable(admin, commits, SHARDS);
                Tables.create(admin, TableName.valueOf("accounts"), commits, "f");
            }
            System.out.println("Ready: ZooKeeper is " + zooKeeper + ", and the table is accounts, with the family f. Ctrl-C ends it.");
            manager.join();
        }
        throw new IllegalStateException("The transaction manager has ended.");
    }

    /** On Ctrl-C or kill. Servers whose data goes with them need not be stopped in order, which takes half a minute and prints their complaints. */
    private static void endAtOnce(EmbeddedHBase hbase) {
        SignalHandler end = signal -> {
            System.out.println("Stopped; nothing is kept.");
            System.out.flush();
            hbase.deleteFiles();
            Runtime.getRuntime().halt(128 + signal.getNumber());
        };
        Signal.handle(new Signal("INT"), end);
        Signal.handle(new Signal("TERM"), end);
    }
}
