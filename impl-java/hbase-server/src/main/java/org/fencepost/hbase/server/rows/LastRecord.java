package org.fencepost.hbase.server.rows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.fastpath.FastRegion;

/**
 * The last committed record of a column, on its region server. Nearly always it is the newest one, and of the fast path, so
 * that its version tells that it is committed. Otherwise its commit cell is looked for, and then all of the column.
 */
public final class LastRecord implements FastRegion.Last {

    private static final LastRecord NONE = new LastRecord(Timestamps.NIL, List.of(), true);
    private static final LastRecord ONLY_TENTATIVE = new LastRecord(Timestamps.NIL, List.of(), false);

    private final long commitTs;
    private final List<Cell> cells;
    private final boolean noNewerTentative;

    private LastRecord(long commitTs, List<Cell> cells, boolean noNewerTentative) {
        this.commitTs = commitTs;
        this.cells = cells;
        this.noNewerTentative = noNewerTentative;
    }

    /**
     * For those who need no cells: they are not copied, so {@link #cells} is not to be called.
     *
     * @param column   one version of one column
     * @param versions of the table
     */
    public static LastRecord of(Region region, Get column, Versions versions) throws IOException {
        try (RegionScanner scanner = region.getScanner(new Scan(column))) {
            List<Cell> newest = new ArrayList<>(1);
            scanner.next(newest);
            return of(region, newest, null, versions);
        }
    }

    /**
     * @param newest   what HBase has found: a version of the column at most
     * @param readable what restricted it, see {@link WholeRecords}; null if nothing
     */
    public static LastRecord of(Region region, List<Cell> newest, Filter readable, Versions versions) throws IOException {
        if (newest.isEmpty()) {
            return NONE;
        }
        Cell value = newest.get(0);
        if (versions.isFast(value.getTimestamp())) {
            return of(region, value, null, versions, true);
        }
        List<Cell> commitCell = region.get(commitCells(value).setTimestamp(value.getTimestamp()), false);
        return commitCell.isEmpty() ? belowTentative(region, value, readable, versions) : of(region, value, commitCell.get(0), versions, true);
    }

    /** Where it is known that this is the newest; its cells are not. */
    public static LastRecord fast(long version) {
        return new LastRecord(version, List.of(), true);
    }

    /** @param commitCell null if it needs none */
    private static LastRecord of(Region region, Cell value, Cell commitCell, Versions versions, boolean noNewerTentative) {
        return new LastRecord(Layout.commitTs(tableOf(region), value.getTimestamp(), commitCell, versions),
                commitCell == null ? List.of(value) : List.of(value, commitCell), noNewerTentative);
    }

    private static Get commitCells(Cell value) {
        return new Get(CellUtil.cloneRow(value)).addColumn(CellUtil.cloneFamily(value),
                Layout.commitQualifier(CellUtil.cloneQualifier(value)));
    }

    private static TableName tableOf(Region region) {
        return region.getTableDescriptor().getTableName();
    }

    /** Looks at all versions. */
    private static LastRecord belowTentative(Region region, Cell tentative, Filter readable, Versions versions) throws IOException {
        Get all = commitCells(tentative).addColumn(CellUtil.cloneFamily(tentative), CellUtil.cloneQualifier(tentative))
                .readAllVersions().setFilter(readable);
        List<Cell> cells = region.get(all, false);
        Map<Long, Cell> commitCells = new HashMap<>();
        cells.stream().filter(Layout::isCommitCell).forEach(cell -> commitCells.put(cell.getTimestamp(), cell));
        for (Cell cell : cells) {
            long version = cell.getTimestamp();
            if (Layout.isCommitCell(cell)) {
                break;
            }
            if (Layout.commitTs(tableOf(region), version, commitCells.get(version), versions) != Timestamps.NIL) {
                return of(region, cell, commitCells.get(version), versions, version == tentative.getTimestamp());
            }
        }
        return ONLY_TENTATIVE;
    }

    @Override
    public boolean noNewerTentative() {
        return noNewerTentative;
    }

    @Override
    public long commitTs() {
        return commitTs;
    }

    /** Value cell and, if it needs one, commit cell; or nothing. */
    public List<Cell> cells() {
        return cells;
    }
}
