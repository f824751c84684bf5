package org.fencepost.hbase;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.fencepost.protocol.TransactionManager;
import org.fencepost.protocol.TransactionManagerException;

/** How region servers in this JVM reach the transaction manager of a commit table; tests take it away and bring it back. */
public final class TestManagers implements TransactionManagerFactory {

    /** Value of a table that has no commit table: whose transaction manager to ask. */
    static final String MANAGER = "fencepost.test.manager";

    private static final Map<String, TransactionManager> UP = new ConcurrentHashMap<>();

    static void up(String commitTable, TransactionManager manager) {
        UP.put(commitTable, manager);
    }

    static void down(String commitTable) {
        UP.remove(commitTable);
    }

    @Override
    public TransactionManager connect(Configuration conf) {
        String commitTable = conf.get(MANAGER, conf.get(Settings.COMMIT_TABLE));
        return new TransactionManager() {
            private TransactionManager manager() {
                TransactionManager manager = UP.get(commitTable);
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
            public long commit(long startTs, long[] writeSet) {
                throw new UnsupportedOperationException("region servers do not commit");
            }

            @Override
            public void end(long startTs) {
                manager().end(startTs);
            }

            @Override
            public long collectableBelow() {
                throw new UnsupportedOperationException("region servers do not collect");
            }
        };
    }
}
