package org.fencepost.cli;

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

/** What a first program needs, in one process: HBase, a transaction manager, a commit table and a table. */
@Command(name = "playground", description = "An HBase in this process with ZooKeeper, a transaction manager, and a table for transactions, accounts with the family f,"
        + " until the process is ended. Nothing is kept. For a first program, and for nothing else.",
        footer = {"", "Exit code: 2 it could not start."})
final class PlaygroundCommand implements Callable<Integer> {
    private static final int SHARDS = 4;
    private static final String ENTRIES = "65536";

    @Option(names = "--zookeeper-port", paramLabel = "PORT", defaultValue = "2181", description = "on 127.0.0.1 (default: ${DEFAULT-VALUE})")
    private int zooKeeperPort;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this and exit")
    private boolean help;

    @Override
    public Integer call() throws Exception {
        System.out.println("Starting HBase with its ZooKeeper and HDFS, which takes about 20 s ...");
        String zooKeeper = "127.0.0.1:" + zooKeeperPort;
        try (EmbeddedHBase hbase = EmbeddedHBase.start(1, 1, Map.of("test.hbase.zookeeper.property.clientPort", Integer.toString(zooKeeperPort),
                Settings.TM_ZOOKEEPER, zooKeeper))) {
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
}
