package org.fencepost.mediator;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.client.BookKeeperAdmin;
import org.apache.bookkeeper.common.component.ComponentStarter;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.server.EmbeddedServer;
import org.apache.bookkeeper.server.conf.BookieConfiguration;

/**
 * A real bookie, small, in a process of its own: for tests, demos and benchmarks. Arguments: its metadata service, as
 * {@code zk+hierarchical://127.0.0.1:2181/ledgers}; its directory, where a later process finds what it had stored; its port, 0 for any;
 * the host that clients find it on, loopback if none is given. Makes BookKeeper's nodes in ZooKeeper where there are none. Says
 * {@code Bookie on HOST:PORT.} once it serves, and runs until it is killed, or gives up.
 *
 * <p>An entry is acknowledged when it is on the disk. With the system property {@value #SYNC} false, when the operating system has it: what
 * HBase's log has by default on each data node.
 */
public final class LocalBookie {

    public static final String SYNC = "fencepost.bookie.sync";
    /** System property: a file of BookKeeper's server properties, which are added to ours. */
    public static final String MORE = "fencepost.bookie.conf";

    private LocalBookie() {
    }

    public static void main(String[] arguments) throws Exception {
        int port = arguments[2].equals("0") ? freePort() : Integer.parseInt(arguments[2]);
        String host = arguments.length > 3 ? arguments[3] : "127.0.0.1";
        ServerConfiguration conf = configuration(arguments[0], Path.of(arguments[1]), host, port);
        makeNodes(conf);
        CompletableFuture<Void> ended = ComponentStarter.startComponent(EmbeddedServer.builder(new BookieConfiguration(conf)).build()
                .getLifecycleComponentStack());
        System.out.println("Bookie on " + host + ":" + port + ".");
        ended.get();
        System.exit(1);
    }

    private static void makeNodes(ServerConfiguration conf) throws Exception {
        try {
            BookKeeperAdmin.initNewCluster(conf); // tells, and does nothing, where they are
        } catch (Exception e) {
            BookKeeperAdmin.initNewCluster(conf); // another bookie has made them at the same time
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static ServerConfiguration configuration(String metadata, Path directory, String host, int port) throws Exception {
        ServerConfiguration conf = new ServerConfiguration();
        if (System.getProperty(MORE) != null) {
            conf.loadConf(Path.of(System.getProperty(MORE)).toUri().toURL());
        }
        conf.setMetadataServiceUri(metadata);
        conf.setBookiePort(port).setListeningInterface(null).setAdvertisedAddress(host).setAllowLoopback(true);
        conf.setJournalDirName(directory.resolve("journal").toString());
        conf.setLedgerDirNames(new String[] {directory.resolve("ledgers").toString()});
        conf.setDiskUsageThreshold(0.999f).setDiskUsageWarnThreshold(0.998f);
        conf.setJournalSyncData(Boolean.parseBoolean(System.getProperty(SYNC, "true")));
        // Else each record waits 2 ms for others to be flushed with.
        conf.setJournalFlushWhenQueueEmpty(true);
        conf.setMaxJournalSizeMB(16).setMaxBackupJournals(1).setEntryLogSizeLimit(16 << 20).setProperty("journalPreAllocSizeMB", 1);
        conf.setSkipListSizeLimit(8 << 20);
        conf.setNumAddWorkerThreads(0).setNumReadWorkerThreads(1).setNumLongPollWorkerThreads(1).setNumHighPriorityWorkerThreads(1)
                .setServerNumIOThreads(1);
        return conf;
    }
}
