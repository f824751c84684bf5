package org.fencepost.clustertest.client;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.fencepost.clustertest.verdict.Op;
import org.fencepost.clustertest.workload.MortalLog;
import org.fencepost.clustertest.workload.Paths;
import org.fencepost.clustertest.workload.Workload;
import org.fencepost.hbase.client.CommitCounts;
import org.fencepost.hbase.client.FastTable;
import org.fencepost.hbase.client.MediatorClient;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.tm.client.RemoteOracle;
import org.fencepost.tm.client.RemoteTransactionManager;

/** A run on our own system. */
final class FencepostSession implements Session {

    private static final int MANAGER_SECONDS = 30;
    private static final long PRIMARY_SILENT_MILLIS = 1_000;
    private static final int OUTSTANDING = 1 << 16;
    /** For what is due and not written back. Short, lest all threads wait for what a dead client has left. */
    private static final int READ_WAIT_MILLIS = 300;

    /** Of the client library. */
    final Configuration conf;
    final RemoteTransactionManager manager;
    final RunTables tables;
    private final Workload workload;
    private final Paths paths;
    private final Connection connection;
    private final Client client;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private boolean counted;
    /** Null for Mediator. */
    private TransactionClient resolver;
    /** Null where nothing scans. */
    private ChangingIndex index;

    FencepostSession(Configuration cluster, Workload workload, int timeout, Paths paths) throws IOException, InterruptedException {
        this.workload = workload;
        this.paths = paths;
        conf = new Configuration(cluster);
        conf.set(Settings.COMMIT, workload.onePhase() ? "auto" : "long");
        String zooKeeper = conf.get(Settings.TM_ZOOKEEPER);
        try {
            manager = opened(new RemoteTransactionManager(new RemoteTransactionManager.Settings(zooKeeper, timeout, PRIMARY_SILENT_MILLIS, OUTSTANDING, null)));
            connection = opened(ConnectionFactory.createConnection(conf));
            awaitManager(workload.isMediators());
            String run = Long.toString(System.currentTimeMillis());
            tables = workload.isMediators() ? RunTables.mediated(run, manager) : RunTables.named(run, workload, manager);
            tables.create(conf);
            conf.setInt(Settings.TIMEOUT, timeout);
            Client.Ways ways = workload.isMediators() ? mediators(workload.isolation()) : omids();
            client = new Client(ways, workload.elle() != null && workload.elle().lists(), paths);
        } catch (IOException | InterruptedException | RuntimeException e) {
            disconnect();
            throw e;
        }
    }

    private Client.Ways omids() {
        if (tables.commits() != null) {
            conf.set(Settings.COMMIT_TABLE, tables.commits().getNameAsString());
        }
        conf.set(Settings.PROTOCOL, workload.twoPhase() ? "2pc" : "ll");
        TransactionClient client = opened(workload.leaders() ? Leaders.open(conf, manager, paths) : TransactionClient.open(conf, manager, paths));
        resolver = client;
        if (workload.scans()) {
            return scans(client);
        }
        if (workload.leaders()) {
            opened(new Leaders(client, manager, connection, tables.table(), paths));
        }
        FastTable fast = tables.span() == 0 ? null : client.fastTable(tables.table());
        TransactionalTable table = client.table(tables.table());
        return new Client.Ways(invoked -> new FencepostTx(invoked.isBlind() ? client.beginBlind() : client.begin(), table), manager::begin, fast, null,
                null, null);
    }

    /** With a second client, which leaves no trace, so that region servers decide what its transactions see. */
    private Client.Ways scans(TransactionClient deciding) {
        TransactionClient other = opened(TransactionClient.open(conf, manager));
        Map<TransactionClient, TransactionalTable> tables = Map.of(deciding, deciding.table(this.tables.table()), other, other.table(this.tables.table()));
        index = new ChangingIndex(conf, this.tables, List.of(deciding, other));
        return new Client.Ways(invoked -> {
            TransactionClient client = Op.SERVER.equals(invoked.more().get(Op.READS)) ? other : deciding;
            Transaction tx = client.begin();
            return new FencepostRangeTx(tx, tables.get(client), index.of(client)); // of the index when it has begun
        }, manager::begin, null, null, null, index::build);
    }

    private Client.Ways mediators(String isolation) throws IOException {
        conf.set(Settings.MEDIATOR_ISOLATION, isolation);
        conf.setInt(Settings.MEDIATOR_WAIT, READ_WAIT_MILLIS);
        RemoteOracle oracle = new RemoteOracle(manager);
        MortalLog log = new MortalLog(oracle);
        MediatorClient client = opened(MediatorClient.open(conf, oracle, log));
        TransactionalTable table = client.table(tables.table());
        return new Client.Ways(invoked -> new FencepostTx(client.begin(), table), manager::begin, null, opened(new NativeTable(conf, tables.table())), log, null);
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

    @Override
    public Client client() {
        return client;
    }

    @Override
    public String table() {
        return tables.table().getNameAsString();
    }

    @Override
    public void watchFailovers(BooleanSupplier goOn, LongConsumer newEpoch) throws InterruptedException {
        Failovers.watch(() -> manager.conditionAsync().get(Failovers.ANSWER_MILLIS, TimeUnit.MILLISECONDS).epoch(), goOn, newEpoch);
    }

    /** None of Mediator. */
    @Override
    public List<Path> recordCalm(String keys, Path folder) throws IOException {
        if (workload.isMediators()) {
            return List.of();
        }
        Path trace = folder.resolve(keys + ".ndjson");
        CalmTrace.record(this, workload.regular(), keys, trace);
        return List.of(trace);
    }

    @Override
    public synchronized void countPaths() {
        if (!workload.onePhase() || counted) {
            return;
        }
        counted = true;
        CommitCounts counts = resolver.commitCounts();
        paths.add(Paths.ONE_PHASE_COMMIT, counts.inOnePhase());
        paths.add(Paths.LONG_COMMIT, counts.theLongWay());
        paths.add(Paths.REFUSED_BATCH, counts.refused());
        paths.add(Paths.PASSED_PUT, counts.passed());
    }

    /** Where the fast-path writes without an answer are; with native puts, whose clients never learn it, where all writes are. */
    @Override
    public List<Op> completed(List<Op> history, List<String> missing) {
        if (workload.scans()) {
            return history.stream().map(op -> op.type() == Op.Type.info && op.number(Op.COMMIT) != 0 ? resolved(op, missing) : op).toList();
        }
        Map<String, Long> versions = null; // of what was written, by its place in the table
        try {
            versions = tables.versions(connection);
        } catch (IOException e) {
            missing.add("the versions in the table could not be read (" + String.valueOf(e.getMessage()).lines().findFirst().orElse("") + ")");
        }
        if (workload.isMediators()) {
            Map<String, Long> stored = versions;
            return versions == null ? history : history.stream().map(op -> op.type() == Op.Type.invoke || !op.isClient() ? op
                    : op.with(Op.STORED, op.tagged().stream().filter(m -> m.get(0).equals("w"))
                            .map(m -> stored.getOrDefault(RunTables.place(Cells.row(m.get(1)), m.get(2)), 0L)).toList())).toList();
        }
        List<Op> complete = new ArrayList<>();
        for (Op op : history) {
            Map<String, Long> stored = versions;
            Long found = op.type() != Op.Type.info || !op.isFast() ? null : versions == null ? (Long) Op.NOT_READ
                    : op.tagged().stream().filter(m -> m.get(0).equals("w")).map(m -> stored.get(RunTables.place(Cells.row(m.get(1)), m.get(2))))
                            .filter(Objects::nonNull).findFirst().orElse(Op.FOUND_NOWHERE);
            complete.add(found == null ? op : op.with(Op.FOUND, found));
        }
        return complete;
    }

    private Op resolved(Op op, List<String> missing) {
        try {
            return op.with(Op.RESOLVED, resolver.resolve(op.number(Op.START), op.number(Op.COMMIT)).name());
        } catch (StoreException e) {
            missing.add("how transaction " + op.number(Op.START) + " ended could not be asked for (" + String.valueOf(e.getMessage()).lines().findFirst().orElse("") + ")");
            return op;
        }
    }

    @Override
    public void close() {
        try {
            if (index != null) {
                index.drop();
            }
            tables.drop(conf);
        } catch (IOException e) { // no reason to lose the run
            System.err.println("The run's tables stay in the cluster: " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        } finally {
            disconnect();
        }
    }
}
