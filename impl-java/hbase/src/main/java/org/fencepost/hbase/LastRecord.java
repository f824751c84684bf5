package org.fencepost.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.fencepost.protocol.Timestamps;

/**
 * The last committed record of a column, on its region server. Nearly always it is the newest value with the newest
 * commit cell, and one look at one version of each is enough.
 */
final class LastRecord {

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
     * @param columns a column and its commit cells; see {@link FastRequest#columns}
     */
    static LastRecord of(Region region, Get columns) throws IOException {
        try (RegionScanner scanner = region.getScanner(new Scan(columns))) {
            List<Cell> newest = new ArrayList<>(2);
            scanner.next(newest);
            return of(region, columns, newest);
        }
    }

    /** @param newest what HBase has found: a version of the column and one of its commit cells at most */
    static LastRecord of(Region region, Get columns, List<Cell> newest) throws IOException {
        Cell value = newest.isEmpty() || Layout.isCommitCell(newest.get(0)) ? null : newest.get(0);
        Cell last = newest.isEmpty() ? null : newest.get(newest.size() - 1);
        Cell commitCell = last != null && Layout.isCommitCell(last) ? last : null;
        if (value == null || commitCell == null) {
            return value == null ? NONE : ONLY_TENTATIVE;
        }
        return value.getTimestamp() == commitCell.getTimestamp() ? of(value, commitCell, true)
                : among(region.get(new Get(columns).readAllVersions(), false));
    }

    private static LastRecord of(Cell value, Cell commitCell, boolean noNewerTentative) {
        return new LastRecord(Layout.commitTs(commitCell), List.of(value, commitCell), noNewerTentative);
    }

    /** Of all versions: tentative ones in front, or commit cells whose values are gone. */
    private static LastRecord among(List<Cell> cells) {
        Map<Long, Cell> commitCells = new HashMap<>();
        cells.stream().filter(Layout::isCommitCell).forEach(cell -> commitCells.put(cell.getTimestamp(), cell));
        boolean newest = true;
        for (Cell cell : cells) {
            if (Layout.isCommitCell(cell)) {
                break;
            }
            if (commitCells.containsKey(cell.getTimestamp())) {
                return of(cell, commitCells.get(cell.getTimestamp()), newest);
            }
            newest = false;
        }
        return newest ? NONE : ONLY_TENTATIVE;
    }

    /** Guard (VLDB'18 Alg. 4, line 12): no tentative record that may yet be committed above this one. */
    boolean noNewerTentative() {
        return noNewerTentative;
    }

    /** The same kind of number for regular records and for those of the fast path; NIL if there is none. */
    long commitTs() {
        return commitTs;
    }

    /** Value cell and commit cell, or nothing. */
    List<Cell> cells() {
        return cells;
    }
}
