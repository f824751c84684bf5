package org.fencepost.hbase;

import org.apache.hadoop.conf.Configuration;
import org.fencepost.protocol.TransactionManager;
import org.fencepost.tm.RemoteTransactionManager;

/** Finds the transaction manager through ZooKeeper: {@link Settings#TM_ZOOKEEPER}. */
public final class RemoteTransactionManagerFactory implements TransactionManagerFactory {

    @Override
    public TransactionManager connect(Configuration conf) {
        String zooKeeper = conf.getTrimmed(Settings.TM_ZOOKEEPER, "");
        if (zooKeeper.isEmpty()) {
            throw new IllegalArgumentException("The fast path needs " + Settings.TM_ZOOKEEPER
                    + ", in hbase-site.xml of the region servers or as a value of the table.");
        }
        return new RemoteTransactionManager(RemoteTransactionManager.Settings.of(zooKeeper));
    }
}
