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
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.RowRecords;
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

    RowReader(TransactionClient client, Transaction tx, TableName table, Map<byte[], NavigableSet<byte[]>> requested) {
        this.client = client;
        this.tx = tx;
        this.table = table;
        this.requested = requested;
    }

    /** @param stored the row as HBase returned it since the transaction began; empty if HBase has none */
    List<Cell> read(byte[] row, Result stored) {
        Map<CellKey, List<Record<byte[]>>> records = records(stored);
        client.protocol().lookUp(tx.state(), unsettled(records));
        return read(row, records);
    }

    Map<CellKey, List<Record<byte[]>>> records(Result stored) {
        return RowRecords.of(table, client.rows().versionsOf(table), stored);
    }

    /** The other writers of the records above the first one with a commit cell, in each column. */
    Set<Long> unsettled(Map<CellKey, List<Record<byte[]>>> records) {
        Versions versions = client.rows().versionsOf(table);
        Set<Long> writers = new HashSet<>();
        for (List<Record<byte[]>> column : records.values()) {
            for (int i = 0; i < column.size() && !column.get(i).hasCommitCell(); i++) {
                writers.add(versions.writerOf(column.get(i).version()));
            }
        }
        writers.remove(tx.startTimestamp());
        return writers;
    }

    /** @param found what {@link #records} returned */
    List<Cell> read(byte[] row, Map<CellKey, List<Record<byte[]>>> found) {
        NavigableMap<CellKey, List<Record<byte[]>>> columns = new TreeMap<>(CellKey.COLUMN_ORDER);
        columns.putAll(found);
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
        requireInTime();
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

    /**
     * That a row or column is missing is an answer, too, and of no use when it came after the deadline: the protocol's
     * read of any column then aborts the transaction.
     */
    void requireInTime() {
        if (client.clock().nanos() - tx.state().deadlineNanos() > 0) {
            client.protocol().read(tx.state(), new CellKey(table, NO_BYTES, NO_BYTES, NO_BYTES),
                    Collections.emptyIterator());
        }
    }

    static Cell cell(CellKey key, byte[] value) {
        return Layout.cell(key.row(), key.family(), key.qualifier(), HConstants.LATEST_TIMESTAMP, Cell.Type.Put, value);
    }
}
