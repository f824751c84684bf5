package org.fencepost.hbase.server.rows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.filter.Filter;

/**
 * Applies a filter of HBase, of whatever kind, to rows that somebody has made of what is stored, as HBase would to stored ones. Where the
 * filter knows from which row on it is interested again, that is kept as a hint, which spares reading the rows before: until then it
 * says nothing else, whatever is in them.
 */
final class RowFilter {

    private static final CellComparator ORDER = CellComparator.getInstance();

    /** Null: everything passes. */
    private final Filter filter;
    /** Null: none. */
    private Cell hint;
    private Cell lastRow;
    private boolean reversed;

    RowFilter(Filter filter) {
        this.filter = filter;
    }

    boolean isDone() throws IOException {
        return filter != null && filter.filterAllRemaining();
    }

    /** A row comes. If it is before the last one, somebody has begun the scan again, and the hint is forgotten. */
    void begin(Cell first, boolean isReversed) {
        if (filter != null && reversed != isReversed) {
            filter.setReversed(isReversed);
            reversed = isReversed;
        }
        if (lastRow != null && (isReversed ? ORDER.compareRows(first, lastRow) > 0 : ORDER.compareRows(first, lastRow) < 0)) {
            hint = null;
        }
        lastRow = first;
    }

    boolean isBeforeHint(Cell cell, boolean isReversed) {
        if (hint == null) {
            return false;
        }
        int order = ORDER.compareRows(cell, hint);
        if (isReversed ? order > 0 : order < 0) {
            return true;
        }
        hint = null;
        return false;
    }

    Cell hint() {
        return hint;
    }

    /** What passes of a row's cells. */
    List<Cell> apply(List<Cell> row) throws IOException {
        if (filter == null || row.isEmpty()) {
            return row;
        }
        filter.reset();
        if (filter.filterAllRemaining() || filter.filterRowKey(row.get(0))) {
            return List.of();
        }
        List<Cell> passed = passing(row);
        if (filter.hasFilterRow()) {
            filter.filterRowCells(passed);
        }
        return passed.isEmpty() || filter.filterRow() ? List.of() : passed;
    }

    private List<Cell> passing(List<Cell> row) throws IOException {
        List<Cell> passed = new ArrayList<>(row.size());
        Cell next = null;
        Cell skipped = null;
        for (Cell cell : row) {
            if (next != null && ORDER.compare(cell, next) < 0 || skipped != null && isSameColumn(cell, skipped)) {
                continue;
            }
            next = null;
            skipped = null;
            switch (filter.filterCell(cell)) {
                case INCLUDE -> passed.add(filter.transformCell(cell));
                case INCLUDE_AND_NEXT_COL -> {
                    passed.add(filter.transformCell(cell));
                    skipped = cell;
                }
                case INCLUDE_AND_SEEK_NEXT_ROW -> {
                    passed.add(filter.transformCell(cell));
                    return passed;
                }
                case NEXT_COL -> skipped = cell;
                case NEXT_ROW -> {
                    return passed;
                }
                case SEEK_NEXT_USING_HINT -> {
                    next = filter.getNextCellHint(cell);
                    if (next != null && ORDER.compareRows(next, cell) != 0) {
                        hint = next;
                        return passed;
                    }
                }
                default -> {}
            }
        }
        return passed;
    }

    private static boolean isSameColumn(Cell one, Cell other) {
        return ORDER.compareFamilies(one, other) == 0 && ORDER.compareQualifiers(one, other) == 0;
    }
}
