package org.fencepost.hbase.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.DecidedRows;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.RowRecords;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.store.Record;

/**
 * Reads one row in a transaction's snapshot: runs the protocol's read on each column over the records that came with
 * the row, and adds the transaction's own writes. What it returns shows neither versions nor commit cells.
 */
final class RowReader {

    private static final byte[] NO_BYTES = {};

    private final TransactionClient client;
    private final Transaction tx;
    private final TableName table;
    /** As in a Get: no families is all families, no qualifiers is all columns. */
    private final Map<byte[], NavigableSet<byte[]>> requested;
    private final boolean onServer;

    /** @param onServer whether the region servers were asked to decide */
    RowReader(TransactionClient client, Transaction tx, TableName table, Map<byte[], NavigableSet<byte[]>> requested, boolean onServer) {
        this.client = client;
        this.tx = tx;
        this.table = table;
        this.requested = requested;
        this.onServer = onServer;
    }

    /**
     * @param stored the row as HBase returned it since the transaction began; empty if HBase has none, which only an own one may be
     * @param own    whether the transaction has written it
     */
    List<Cell> read(byte[] row, Result stored, boolean own) {
        if (!own && isDecided(stored)) {
            requireInTime();
            return stored.listCells();
        }
        client.protocol().lookUp(tx.state(), unsettled(stored));
        return readLookedUp(row, stored);
    }

    /** The other writers of the records above the first one with a commit cell, in each column. */
    Set<Long> unsettled(Result stored) {
        if (isDecided(stored)) {
            return Set.of();
        }
        Versions versions = client.rows().versionsOf(table);
        Set<Long> writers = new HashSet<>();
        for (List<Record<byte[]>> column : records(stored).values()) {
            for (int i = 0; i < column.size() && !column.get(i).hasCommitCell(); i++) {
                writers.add(versions.writerOf(column.get(i).version()));
            }
        }
        writers.remove(tx.startTimestamp());
        return writers;
    }

    private boolean isDecided(Result stored) {
        return onServer && DecidedRows.isDecided(stored);
    }

    private Map<CellKey, List<Record<byte[]>>> records(Result stored) {
        return RowRecords.of(table, client.rows().versionsOf(table), stored);
    }

    /** The same as {@link #read} of an own one, when the commit table was asked about {@link #unsettled}. */
    List<Cell> readLookedUp(byte[] row, Result stored) {
        List<Cell> cells = isDecided(stored) ? withOwn(row, stored) : decide(row, stored);
        requireInTime();
        return cells;
    }

    /** A decided row as it is, but for what the transaction has written itself, in memory or since the server looked. */
    private List<Cell> withOwn(byte[] row, Result decided) {
        NavigableMap<CellKey, Cell> cells = new TreeMap<>(CellKey.COLUMN_ORDER);
        if (!decided.isEmpty()) {
            for (Cell cell : decided.rawCells()) {
                cells.put(new CellKey(table, row, CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell)), cell);
            }
        }
        for (CellKey own : tx.ownWrites(table).getOrDefault(row, Collections.emptyNavigableSet())) {
            if (isRequested(requested, own) && tx.state().readsOwn(own)) {
                Record<byte[]> record = client.protocol().readDecided(tx.state(), own, record(cells.get(own)));
                if (record.isTombstone()) {
                    cells.remove(own);
                } else {
                    cells.put(own, cell(own, record.value()));
                }
            }
        }
        return new ArrayList<>(cells.values());
    }

    /** Null unless it is an own one. */
    private Record<byte[]> record(Cell decided) {
        int level = decided == null ? -1 : DecidedRows.level(decided);
        return level < 0 ? null : new Record<>(tx.startTimestamp() + level, CellUtil.cloneValue(decided), Timestamps.NIL);
    }

    private List<Cell> decide(byte[] row, Result stored) {
        NavigableMap<CellKey, List<Record<byte[]>>> columns = new TreeMap<>(CellKey.COLUMN_ORDER);
        columns.putAll(records(stored));
        for (CellKey own : tx.ownWrites(table).getOrDefault(row, Collections.emptyNavigableSet())) {
            if (isRequested(requested, own)) {
                columns.putIfAbsent(own, List.of());
            }
        }
        List<Cell> cells = new ArrayList<>(columns.size());
        columns.forEach((key, records) -> {
            if (tx.visibility() == Visibility.ALL) {
                addAll(key, records, cells);
                return;
            }
            Record<byte[]> record = client.protocol().read(tx.state(), key, client.rows().resume(key, records));
            if (record != null && !record.isTombstone()) {
                cells.add(cell(key, record.value()));
            }
        });
        return cells;
    }

    /** Where it has written the column since the records were fetched, they are fetched again: their region has been told the snapshot. */
    private void addAll(CellKey key, List<Record<byte[]>> records, List<Cell> cells) {
        boolean written = tx.ownWrites(table).getOrDefault(key.row(), Collections.emptyNavigableSet()).contains(key);
        List<Record<byte[]>> all = written ? client.protocol().readAll(tx.state(), key)
                : client.protocol().readAll(tx.state(), key, client.rows().resume(key, records));
        for (Record<byte[]> record : all) {
            boolean own = record.version() >= tx.startTimestamp();
            if (own || !record.isTombstone()) {
                cells.add(Layout.cell(key.row(), key.family(), key.qualifier(), record.version(),
                        record.isTombstone() ? Cell.Type.Delete : Cell.Type.Put, record.isTombstone() ? NO_BYTES : record.value()));
            }
        }
    }

    /** Commit cells that were found missing. */
    void healGathered() {
        client.protocol().healGathered(tx.state());
    }

    /** @param requested as in a Get */
    static boolean isRequested(Map<byte[], NavigableSet<byte[]>> requested, CellKey key) {
        if (requested.isEmpty()) {
            return true;
        }
        NavigableSet<byte[]> qualifiers = requested.get(key.family());
        return requested.containsKey(key.family())
                && (qualifiers == null || qualifiers.isEmpty() || qualifiers.contains(key.qualifier()));
    }

    void requireInTime() {
        client.protocol().requireInTime(tx.state());
    }

    static Cell cell(CellKey key, byte[] value) {
        return Layout.cell(key.row(), key.family(), key.qualifier(), HConstants.LATEST_TIMESTAMP, Cell.Type.Put, value);
    }
}
