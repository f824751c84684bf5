package org.fencepost.hbase.server.rows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.RowRecords;
import org.fencepost.hbase.layout.TransactionState;
import org.fencepost.hbase.store.HBaseStore;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.omid.ForeignSnapshots;
import org.fencepost.protocol.omid.OmidLLTransaction;
import org.fencepost.protocol.omid.SnapshotColumn;
import org.fencepost.protocol.store.Record;

/**
 * The rows of a snapshot, as a filter of HBase, so that whoever reads from the region's scanner meets nothing else: of each column what the
 * transaction has written itself, up to its read point, or what it sees of others, with the stored cells' timestamps. Then the filter that
 * the scan came with is asked, which is shown these cells only ({@link RowFilter}).
 *
 * <p>Commit cells that came with the row tell nearly always ({@link SnapshotColumn}); else {@link ForeignSnapshots} finds out.
 */
public final class SnapshotOnlyRows extends FilterBase {

    private final HBaseStore rows;
    private final TableName table;
    private final Versions versions;
    private final TransactionState reader;
    private final ForeignSnapshots<CellKey, byte[]> snapshots;
    private final OmidLLTransaction<CellKey, byte[]> snapshot;
    private final Scan scan;
    private final RowFilter filter;

    public SnapshotOnlyRows(HBaseStore rows, TableName table, Versions versions, TransactionState reader, ForeignSnapshots<CellKey, byte[]> snapshots, Scan scan) {
        this.rows = rows;
        this.table = table;
        this.versions = versions;
        this.reader = reader;
        this.snapshots = snapshots;
        this.snapshot = snapshots.of(reader.startTs());
        this.scan = scan;
        this.filter = new RowFilter(scan.getFilter());
    }

    @Override
    public boolean hasFilterRow() {
        return true;
    }

    @Override
    public boolean filterAllRemaining() throws IOException {
        return filter.isDone();
    }

    @Override
    public boolean filterRowKey(Cell first) {
        filter.begin(first, scan.isReversed());
        return false;
    }

    @Override
    public ReturnCode filterCell(Cell cell) {
        return filter.isBeforeHint(cell, scan.isReversed()) ? ReturnCode.SEEK_NEXT_USING_HINT : ReturnCode.INCLUDE;
    }

    @Override
    public Cell getNextCellHint(Cell cell) {
        return filter.hint();
    }

    @Override
    public void filterRowCells(List<Cell> row) throws IOException {
        if (row.isEmpty()) {
            return;
        }
        List<Cell> passed;
        try {
            passed = filter.apply(visible(row));
        } catch (TransactionException e) {
            throw new DoNotRetryIOException(e.getMessage(), e);
        }
        row.clear();
        row.addAll(passed);
    }

    /** @param row in HBase's order: the versions of a column from new to old, and behind them its commit cells */
    private List<Cell> visible(List<Cell> row) {
        List<Cell> visible = new ArrayList<>(row.size());
        Map<CellKey, List<Record<byte[]>>> records = null;
        for (int i = 0; i < row.size();) {
            int end = i + 1;
            while (end < row.size() && CellUtil.matchingColumn(row.get(i), row.get(end))) {
                end++;
            }
            if (!Layout.isCommitCell(row.get(i)) && !decided(row, i, end, visible)) {
                records = records == null ? RowRecords.of(table, versions, Result.create(row)) : records;
                find(row.subList(i, end), records, visible);
            }
            i = end;
        }
        return visible;
    }

    /** Adds what is seen of a column, which may be nothing; false if its cells do not tell. */
    private boolean decided(List<Cell> row, int start, int end, List<Cell> visible) {
        SnapshotColumn column = new SnapshotColumn(reader.startTs(), versions);
        for (int i = start; i < end; i++) {
            Cell value = row.get(i);
            if (reader.all() && isOwn(value)) {
                addUnlessDeleted(value, visible);
                continue;
            }
            switch (column.meet(value.getTimestamp(), VisibleRow.commitTs(row, i, end, versions))) {
                case THIS -> {
                    addUnlessDeleted(value, visible);
                    return true;
                }
                case UNDECIDED -> {
                    return false;
                }
                default -> {}
            }
        }
        return end - start < scan.getMaxVersions();
    }

    /** The same with the help of the commit table, and of older versions than came with the row. Own ones that are all asked for are there. */
    private void find(List<Cell> column, Map<CellKey, List<Record<byte[]>>> records, List<Cell> visible) {
        Cell any = column.get(0);
        CellKey key = new CellKey(table, CellUtil.cloneRow(any), CellUtil.cloneFamily(any), CellUtil.cloneQualifier(any));
        List<Record<byte[]>> page = records.get(key);
        List<Record<byte[]>> others = page.stream().filter(record -> record.version() < reader.startTs()).toList();
        Record<byte[]> found = others.size() == page.size() ? snapshots.read(snapshot, key, rows.resume(key, others))
                : snapshots.read(snapshot, key, rows.get(key, reader.startTs() - 1));
        snapshots.heal(snapshot);
        if (found == null || found.isTombstone()) {
            return;
        }
        visible.add(column.stream().filter(cell -> cell.getTimestamp() == found.version()).findFirst().orElseGet(
                () -> Layout.cell(key.row(), key.family(), key.qualifier(), found.version(), Cell.Type.Put, found.value())));
    }

    private boolean isOwn(Cell value) {
        return SnapshotColumn.isOwn(value.getTimestamp(), reader.startTs(), versions);
    }

    private static void addUnlessDeleted(Cell value, List<Cell> visible) {
        if (!Layout.isTombstone(value)) {
            visible.add(value);
        }
    }
}
