package org.fencepost.hbase.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.filter.DependentColumnFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;

/**
 * Applies an HBase filter to the rows of the snapshot, here. On the region servers it would see versions that the
 * transaction must not see and decide by them; the price is that filtered rows travel.
 */
final class RowFilterOnClient {

    /** Null: everything passes. */
    private final Filter filter;

    /** @param filter copied, since it collects state, as a region server does; may be null */
    RowFilterOnClient(Filter filter) throws IOException {
        this.filter = filter == null ? null : ProtobufUtil.toFilter(ProtobufUtil.toFilter(filter));
    }

    /** Throws IllegalArgumentException for filters on time, which transactions do not show. */
    static void check(Filter filter) {
        if (filter instanceof TimestampsFilter || filter instanceof DependentColumnFilter) {
            throw new IllegalArgumentException("Versions belong to transactions: "
                    + filter.getClass().getSimpleName() + " cannot be used in one.");
        }
        if (filter instanceof FilterList list) {
            list.getFilters().forEach(RowFilterOnClient::check);
        }
    }

    boolean isDone() throws IOException {
        return filter != null && filter.filterAllRemaining();
    }

    /** What passes of a row's cells, in the order in which a region server would ask the filter. */
    List<Cell> apply(List<Cell> row) throws IOException {
        if (filter == null || row.isEmpty()) {
            return row;
        }
        filter.reset();
        if (filter.filterRowKey(row.get(0))) {
            return List.of();
        }
        List<Cell> passed = passingCells(row);
        if (filter.hasFilterRow()) {
            filter.filterRowCells(passed);
        }
        return passed.isEmpty() || filter.filterRow() ? List.of() : passed;
    }

    private List<Cell> passingCells(List<Cell> row) throws IOException {
        List<Cell> passed = new ArrayList<>(row.size());
        for (Cell cell : row) {
            switch (filter.filterCell(cell)) {
                case INCLUDE, INCLUDE_AND_NEXT_COL -> passed.add(filter.transformCell(cell));
                case INCLUDE_AND_SEEK_NEXT_ROW -> {
                    passed.add(filter.transformCell(cell));
                    return passed;
                }
                case NEXT_ROW -> {
                    return passed;
                }
                default -> {} // a hint where to go on saves nothing here
            }
        }
        return passed;
    }
}
