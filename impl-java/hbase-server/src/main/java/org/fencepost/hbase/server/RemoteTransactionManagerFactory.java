package org.fencepost.hbase.server;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.tm.client.RemoteTransactionManager;
import org.fencepost.tm.wire.TlsFiles;

/**
 * Finds transaction managers through ZooKeeper: {@link Settings#TM_ZOOKEEPER}, or that key with a dot and the name of the commit table (or
 * table of Mediator) after it, where several managers serve one HBase. With TLS if {@link Settings#TM_TLS_CERT} is set.
 */
public final class RemoteTransactionManagerFactory implements TransactionManagerFactory {

    private static final String[] KEYS = {Settings.TM_TLS_CERT, Settings.TM_TLS_KEY, Settings.TM_TLS_CA};

    @Override
    public String address(Configuration server, TableName table) {
        String zooKeeper = server.getTrimmed(Settings.TM_ZOOKEEPER + "." + table, server.getTrimmed(Settings.TM_ZOOKEEPER, ""));
        if (zooKeeper.isEmpty()) {
            throw new IllegalArgumentException("No hbase-site.xml here says where the transaction manager of " + table + " is: set " + Settings.TM_ZOOKEEPER
                    + " there.");
        }
        return zooKeeper;
    }

    @Override
    public RemoteTransactionManager connect(Configuration server, String address) {
        return new RemoteTransactionManager(RemoteTransactionManager.Settings.of(address, tls(server)));
    }

    /** Null without. Throws IllegalArgumentException if only some of its files are configured, or one cannot be read. */
    private static TlsFiles tls(Configuration conf) {
        Path[] files = new Path[KEYS.length];
        int configured = 0;
        for (int i = 0; i < KEYS.length; i++) {
            String file = conf.getTrimmed(KEYS[i], "");
            if (!file.isEmpty()) {
                files[i] = Path.of(file);
                configured++;
            }
        }
        if (configured == 0) {
            return null;
        }
        if (configured < KEYS.length) {
            throw new IllegalArgumentException("TLS to the transaction manager needs all of " + String.join(", ", KEYS) + ", or none.");
        }
        return TlsFiles.readable(files[0], files[1], files[2]);
    }
}
