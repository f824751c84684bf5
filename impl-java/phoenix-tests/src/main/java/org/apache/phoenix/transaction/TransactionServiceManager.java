package org.apache.phoenix.transaction;

import java.sql.SQLException;
import org.apache.hadoop.conf.Configuration;
import org.apache.phoenix.jdbc.ConnectionInfo;
import org.fencepost.phoenix.tests.FencepostService;

/**
 * In place of the one of Phoenix's test classes that takes the provider for Apache Omid's: Phoenix's tests call it when a connection needs
 * transactions for the first time.
 */
public final class TransactionServiceManager {

    private TransactionServiceManager() {
    }

    /** @param port not used: the transaction manager takes any, and is found through ZooKeeper */
    public static PhoenixTransactionService startTransactionService(TransactionFactory.Provider provider, Configuration conf, ConnectionInfo connection,
            int port) throws SQLException {
        return FencepostService.start(conf);
    }
}
