package org.fencepost.phoenix;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.phoenix.transaction.PhoenixTransactionClient;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.server.RemoteTransactionManagerFactory;
import org.fencepost.tm.client.RemoteTransactionManager;

/** What the connections of a Phoenix client share: where transactions begin, and the tables that they have opened. Thread-safe. */
final class FencepostClient implements PhoenixTransactionClient {

    private final RemoteTransactionManager manager;
    private final TransactionClient transactions;
    private final TableName commitTable;
    private final Map<TableName, TransactionalTable> tables = new ConcurrentHashMap<>();

    private FencepostClient(RemoteTransactionManager manager, TransactionClient transactions, TableName commitTable) {
        this.manager = manager;
        this.transactions = transactions;
        this.commitTable = commitTable;
    }

    /** Throws as {@link TransactionClient#open} does, and IllegalArgumentException if {@link Settings#TM_ZOOKEEPER} is not set. */
    static FencepostClient open(Configuration conf) {
        Configuration perRow = new Configuration(conf);
        perRow.set(Settings.CONFLICTS, "row"); // as Phoenix expects
        TableName commitTable = Settings.from(perRow).commitTable();
        RemoteTransactionManagerFactory factory = new RemoteTransactionManagerFactory();
        RemoteTransactionManager manager = factory.connect(perRow, factory.address(perRow, commitTable));
        try {
            return new FencepostClient(manager, TransactionClient.open(perRow, manager), commitTable);
        } catch (RuntimeException e) {
            manager.close();
            throw e;
        }
    }

    TransactionClient transactions() {
        return transactions;
    }

    TableName commitTable() {
        return commitTable;
    }

    TransactionalTable table(TableName name) {
        return tables.computeIfAbsent(name, transactions::table);
    }

    /** Its description may have changed. */
    void forget(TableName name) {
        tables.remove(name);
    }

    @Override
    public void close() {
        transactions.close();
        manager.close();
    }
}
