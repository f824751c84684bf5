package org.fencepost.clustertest.peer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.omid.transaction.AbstractTransactionManager;
import org.apache.omid.transaction.CellUtils;
import org.apache.omid.transaction.HBaseOmidClientConfiguration;
import org.apache.omid.transaction.HBaseTransaction;
import org.apache.omid.transaction.HBaseTransactionManager;
import org.apache.omid.transaction.TTable;
import org.apache.omid.tso.client.OmidClientConfiguration.ConnType;
import org.apache.omid.tso.client.TSOClient;
import org.apache.omid.tso.client.TSOProtocol;
import org.fencepost.clustertest.client.Client;
import org.fencepost.clustertest.client.Failovers;
import org.fencepost.clustertest.client.RunTables;
import org.fencepost.clustertest.client.Session;
import org.fencepost.clustertest.client.Tx;
import org.fencepost.clustertest.verdict.Op;
import org.fencepost.clustertest.workload.Paths;
import org.fencepost.clustertest.workload.Workload;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.protocol.manager.TransactionManagerException;

/**
 * A run on Apache Omid, by its client as it comes, but that it looks for another transaction manager after a second and not after ten. Its commit table is the
 * cluster's; the run has a table of its own.
 */
final class OmidSession implements Session {

    /** While no transaction manager is there, its client says so at once, and a thread would ask ten thousand times a second. */
    private static final long FAILED_NANOS = 50_000_000;

    private final Connection connection;
    private final TSOProtocol managers;
    private final AbstractTransactionManager transactions;
    private final TableName name = TableName.valueOf("table-" + System.currentTimeMillis());
    private final Client client;

    OmidSession(Configuration cluster, Workload workload, int timeout, Paths paths) throws IOException, InterruptedException {
        HBaseOmidClientConfiguration settings = new HBaseOmidClientConfiguration();
        settings.setHBaseConfiguration(cluster);
        settings.setConnectionType(ConnType.HA);
        settings.setConnectionString(cluster.get(Settings.TM_ZOOKEEPER));
        settings.setRequestTimeoutInMs(timeout);
        settings.setReconnectionDelayInSecs(1);
        connection = ConnectionFactory.createConnection(cluster);
        managers = TSOClient.newInstance(settings.getOmidClientConfiguration());
        transactions = (AbstractTransactionManager) HBaseTransactionManager.builder(settings).tsoClient(managers).build();
        RunTables.administer(cluster, admin -> RunTables.createPlain(admin, name));
        client = Client.ofRegular(this::begin, this::timestamp, workload.elle() != null && workload.elle().lists(), paths);
    }

    private Tx begin() {
        try {
            HBaseTransaction tx = (HBaseTransaction) transactions.begin();
            return new OmidTx(transactions, new TTable(connection, name.getName()), tx);
        } catch (IOException e) {
            LockSupport.parkNanos(FAILED_NANOS);
            throw new TransactionManagerException(e.toString(), e);
        }
    }

    private long timestamp() {
        try {
            return managers.getNewStartTimestamp().get();
        } catch (ExecutionException e) {
            LockSupport.parkNanos(FAILED_NANOS);
            throw new TransactionManagerException(e.toString(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransactionManagerException(e.toString(), e);
        }
    }

    @Override
    public Client client() {
        return client;
    }

    @Override
    public String table() {
        return name.getNameAsString();
    }

    /** By the epoch that its client has learned. */
    @Override
    public void watchFailovers(BooleanSupplier goOn, LongConsumer newEpoch) throws InterruptedException {
        Failovers.watch(managers::getEpoch, goOn, newEpoch);
    }

    /** To be checked in its default mode only: the specification is of that. */
    @Override
    public List<Path> recordCalm(String keys, Path folder) throws IOException {
        Path trace = folder.resolve(keys + ".ndjson");
        OmidCalmTrace.record(transactions, connection, name, keys, trace);
        return managers.isLowLatency() ? List.of() : List.of(trace);
    }

    /**
     * When transactions committed whose clients do not know it: their shadow cells tell, which whoever reads a committed cell adds where there was none, or the commit
     * table.
     */
    @Override
    public List<Op> completed(List<Op> history, List<String> missing) {
        List<Op> complete = new ArrayList<>();
        try {
            Map<Long, Long> commits = shadowCells();
            for (Op op : history) {
                boolean open = op.type() != Op.Type.invoke && op.type() != Op.Type.fail && op.number(Op.START) != 0 && op.number(Op.COMMIT) == 0
                        && op.tagged().stream().anyMatch(micro -> micro.get(0).equals("w"));
                Long commit = open ? commits.get(op.number(Op.START)) : null;
                commit = open && commit == null ? inCommitTable(op.number(Op.START)) : commit;
                complete.add(commit == null ? op : op.with(Op.COMMIT, commit));
            }
            return complete;
        } catch (IOException e) {
            missing.add("the commit timestamps in the table could not be read (" + String.valueOf(e.getMessage()).lines().findFirst().orElse("") + ")");
            return history;
        }
    }

    /** Commit timestamps by start timestamp. */
    private Map<Long, Long> shadowCells() throws IOException {
        Map<Long, Long> commits = new HashMap<>();
        try (Table raw = connection.getTable(name); ResultScanner rows = raw.getScanner(new Scan().readAllVersions())) {
            for (Result row : rows) {
                for (Cell cell : row.rawCells()) {
                    if (CellUtils.isShadowCell(cell)) {
                        commits.put(cell.getTimestamp(), Bytes.toLong(CellUtil.cloneValue(cell)));
                    }
                }
            }
        }
        return commits;
    }

    /** Null: it is not committed there. */
    private Long inCommitTable(long startTs) throws IOException {
        try {
            var found = transactions.getCommitTableClient().getCommitTimestamp(startTs).get(30, TimeUnit.SECONDS);
            return found.isPresent() && found.get().isValid() ? found.get().getValue() : null;
        } catch (Exception e) {
            throw new IOException("the commit table did not answer: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try {
            RunTables.administer(connection.getConfiguration(), admin -> {
                admin.disableTable(name);
                admin.deleteTable(name);
            });
        } catch (IOException e) { // no reason to lose the run
            System.err.println("The run's table stays in the cluster: " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
        try {
            transactions.close();
            connection.close();
        } catch (IOException e) {
            // It is gone either way.
        }
    }
}
