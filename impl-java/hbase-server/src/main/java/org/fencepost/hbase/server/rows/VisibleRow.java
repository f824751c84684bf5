package org.fencepost.hbase.server.rows;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.layout.DecidedRows;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.omid.SnapshotColumn;
import org.fencepost.protocol.omid.SnapshotColumn.Sees;

/**
 * What a snapshot sees of a row, as far as the cells of the row tell; see {@link SnapshotColumn}.
 *
 * @param cells    as {@link DecidedRows} has them, tombstones left out; null if the row is not decided
 * @param complete whether older versions cannot change that
 */
record VisibleRow(List<Cell> cells, boolean complete) {

    private static final VisibleRow UNDECIDED = new VisibleRow(null, true);
    private static final VisibleRow MORE = new VisibleRow(null, false);

    boolean isDecided() {
        return cells != null;
    }

    /**
     * @param row   in HBase's order: the versions of a column from new to old, and behind them its commit cells
     * @param limit how many versions of each column it has at most
     */
    static VisibleRow of(List<Cell> row, int limit, long snapshot, Versions versions) {
        List<Cell> visible = new ArrayList<>(row.size());
        VisibleRow undecided = null;
        for (int i = 0; i < row.size();) {
            Cell first = row.get(i);
            int end = endOfColumn(row, i);
            if (Layout.isValueCell(first)) {
                undecided = add(row, i, end, limit, snapshot, versions, visible, undecided);
            }
            i = end;
        }
        return undecided == null ? new VisibleRow(visible, true) : undecided;
    }

    private static int endOfColumn(List<Cell> row, int start) {
        int end = start + 1;
        while (end < row.size() && CellUtil.matchingColumn(row.get(start), row.get(end))) {
            end++;
        }
        return end;
    }

    /** Returns what speaks against a decision: a column whose page ends too early may be decided by more of it. */
    private static VisibleRow add(List<Cell> row, int start, int end, int limit, long snapshot, Versions versions, List<Cell> visible,
            VisibleRow undecided) {
        SnapshotColumn column = new SnapshotColumn(snapshot, versions);
        for (int i = start; i < end; i++) {
            Cell value = row.get(i);
            Sees sees = column.meet(value.getTimestamp(), commitTs(row, i, end, versions));
            if (sees == Sees.UNDECIDED) {
                return UNDECIDED;
            }
            if (sees == Sees.THIS) {
                if (!Layout.isTombstone(value)) {
                    boolean own = SnapshotColumn.isOwn(value.getTimestamp(), snapshot, versions);
                    visible.add(DecidedRows.cell(value, own ? (int) (value.getTimestamp() - snapshot) : -1));
                }
                return undecided;
            }
        }
        return end - start < limit || undecided != null ? undecided : MORE;
    }

    /** Its commit cell is behind the column, and nearly always the next one. */
    static long commitTs(List<Cell> row, int value, int end, Versions versions) {
        long version = row.get(value).getTimestamp();
        if (!versions.isFast(version)) {
            for (int i = end; i < row.size() && isInReach(row.get(value), row.get(i)); i++) {
                if (Layout.isCommitCellOf(row.get(i), row.get(value))) {
                    return Layout.commitTsIfReadable(version, row.get(i), versions);
                }
            }
            return Timestamps.NIL;
        }
        return version;
    }

    /** Qualifiers between those of a column and of its commit cells begin with that of the column. */
    private static boolean isInReach(Cell value, Cell cell) {
        return CellUtil.matchingFamily(value, cell) && cell.getQualifierLength() >= value.getQualifierLength()
                && Bytes.equals(cell.getQualifierArray(), cell.getQualifierOffset(), value.getQualifierLength(),
                        value.getQualifierArray(), value.getQualifierOffset(), value.getQualifierLength());
    }
}
