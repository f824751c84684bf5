package org.fencepost.clustertest.ph1;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.apache.hadoop.conf.Configuration;
import org.fencepost.clustertest.client.Cells;
import org.fencepost.clustertest.client.Client;
import org.fencepost.clustertest.client.Failovers;
import org.fencepost.clustertest.client.Session;
import org.fencepost.clustertest.client.Tx;
import org.fencepost.clustertest.verdict.Op;
import org.fencepost.clustertest.workload.Paths;
import org.fencepost.clustertest.workload.Workload;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.ph1.store.CassandraLog;
import org.fencepost.ph1.store.CassandraStore;
import org.fencepost.ph1.store.Codec;
import org.fencepost.ph1.store.Key;
import org.fencepost.protocol.ph1.RedoLog.RedoRecord;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.tm.client.RemoteTransactionManager;

/**
 * A run on pH1: each of the harness's threads is a user of one of the instances, and of another one when its connection breaks. In the end, the redo log tells
 * what became of those who had no answer.
 */
final class PH1Session implements Session {

    /** Longer than an instance tries. */
    private static final int ANSWER_MILLIS = 15_000;
    private static final long NOBODY_NANOS = 50_000_000;

    private final CqlSession cassandra;
    private final RemoteTransactionManager manager;
    private final String table = "run" + System.currentTimeMillis();
    private final Client client;
    private final Paths paths;
    private final AtomicInteger users = new AtomicInteger();
    private final Queue<Instance> opened = new ConcurrentLinkedQueue<>();
    private final ThreadLocal<Instance> instances = new ThreadLocal<>();

    PH1Session(Configuration cluster, Workload workload, Paths paths) throws IOException {
        this.paths = paths;
        try {
            cassandra = Places.connect();
        } catch (StoreException e) {
            throw new IOException(e.getMessage(), e);
        }
        try {
            CassandraStore.createTable(cassandra, Places.KEYSPACE, table);
        } catch (StoreException e) {
            cassandra.close();
            throw new IOException(e.getMessage(), e);
        }
        manager = new RemoteTransactionManager(RemoteTransactionManager.Settings.of(cluster.get(Settings.TM_ZOOKEEPER)));
        client = Client.ofRegular(this::begin, manager::begin, workload.elle().lists(), paths);
    }

    private Tx begin() {
        Instance mine = instances.get();
        if (mine == null || mine.isBroken()) {
            List<String> nodes = Places.instances();
            String node = nodes.get(users.getAndIncrement() % nodes.size());
            try {
                mine = new Instance(node, ANSWER_MILLIS);
            } catch (IOException e) {
                LockSupport.parkNanos(NOBODY_NANOS);
                throw new StoreException("There is no instance at " + node + ": " + e.getMessage(), e);
            }
            opened.add(mine);
            instances.set(mine);
        }
        return new PH1Tx(mine, table);
    }

    @Override
    public Client client() {
        return client;
    }

    @Override
    public String table() {
        return table;
    }

    @Override
    public List<String> roles() {
        return List.of("ph1", "ph1", "cassandra", "cassandra", "tm", "zookeeper");
    }

    @Override
    public void watchFailovers(BooleanSupplier goOn, LongConsumer newEpoch) throws InterruptedException {
        Failovers.watch(() -> manager.conditionAsync().get(Failovers.ANSWER_MILLIS, TimeUnit.MILLISECONDS).epoch(), goOn, newEpoch);
    }

    @Override
    public List<Path> recordCalm(String keys, Path folder) {
        return List.of();
    }

    /** A record that commits is the commit, whoever has flushed it; without one, nothing is committed any more once all is healed. */
    @Override
    public List<Op> completed(List<Op> history, List<String> missing) {
        if (history.stream().noneMatch(PH1Session::isOpen)) {
            return history;
        }
        try {
            Map<List<String>, Long> commits = commits(history.stream().filter(PH1Session::isOpen).mapToLong(op -> op.number(Op.START)).min().orElse(0));
            return history.stream().map(op -> isOpen(op) ? resolved(op, commits) : op).toList();
        } catch (StoreException | DriverException e) {
            missing.add("how transactions without an answer have ended could not be looked for (" + e.getMessage() + ")");
            return history;
        }
    }

    private static boolean isOpen(Op op) {
        return op.isClient() && op.type() == Op.Type.info && !op.more().containsKey(Op.RESOLVED) && op.tagged().stream().anyMatch(micro -> micro.get(0).equals("w"));
    }

    private Op resolved(Op op, Map<List<String>, Long> commits) {
        List<Object> written = op.tagged().stream().filter(micro -> micro.get(0).equals("w")).reduce((first, last) -> last).orElseThrow();
        Long commitTs = commits.get(List.of(Cells.row(written.get(1)), written.get(2).toString()));
        paths.count(commitTs == null ? "no record without an answer" : "commit without an answer");
        return commitTs == null ? op.with(Op.RESOLVED, "ABORTED") : op.with(Op.RESOLVED, "COMMITTED").with(Op.COMMIT, commitTs);
    }

    /** By key and tag. */
    private Map<List<String>, Long> commits(long from) {
        Map<List<String>, Long> commits = new HashMap<>();
        CassandraLog log = new CassandraLog(cassandra, Places.KEYSPACE);
        for (long commitTs : log.commits(from)) {
            RedoRecord<Key, ByteBuffer> record = log.find(commitTs);
            if (record != null && record.commits()) {
                record.writes().forEach((key, value) -> {
                    if (key.table().equals(table) && value != null) {
                        String text = new String(Codec.bytes(value), StandardCharsets.UTF_8);
                        commits.put(List.of(new String(key.bytes(), StandardCharsets.UTF_8), text.substring(text.lastIndexOf(' ') + 1)), commitTs);
                    }
                });
            }
        }
        return commits;
    }

    @Override
    public void close() {
        opened.forEach(Instance::close);
        manager.close();
        try {
            cassandra.execute(SimpleStatement.newInstance("DROP TABLE IF EXISTS " + Places.KEYSPACE + "." + table));
        } catch (DriverException e) { // no reason to lose the run
            System.err.println("The run's table stays in the cluster: " + e.getMessage());
        }
        cassandra.close();
    }
}
