package org.fencepost.hbase;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.fencepost.hbase.server.RemoteTransactionManagerFactory;
import org.fencepost.hbase.server.TransactionManagerFactory;
import org.fencepost.protocol.manager.ManagerInfo;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerException;

/**
 * How region servers in this JVM reach the transaction manager of a commit table; tests take it away and bring it back. Of other tables
 * nothing is configured.
 */
public final class TestManagers implements TransactionManagerFactory {

    private static final Map<String, TransactionManager> UP = new ConcurrentHashMap<>();
    /** By table; a commit table's own address is its name. */
    private static final Map<TableName, String> ADDRESSES = new ConcurrentHashMap<>();

    public static void up(TableName commitTable, TransactionManager manager) {
        belongsTo(commitTable, commitTable);
        UP.put(commitTable.getNameAsString(), manager);
    }

    static void down(TableName commitTable) {
        UP.remove(commitTable.getNameAsString());
    }

    /** A table that has no commit table has the transaction manager of another one's. */
    static void belongsTo(TableName table, TableName commitTable) {
        ADDRESSES.put(table, commitTable.getNameAsString());
    }

    @Override
    public String address(Configuration server, TableName table) {
        String address = ADDRESSES.get(table);
        return address != null ? address : new RemoteTransactionManagerFactory().address(server, table);
    }

    @Override
    public TransactionManager connect(Configuration server, String address) {
        return new TransactionManager() {
            private TransactionManager manager() {
                TransactionManager manager = UP.get(address);
                if (manager == null) {
                    throw new TransactionManagerException("The transaction manager is down.");
                }
                return manager;
            }

            @Override
            public long begin() {
                return manager().begin();
            }

            @Override
            public long commit(long startTs, long[] writeSet, long[] tables) {
                throw new UnsupportedOperationException("region servers do not commit");
            }

            @Override
            public void end(long startTs) {
                manager().end(startTs);
            }

            @Override
            public long collectableBelow() {
                return manager().collectableBelow();
            }

            @Override
            public ManagerInfo info() {
                return manager().info();
            }
        };
    }
}
