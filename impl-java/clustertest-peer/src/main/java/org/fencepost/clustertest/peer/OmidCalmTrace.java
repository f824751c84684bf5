package org.fencepost.clustertest.peer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.omid.transaction.CellUtils;
import org.apache.omid.transaction.HBaseTransaction;
import org.apache.omid.transaction.RollbackException;
import org.apache.omid.transaction.TTable;
import org.apache.omid.transaction.TransactionException;
import org.apache.omid.transaction.TransactionManager;
import org.fencepost.clustertest.client.Cells;
import org.fencepost.clustertest.client.RankedTrace;

/**
 * A trace of Apache Omid that can be checked against specs/OmidBaseline.tla: transactions that overlap, read each other's pending writes and conflict, on keys
 * of their own, all by one thread, which writes down what its client is answered. Each value tells its writer.
 */
final class OmidCalmTrace {

    private static final int ROUNDS = 4;
    private static final byte[] QUALIFIER = Bytes.toBytes("calm");

    private final TransactionManager manager;
    private final TTable table;
    private final RankedTrace trace = new RankedTrace();
    /** The keys that each transaction has written, by its start timestamp. */
    private final Map<Long, List<String>> written = new HashMap<>();

    private OmidCalmTrace(TransactionManager manager, TTable table) {
        this.manager = manager;
        this.table = table;
    }

    /** Throws IOException where the cluster did not answer. */
    static void record(TransactionManager manager, Connection connection, TableName name, String keys, Path file) throws IOException {
        try (TTable table = new TTable(connection, name.getName()); Table raw = connection.getTable(name)) {
            OmidCalmTrace user = new OmidCalmTrace(manager, table);
            for (int i = 0; i < ROUNDS; i++) {
                user.round(keys + i % 2, keys + (i + 1) % 2);
            }
            user.account(raw);
            user.trace.write("OmidBaseline", file, "faults", false);
        } catch (TransactionException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** A writer is read while it is under way, and commits all the same; of two who write one key the second one is refused; one takes back what it has written. */
    private void round(String one, String other) throws IOException, TransactionException {
        HBaseTransaction writer = begin();
        HBaseTransaction reader = begin();
        read(writer, one);
        write(writer, one);
        read(writer, one);
        read(reader, one);
        HBaseTransaction second = begin();
        read(second, one);
        write(second, one);
        write(second, other);
        read(second, other);
        commit(writer);
        read(reader, one);
        commit(second);
        HBaseTransaction later = begin();
        read(later, one);
        HBaseTransaction undone = begin();
        write(undone, other);
        read(later, other);
        manager.rollback(undone);
        trace.event("Rollback", "txn", undone.getStartTimestamp());
        read(later, other);
        write(later, other);
        commit(later);
        read(reader, other);
        commit(reader);
    }

    private HBaseTransaction begin() throws TransactionException {
        HBaseTransaction tx = (HBaseTransaction) manager.begin();
        written.put(tx.getStartTimestamp(), new ArrayList<>());
        trace.event("Begin", "txn", tx.getStartTimestamp());
        return tx;
    }

    private void read(HBaseTransaction tx, String key) throws IOException {
        Result found = table.get(tx, new Get(Bytes.toBytes(key)).addColumn(Cells.FAMILY, QUALIFIER));
        byte[] value = found.getValue(Cells.FAMILY, QUALIFIER);
        trace.event("Read", "txn", tx.getStartTimestamp(), "key", key, "from", value == null ? 0L : Bytes.toLong(value));
    }

    private void write(HBaseTransaction tx, String key) throws IOException {
        table.put(tx, new Put(Bytes.toBytes(key)).addColumn(Cells.FAMILY, QUALIFIER, Bytes.toBytes(tx.getStartTimestamp())));
        written.get(tx.getStartTimestamp()).add(key);
        trace.event("Write", "txn", tx.getStartTimestamp(), "key", key);
    }

    private void commit(HBaseTransaction tx) throws TransactionException {
        if (written.get(tx.getStartTimestamp()).isEmpty()) {
            commitAnswered(tx);
            trace.event("EndReadOnly", "txn", tx.getStartTimestamp());
        } else {
            trace.event("AnswerCommit", "txn", tx.getStartTimestamp(), "answer", commitAnswered(tx) ? tx.getCommitTimestamp() : 0L);
        }
    }

    private boolean commitAnswered(HBaseTransaction tx) throws TransactionException {
        try {
            manager.commit(tx);
            return true;
        } catch (RollbackException e) {
            return false;
        }
    }

    /** What the table has of each write. */
    private void account(Table raw) throws IOException {
        for (Map.Entry<Long, List<String>> writer : new TreeMap<>(written).entrySet()) {
            for (String key : writer.getValue()) {
                Result row = raw.get(new Get(Bytes.toBytes(key)).setTimestamp(writer.getKey()).readAllVersions());
                byte[] commit = row.getValue(Cells.FAMILY, CellUtils.addShadowCellSuffixPrefix(QUALIFIER, 0, QUALIFIER.length));
                trace.account("Record", "met", writer.getKey(), "key", key, "gone", !row.containsColumn(Cells.FAMILY, QUALIFIER), "commit",
                        commit == null ? 0L : Bytes.toLong(commit));
            }
        }
    }
}
