package org.fencepost.hbase;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.regionserver.Region;
import org.fencepost.protocol.Timestamps;

/**
 * The last committed record of a column, on its region server. Nearly always it is the newest value with the newest
 * commit cell, and one look at one version of each is enough.
 */
final class LastRecord {

    /** Both null if no record is committed. */
    private final Cell value;
    private final Cell commitCell;
    private final boolean noNewerTentative;

    private LastRecord(Cell value, Cell commitCell, boolean noNewerTentative) {
        this.value = value;
        this.commitCell = commitCell;
        this.noNewerTentative = noNewerTentative;
    }

    /** @param columns a column and its commit cells; see {@link FastRequest#columns} */
    static LastRecord of(Region region, Get columns) throws IOException {
        List<Cell> newest = region.get(columns, false);
        Cell value = newest.isEmpty() || Layout.isCommitCell(newest.get(0)) ? null : newest.get(0);
        Cell last = newest.isEmpty() ? null : newest.get(newest.size() - 1);
        Cell commitCell = last != null && Layout.isCommitCell(last) ? last : null;
        if (value == null || commitCell == null) {
            return new LastRecord(null, null, value == null);
        }
        return value.getTimestamp() == commitCell.getTimestamp() ? new LastRecord(value, commitCell, true)
                : among(region.get(new Get(columns).readAllVersions(), false));
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
                return new LastRecord(cell, commitCells.get(cell.getTimestamp()), newest);
            }
            newest = false;
        }
        return new LastRecord(null, null, newest);
    }

    /** Guard (VLDB'18 Alg. 4, line 12): no tentative record that may yet be committed above this one. */
    boolean noNewerTentative() {
        return noNewerTentative;
    }

    /** The same kind of number for regular records and for those of the fast path; NIL if there is none. */
    long commitTs() {
        return commitCell == null ? Timestamps.NIL : Layout.commitTs(commitCell);
    }

    /** Value cell and commit cell, or nothing. */
    List<Cell> cells() {
        return value == null ? List.of() : List.of(value, commitCell);
    }
}
