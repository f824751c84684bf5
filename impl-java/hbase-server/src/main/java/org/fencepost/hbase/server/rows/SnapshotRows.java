package org.fencepost.hbase.server.rows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.Region;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;

/**
 * The part of a regular read that needs no commit table (VLDB'18 Alg. 3, Read), on the region server: of each column the
 * records up to the first whose commit cell puts it into the snapshot. The reader decides about the others, those
 * without commit cell, and finds all it needs for that in the same round trip, however many there are.
 */
public final class SnapshotRows {

    private static final long ALL = 0;

    /** Cells of one column. */
    private static final class Column {
        private final List<Long> versions = new ArrayList<>();
        private final Map<Long, Cell> commitCells = new HashMap<>();

        /** The version of the record at which the reader stops; ALL if it may need older ones than there are. */
        private long oldestNeeded(long snapshot, Versions versions) {
            for (long version : this.versions) {
                long commit = Layout.commitTsIfReadable(version, commitCells.get(version), versions);
                if (commit != Timestamps.NIL && commit < snapshot) {
                    return version;
                }
            }
            return ALL;
        }
    }

    private SnapshotRows() {
    }

    /**
     * The newest version of each column is nearly always the one, and HBase does not look into older files for it.
     *
     * @param get  of all cells below the snapshot, a page of versions each
     * @param versions of the table
     */
    public static List<Cell> read(Region region, Get get, long snapshot, Versions versions) throws IOException {
        List<Cell> newest = region.get(new Get(get).readVersions(1), false);
        return areAllInSnapshot(newest, snapshot, versions) ? newest : needed(region, get, region.get(get, false), snapshot, versions);
    }

    /** False if in doubt, so that no map is needed: a commit cell is nearly always the next cell after its value. */
    private static boolean areAllInSnapshot(List<Cell> newest, long snapshot, Versions versions) {
        for (int i = 0; i < newest.size(); i++) {
            Cell value = newest.get(i);
            if (Layout.isValueCell(value)) {
                Cell next = i + 1 < newest.size() ? newest.get(i + 1) : null;
                long commit = Layout.commitTsIfReadable(value.getTimestamp(),
                        next != null && Layout.isCommitCellOf(next, value) ? next : null, versions);
                if (commit == Timestamps.NIL || commit >= snapshot) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * The same where HBase has read the page already, as a row of a scan.
     *
     * @param scan with what restricts the caller, see {@link WholeRecords}: the page is read again by it
     * @param page the row as the scanner found it, and the whole of it
     * @return never empty if the page is not, since HBase's clients stumble over rows without cells: where somebody has removed all of
     *         it meanwhile, it is the page
     */
    public static Result read(Region region, Scan scan, Result page, long snapshot, Versions versions) throws IOException {
        if (page.isEmpty() || page.mayHaveMoreCellsInRow()) {
            return page; // the reader fetches what it misses
        }
        Get get = new Get(page.getRow()).setTimeRange(0, scan.getTimeRange().getMax()).readVersions(scan.getMaxVersions());
        get.setFilter(scan.getFilter()).getFamilyMap().putAll(scan.getFamilyMap());
        List<Cell> found = Arrays.asList(page.rawCells());
        List<Cell> needed = needed(region, get, found, snapshot, versions);
        return needed == found || needed.isEmpty() ? page : Result.create(needed);
    }

    private static List<Cell> needed(Region region, Get get, List<Cell> found, long snapshot, Versions versions) throws IOException {
        List<Cell> page = found;
        if (!hasOlderVersions(page)) {
            return page;
        }
        TableName table = region.getTableDescriptor().getTableName();
        Map<CellKey, Column> columns = columns(table, page);
        if (columns.values().stream().anyMatch(column -> column.versions.size() >= get.getMaxVersions()
                && column.oldestNeeded(snapshot, versions) == ALL)) {
            page = region.get(new Get(get).readAllVersions(), false);
            columns = columns(table, page);
        }
        Map<CellKey, Long> oldest = new HashMap<>();
        columns.forEach((key, column) -> oldest.put(key, column.oldestNeeded(snapshot, versions)));
        List<Cell> needed = new ArrayList<>(page);
        needed.removeIf(cell -> cell.getTimestamp() < oldest.get(key(table, cell)));
        return needed;
    }

    /** Values of a column are neighbours. Where no column has two, which is nearly always so, there is nothing to do. */
    private static boolean hasOlderVersions(List<Cell> cells) {
        for (int i = 1; i < cells.size(); i++) {
            if (CellUtil.matchingColumn(cells.get(i - 1), cells.get(i))) {
                return true;
            }
        }
        return false;
    }

    private static Map<CellKey, Column> columns(TableName table, List<Cell> cells) {
        Map<CellKey, Column> columns = new HashMap<>();
        for (Cell cell : cells) {
            Column column = columns.computeIfAbsent(key(table, cell), key -> new Column());
            if (Layout.isCommitCell(cell)) {
                column.commitCells.put(cell.getTimestamp(), cell);
            } else if (Layout.isValueCell(cell)) {
                column.versions.add(cell.getTimestamp());
            }
        }
        return columns;
    }

    private static CellKey key(TableName table, Cell cell) {
        return new CellKey(table, CellUtil.cloneRow(cell), CellUtil.cloneFamily(cell), Layout.userQualifier(cell));
    }
}
