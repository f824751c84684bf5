package org.fencepost.hbase;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.fencepost.protocol.TransactionManager;
import org.fencepost.tm.RemoteTransactionManager;

/**
 * Finds transaction managers through ZooKeeper: {@link Settings#TM_ZOOKEEPER}, or that key with a dot and the name of the commit table (or
 * table of Mediator) after it, where several managers serve one HBase.
 */
public final class RemoteTransactionManagerFactory implements TransactionManagerFactory {

    @Override
    public String address(Configuration server, TableName table) {
        String zooKeeper = server.getTrimmed(Settings.TM_ZOOKEEPER + "." + table, server.getTrimmed(Settings.TM_ZOOKEEPER, ""));
        if (zooKeeper.isEmpty()) {
            throw new IllegalArgumentException("Region servers need " + Settings.TM_ZOOKEEPER + " in their hbase-site.xml to find the"
                    + " transaction manager of " + table + ".");
        }
        return zooKeeper;
    }

    @Override
    public TransactionManager connect(Configuration server, String address) {
        return new RemoteTransactionManager(RemoteTransactionManager.Settings.of(address));
    }
}
