package org.fencepost.bench.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.tm.client.RemoteTransactionManager;

/**
 * HBase and the transaction manager, with the clients in this process. Each table has one region, and nothing else reads or
 * writes it, so that the tables of the systems that are compared go through the same number of operations.
 */
public abstract class ClientCluster extends Cluster {

    public static final TableName COMMITS = TableName.valueOf("commits");

    private Connection connection;
    private RemoteTransactionManager manager;
    private TransactionClient client;

    /** @param directory for logs and HBase's data */
    public ClientCluster(Path directory) {
        super(directory);
    }

    /** @param dataNodes of HDFS; each has all data */
    public void start(List<String> hbaseJvm, int dataNodes) throws IOException {
        startHBase(hbaseJvm, dataNodes);
        connection = opened(ConnectionFactory.createConnection(conf()));
        manager = connect(startTransactionManager(0));
        try (Admin admin = connection.getAdmin()) {
            Tables.createCommitTable(admin, COMMITS, COMMIT_SHARDS);
            createTables(admin);
        }
        conf().set(Settings.COMMIT_TABLE, COMMITS.getNameAsString());
        client = opened(TransactionClient.open(conf(), manager));
    }

    /** Beside the commit table. */
    protected abstract void createTables(Admin admin) throws IOException;

    public final Connection connection() {
        return connection;
    }

    public final RemoteTransactionManager manager() {
        return manager;
    }

    public final TransactionClient client() {
        return client;
    }
}
