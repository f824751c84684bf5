package org.fencepost.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.fencepost.hbase.Settings;
import org.fencepost.hbase.Tables;
import org.fencepost.hbase.TransactionClient;
import org.fencepost.tm.RemoteTransactionManager;

/**
 * What {@link BenchFp} measures: HBase, the transaction manager, and the clients in this process. Each table has one region,
 * and nothing else reads or writes it, so that the tables of the systems that are compared go through the same number of
 * operations.
 */
final class FpCluster extends Cluster {

    /** Without coprocessors. */
    static final TableName NATIVE = TableName.valueOf("native");
    /** For single-key transactions: with the fast path, and without. */
    static final TableName FAST = TableName.valueOf("fast");
    static final TableName REGULAR = TableName.valueOf("regular");
    /** For transactions of several operations, the same. */
    static final TableName LONG_FAST = TableName.valueOf("long-fast");
    static final TableName LONG = TableName.valueOf("long");

    private static final TableName COMMITS = TableName.valueOf("commits");

    private Connection connection;
    private TransactionClient client;

    /** @param directory for logs and HBase's data */
    FpCluster(Path directory) {
        super(directory);
    }

    /** @param dataNodes of HDFS; each has all data */
    void start(List<String> hbaseJvm, int dataNodes) throws IOException {
        startHBase(hbaseJvm, dataNodes);
        connection = opened(ConnectionFactory.createConnection(conf()));
        RemoteTransactionManager manager = connect(startTransactionManager(0));
        createTables();
        conf().set(Settings.COMMIT_TABLE, COMMITS.getNameAsString());
        client = opened(TransactionClient.open(conf(), manager));
    }

    private void createTables() throws IOException {
        try (Admin admin = connection.getAdmin()) {
            Tables.createCommitTable(admin, COMMITS, COMMIT_SHARDS);
            admin.createTable(plain(NATIVE));
            for (TableName name : List.of(REGULAR, LONG)) {
                admin.createTable(Tables.transactional(plain(name), COMMITS));
            }
            for (TableName name : List.of(FAST, LONG_FAST)) {
                TableDescriptor fast = Tables.fastPath(Tables.transactional(plain(name), COMMITS), LEAP);
                admin.createTable(TableDescriptorBuilder.newBuilder(fast).setValue(Settings.TM_ZOOKEEPER, zooKeeper()).build());
            }
        }
    }

    Connection connection() {
        return connection;
    }

    TransactionClient client() {
        return client;
    }
}
