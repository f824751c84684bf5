package org.fencepost.phoenix.tests;

import java.io.IOException;
import java.sql.SQLException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.phoenix.transaction.PhoenixTransactionService;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.phoenix.FencepostTransactionProvider;
import org.fencepost.tm.server.TmServer;
import picocli.CommandLine;

/** Fencepost beside the HBase of a test class: its transaction manager, as the process that users start, and its commit table. */
public final class FencepostService implements PhoenixTransactionService {

    private static final int SHARDS = 4;
    /** One manager, no backup: a tenure that ends because this JVM, which is also HBase and HDFS, stood still would abort a test's transactions for nothing. */
    private static final String LEASE_MILLIS = "60000";
    private static boolean started;

    private FencepostService() {
    }

    /** Once for all connections of this JVM, which has one HBase. */
    public static synchronized PhoenixTransactionService start(Configuration conf) throws SQLException {
        try {
            FencepostTransactionProvider.install();
            if (!started) {
                createCommitTable(conf);
                startManager(conf.get(Settings.TM_ZOOKEEPER));
                started = true;
            }
            return new FencepostService();
        } catch (IOException | RuntimeException e) {
            throw new SQLException("Fencepost could not be started: " + e.getMessage(), e);
        }
    }

    private static void createCommitTable(Configuration conf) throws IOException {
        TableName name = TableName.valueOf(Settings.DEFAULT_COMMIT_TABLE);
        try (Connection connection = ConnectionFactory.createConnection(conf); Admin admin = connection.getAdmin()) {
            if (!admin.tableExists(name)) {
                Tables.createCommitTable(admin, name, SHARDS);
            }
        }
    }

    private static void startManager(String zooKeeper) {
        Thread manager = new Thread(() -> new CommandLine(new TmServer()).execute("--zookeeper", zooKeeper, "--port", "0", "--metrics-port", "0",
                "--lease-ms", LEASE_MILLIS, "--follow-time"), "tm");
        manager.setDaemon(true);
        manager.start();
    }

    /** It lives as long as the JVM. */
    @Override
    public void close() {
    }
}
