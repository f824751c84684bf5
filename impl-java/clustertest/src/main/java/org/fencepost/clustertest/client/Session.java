package org.fencepost.clustertest.client;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.fencepost.clustertest.workload.MortalLog;
import org.fencepost.clustertest.workload.Paths;
import org.fencepost.clustertest.workload.Workload;
import org.fencepost.hbase.client.FastTable;
import org.fencepost.hbase.client.MediatorClient;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.tm.client.RemoteOracle;
import org.fencepost.tm.client.RemoteTransactionManager;

/** What a run has of a cluster: its connections, tables of its own, and the client that carries its operations out. */
public final class Session implements AutoCloseable {

    private static final int MANAGER_SECONDS = 30;
    private static final long PRIMARY_SILENT_MILLIS = 1_000;
    private static final int OUTSTANDING = 1 << 16;
    /** For what is due and not written back. Short, lest all threads wait for what a dead client has left. */
    private static final int READ_WAIT_MILLIS = 300;

    /** Of the client library. */
    final Configuration conf;
    public final RemoteTransactionManager manager;
    public final Connection connection;
    public final RunTables tables;
    public final Client client;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    /**
     * Connects and makes the tables.
     *
     * @param cluster HBase's configuration, with the transaction managers' ZooKeeper
     * @param timeout of each request, in milliseconds
     */
    public Session(Configuration cluster, Workload workload, int timeout, Paths paths) throws IOException, InterruptedException {
        conf = new Configuration(cluster);
        String zooKeeper = conf.get(Settings.TM_ZOOKEEPER);
        try {
            manager = opened(new RemoteTransactionManager(new RemoteTransactionManager.Settings(zooKeeper, timeout, PRIMARY_SILENT_MILLIS, OUTSTANDING, null)));
            connection = opened(ConnectionFactory.createConnection(conf));
            awaitManager(workload.isMediators());
            String run = Long.toString(System.currentTimeMillis());
            tables = workload.isMediators() ? RunTables.mediated(run, manager) : RunTables.named(run, workload.fastPath(), manager);
            try (Admin admin = connection.getAdmin()) {
                tables.create(admin);
            }
            conf.setInt(Settings.TIMEOUT, timeout);
            Client.Ways ways = workload.isMediators() ? mediators(workload.isolation()) : omids(paths);
            client = new Client(ways, manager, workload.elle() != null && workload.elle().lists(), paths);
        } catch (IOException | InterruptedException | RuntimeException e) {
            disconnect();
            throw e;
        }
    }

    private Client.Ways omids(Paths paths) {
        conf.set(Settings.COMMIT_TABLE, tables.commits().getNameAsString());
        TransactionClient client = opened(TransactionClient.open(conf, manager, paths));
        FastTable fast = tables.span() == 0 ? null : client.fastTable(tables.table());
        return new Client.Ways(client::begin, client.table(tables.table()), fast, null, null);
    }

    private Client.Ways mediators(String isolation) throws IOException {
        conf.set(Settings.MEDIATOR_ISOLATION, isolation);
        conf.setInt(Settings.MEDIATOR_WAIT, READ_WAIT_MILLIS);
        RemoteOracle oracle = new RemoteOracle(manager);
        MortalLog log = new MortalLog(oracle);
        MediatorClient client = opened(MediatorClient.open(conf, oracle, log));
        return new Client.Ways(client::begin, client.table(tables.table()), null, opened(new NativeTable(conf, tables.table())), log);
    }

    private <T extends AutoCloseable> T opened(T resource) {
        open.push(resource);
        return resource;
    }

    private void awaitManager(boolean withOracle) throws IOException, InterruptedException {
        for (int i = 0; true; i++) {
            try {
                manager.end(manager.begin());
                if (withOracle) {
                    new RemoteOracle(manager).begin(false);
                }
                return;
            } catch (TransactionManagerException e) {
                if (i == MANAGER_SECONDS) {
                    throw new IOException("No transaction manager serves: " + e.getMessage(), e);
                }
                TimeUnit.SECONDS.sleep(1);
            }
        }
    }

    private void disconnect() {
        for (AutoCloseable resource : open) {
            try {
                resource.close();
            } catch (Exception e) {
                // It is gone either way.
            }
        }
    }

    /** Drops the tables, too, if the cluster lets it. */
    @Override
    public void close() {
        try (Admin admin = connection.getAdmin()) {
            tables.drop(admin);
        } catch (IOException e) { // no reason to lose the run
            System.err.println("The run's tables stay in the cluster: " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        } finally {
            disconnect();
        }
    }
}
