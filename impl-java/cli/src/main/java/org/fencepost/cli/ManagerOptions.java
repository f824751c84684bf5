package org.fencepost.cli;

import org.apache.hadoop.conf.Configuration;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.server.RemoteTransactionManagerFactory;
import org.fencepost.tm.client.RemoteTransactionManager;
import org.fencepost.tm.wire.TlsOptions;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Where commands find the transaction manager. */
final class ManagerOptions {
    @Option(names = "--tm-zookeeper", paramLabel = "HOST:PORT[,...][/PATH]",
            description = "the transaction manager's ZooKeeper, as given to it; otherwise " + Settings.TM_ZOOKEEPER + " says")
    private String zooKeeper;

    @ArgGroup(exclusive = false, heading = "TLS to the transaction manager (otherwise as " + Settings.TM_TLS_CERT + " and so on say):%n")
    private TlsOptions tls;

    /**
     * Null if neither an option nor the configuration names one. Throws IllegalArgumentException for TLS files that are not there.
     *
     * @param conf gets what the options say
     */
    RemoteTransactionManager connectIfNamed(Configuration conf) {
        if (zooKeeper != null) {
            conf.set(Settings.TM_ZOOKEEPER, zooKeeper);
        }
        if (tls != null) {
            conf.set(Settings.TM_TLS_CERT, tls.files().certificate().toString());
            conf.set(Settings.TM_TLS_KEY, tls.files().key().toString());
            conf.set(Settings.TM_TLS_CA, tls.files().authority().toString());
        }
        String address = conf.getTrimmed(Settings.TM_ZOOKEEPER, "");
        return address.isEmpty() ? null : new RemoteTransactionManagerFactory().connect(conf, address);
    }

    /** The same, and throws IllegalArgumentException, with one sentence, if none is named. */
    RemoteTransactionManager connect(Configuration conf) {
        RemoteTransactionManager manager = connectIfNamed(conf);
        if (manager == null) {
            throw new IllegalArgumentException("Which transaction manager? Give --tm-zookeeper, or set " + Settings.TM_ZOOKEEPER
                    + " in hbase-site.xml.");
        }
        return manager;
    }
}
