package org.fencepost.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The part of a regular read that needs no commit table (VLDB'18 Alg. 3, Read), on the region server: of each column the
 * records up to the first whose commit cell puts it into the snapshot. The reader decides about the others, those
 * without commit cell, and finds all it needs for that in the same round trip, however many there are.
 */
final class SnapshotRows {

    /** Cells of one column in the order in which HBase has them. */
    private static final class Column {
        private final List<Cell> values = new ArrayList<>();
        private final List<Cell> commitCells = new ArrayList<>();

        private Cell commitCell(Cell value) {
            return commitCells.stream().filter(cell -> cell.getTimestamp() == value.getTimestamp()).findFirst().orElse(null);
        }

        /** How many values the reader needs; one more than there are if it may need older ones. */
        private int needed(long snapshot) {
            for (int i = 0; i < values.size(); i++) {
                Cell commitCell = commitCell(values.get(i));
                if (commitCell != null && Layout.commitTs(commitCell) < snapshot) {
                    return i + 1;
                }
            }
            return values.size() + 1;
        }
    }

    private SnapshotRows() {
    }

    /** @param get of all cells below the snapshot, a page of versions each */
    static List<Cell> read(Region region, Get get, long snapshot) throws IOException {
        List<Cell> page = region.get(get, false);
        if (page.size() <= 2) {
            return page; // one record, or two without commit cell and none older
        }
        Map<String, Column> columns = columns(page);
        if (columns.values().stream().anyMatch(column -> mayNeedMore(column, get.getMaxVersions(), snapshot))) {
            page = region.get(new Get(get).readAllVersions(), false);
            columns = columns(page);
        }
        List<Cell> needed = new ArrayList<>(page.size());
        for (Cell cell : page) {
            Column column = columns.get(name(cell));
            int count = column.needed(snapshot);
            if (count >= column.values.size() || cell.getTimestamp() >= column.values.get(count - 1).getTimestamp()) {
                needed.add(cell);
            }
        }
        return needed;
    }

    private static boolean mayNeedMore(Column column, int pageSize, long snapshot) {
        return column.values.size() >= pageSize && column.needed(snapshot) > column.values.size();
    }

    private static Map<String, Column> columns(List<Cell> cells) {
        Map<String, Column> columns = new HashMap<>();
        for (Cell cell : cells) {
            Column column = columns.computeIfAbsent(name(cell), name -> new Column());
            (Layout.isCommitCell(cell) ? column.commitCells : column.values).add(cell);
        }
        return columns;
    }

    private static String name(Cell cell) {
        return Bytes.toStringBinary(CellUtil.cloneFamily(cell)) + ":" + Bytes.toStringBinary(Layout.userQualifier(cell));
    }
}
