package org.fencepost.hbase.layout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.DependentColumnFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;

/**
 * Applies an HBase filter to rows of a snapshot. HBase itself would show it versions that the transaction must not see. Region servers
 * apply it to the rows that they decide, if it judges each row by itself; clients do to all others.
 */
public final class SnapshotFilter {

    /** Those that judge each row by itself, whatever came before, wherever a scan was begun again. */
    private static final Set<Class<? extends Filter>> ROW_BY_ROW = Set.of(SingleColumnValueFilter.class,
            SingleColumnValueExcludeFilter.class, ColumnValueFilter.class, ValueFilter.class, QualifierFilter.class, FamilyFilter.class,
            RowFilter.class, PrefixFilter.class, InclusiveStopFilter.class, FuzzyRowFilter.class, MultiRowRangeFilter.class,
            ColumnPrefixFilter.class, MultipleColumnPrefixFilter.class, ColumnRangeFilter.class, ColumnPaginationFilter.class,
            FirstKeyOnlyFilter.class, KeyOnlyFilter.class);
    /** Of lists in lists. */
    private static final int DEPTH = 10;

    /** Null: everything passes. */
    private final Filter filter;

    private SnapshotFilter(Filter filter) {
        this.filter = filter;
    }

    /** @param filter copied, since it collects state, as a region server does; may be null */
    public static SnapshotFilter of(Filter filter, boolean reversed) throws IOException {
        return filter == null ? new SnapshotFilter(null) : of(ProtobufUtil.toFilter(filter), reversed);
    }

    private static SnapshotFilter of(FilterProtos.Filter serialized, boolean reversed) throws IOException {
        Filter copy = ProtobufUtil.toFilter(serialized);
        copy.setReversed(reversed);
        return new SnapshotFilter(copy);
    }

    // ---- to the region server

    /** Whether a region server can apply it, too. */
    public static boolean isRowByRow(Filter filter) {
        return filter == null || isRowByRow(filter, DEPTH);
    }

    private static boolean isRowByRow(Filter filter, int depth) {
        return depth > 0 && (filter instanceof FilterList list ? list.getFilters().stream().allMatch(each -> isRowByRow(each, depth - 1))
                : ROW_BY_ROW.contains(filter.getClass()));
    }

    /** Nothing for null. */
    static byte[] serialize(Filter filter) throws IOException {
        return filter == null ? new byte[0] : ProtobufUtil.toFilter(filter).toByteArray();
    }

    /** Throws if it is none, or not {@link #isRowByRow}: it is asked before anything of it is made. */
    static SnapshotFilter parse(byte[] serialized, boolean reversed) throws IOException {
        if (serialized.length == 0) {
            return new SnapshotFilter(null);
        }
        try {
            FilterProtos.Filter filter = FilterProtos.Filter.parseFrom(serialized);
            requireRowByRow(filter, DEPTH);
            return of(filter, reversed);
        } catch (IOException e) {
            throw refused();
        }
    }

    private static void requireRowByRow(FilterProtos.Filter filter, int depth) throws IOException {
        boolean isList = filter.getName().equals(FilterList.class.getName());
        if (depth == 0 || !isList && ROW_BY_ROW.stream().noneMatch(known -> known.getName().equals(filter.getName()))) {
            throw refused();
        }
        if (isList) {
            for (FilterProtos.Filter each : FilterProtos.FilterList.parseFrom(filter.getSerializedFilter()).getFiltersList()) {
                requireRowByRow(each, depth - 1);
            }
        }
    }

    private static DoNotRetryIOException refused() {
        return new DoNotRetryIOException("A filter that a region server applies to a snapshot is one of HBase's that judge each row by itself:"
                + " use a client of the servers' version of Fencepost.");
    }

    // ---- rows

    /** Throws IllegalArgumentException for filters on time, which transactions do not show. */
    public static void check(Filter filter) {
        if (filter instanceof TimestampsFilter || filter instanceof DependentColumnFilter) {
            throw new IllegalArgumentException("Versions belong to transactions: "
                    + filter.getClass().getSimpleName() + " cannot be used in one.");
        }
        if (filter instanceof FilterList list) {
            list.getFilters().forEach(SnapshotFilter::check);
        }
    }

    /** Whether no later row passes. */
    public boolean isDone() throws IOException {
        return filter != null && filter.filterAllRemaining();
    }

    /** Whether the row passes as far as its key tells. */
    public boolean isKeyPassing(Cell first) throws IOException {
        if (filter == null) {
            return true;
        }
        filter.reset();
        return !filter.filterRowKey(first);
    }

    /** What passes of a row's cells, in the order in which a region server would ask the filter. */
    public List<Cell> apply(List<Cell> row) throws IOException {
        if (filter == null || row.isEmpty()) {
            return row;
        }
        if (!isKeyPassing(row.get(0))) {
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
