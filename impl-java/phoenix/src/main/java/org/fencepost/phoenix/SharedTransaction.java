package org.fencepost.phoenix;

import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.transaction.PhoenixTransactionContext.PhoenixVisibilityLevel;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.client.Visibility;
import org.fencepost.hbase.layout.TransactionState;
import org.fencepost.protocol.TransactionStatus;

/**
 * A transaction that several of Phoenix's contexts share: that of a connection, and those of the threads that work on one of its statements.
 * Writes are sent at once, since region servers read them. A row that was sent cannot be written again at the same level, so a level begins
 * where that is needed, also within a statement; which levels a statement reads is therefore counted here, and not by the
 * {@link Transaction}: those before its first one, or all. Thread-safe.
 *
 * <p>It is ended when nobody knows it any more, if not before, so that the collector need not wait for its lifetime.
 */
final class SharedTransaction {

    private static final Cleaner FORGOTTEN = Cleaner.create();

    private final FencepostClient client;
    private final Transaction tx;
    /** The last fence that was put right before it began; 0 for none. */
    private final long fence;
    /** The first level of the statement since the last checkpoint. */
    private int statement;
    /** Whether something was sent at the present level. */
    private boolean written;
    /** The same at whatever level. */
    private boolean writes;

    SharedTransaction(FencepostClient client, long fence) {
        this.client = client;
        this.tx = client.transactions().begin();
        this.fence = fence;
        Transaction begun = tx;
        FORGOTTEN.register(this, () -> end(begun));
    }

    long startTimestamp() {
        return tx.startTimestamp();
    }

    long fence() {
        return fence;
    }

    synchronized long writePoint() {
        return tx.startTimestamp() + tx.level();
    }

    /** One that has written nothing goes on, as long as somebody may still read: Phoenix opens a statement's scans after it has committed. */
    synchronized void commit() {
        if (writes) {
            tx.commit();
        }
    }

    /** Whether somebody has given it up. */
    synchronized boolean isAborted() {
        return tx.status() == TransactionStatus.ABORTED;
    }

    synchronized void rollBack() {
        end(tx);
    }

    private static void end(Transaction tx) {
        if (tx.status() == TransactionStatus.ACTIVE) {
            tx.rollback();
        }
    }

    /** A statement begins that is not to see what it writes. */
    synchronized void checkpoint() {
        if (written) {
            nextLevel();
        }
        statement = tx.level();
    }

    private void nextLevel() {
        tx.compareAll();
        tx.checkpoint();
        tx.visibility(Visibility.SNAPSHOT);
        written = false;
    }

    /** The last own level that is read now; -1 for none. */
    synchronized int readLevel(PhoenixVisibilityLevel visibility) {
        return visibility == PhoenixVisibilityLevel.SNAPSHOT_EXCLUDE_CURRENT ? statement - 1 : tx.level();
    }

    /** What a region server is told that reads or computes for it. */
    synchronized TransactionState state(PhoenixVisibilityLevel visibility, int readLevel, long span) {
        return new TransactionState(tx.startTimestamp(), readLevel, tx.level(), visibility == PhoenixVisibilityLevel.SNAPSHOT_ALL, span, fence,
                client.commitTable());
    }

    synchronized void requireInTime() {
        tx.requireInTime();
    }

    /**
     * Writes and sends. What a delete of families deletes must have been looked up: of these, a delete has columns.
     *
     * @param mutations in the order in which they are to take effect
     */
    synchronized void write(TransactionalTable table, List<? extends Mutation> mutations, boolean conflictFree) {
        if (mutations.stream().anyMatch(mutation -> tx.hasSent(table.name(), mutation.getRow()))) {
            nextLevel();
        }
        writes = true;
        for (Mutation mutation : mutations) {
            if (mutation instanceof Delete delete) {
                tx.requireInTime();
                table.delete(tx, delete);
            } else if (conflictFree && tx.level() == 0) {
                table.putConflictFree(tx, List.of((Put) mutation));
            } else {
                table.put(tx, (Put) mutation);
            }
        }
        tx.flush();
        written = true;
    }

    /** Without time and attributes, which are Phoenix's; a delete of families becomes one of the columns that there are. */
    static List<Mutation> plain(List<? extends Mutation> mutations, Map<byte[], List<Cell>> found) {
        Map<byte[], List<Cell>> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);
        found.forEach((row, cells) -> rows.put(row, new ArrayList<>(cells)));
        List<Mutation> plain = new ArrayList<>(mutations.size());
        for (Mutation mutation : mutations) {
            Mutation each = mutation instanceof Put put ? put(put) : delete((Delete) mutation, rows);
            if (each instanceof Put put) {
                rows.computeIfAbsent(put.getRow(), row -> new ArrayList<>()).addAll(put.getFamilyCellMap().values().stream().flatMap(List::stream).toList());
            }
            if (!each.isEmpty()) {
                plain.add(each);
            }
        }
        return plain;
    }

    private static Put put(Put from) {
        Put put = new Put(from.getRow());
        from.getFamilyCellMap().values().forEach(cells -> cells.forEach(
                cell -> put.addColumn(CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell), CellUtil.cloneValue(cell))));
        return put;
    }

    private static Delete delete(Delete from, Map<byte[], List<Cell>> rows) {
        Delete delete = new Delete(from.getRow());
        List<Cell> present = rows.getOrDefault(from.getRow(), List.of());
        Set<Bytes> deleted = new HashSet<>();
        if (from.isEmpty()) {
            present.forEach(cell -> add(delete, deleted, cell));
        }
        from.getFamilyCellMap().forEach((family, cells) -> cells.forEach(cell -> {
            if (deletesFamily(cell)) {
                present.stream().filter(each -> CellUtil.matchingFamily(each, family)).forEach(each -> add(delete, deleted, each));
            } else {
                add(delete, deleted, cell);
            }
        }));
        return delete;
    }

    /** Once for each column. */
    private static void add(Delete delete, Set<Bytes> deleted, Cell column) {
        byte[] family = CellUtil.cloneFamily(column);
        byte[] qualifier = CellUtil.cloneQualifier(column);
        if (deleted.add(new Bytes(Bytes.add(new byte[] {(byte) family.length}, family, qualifier)))) {
            delete.addColumns(family, qualifier);
        }
    }

    static boolean deletesFamily(Cell cell) {
        return cell.getType() == Cell.Type.DeleteFamily || cell.getType() == Cell.Type.DeleteFamilyVersion;
    }
}
