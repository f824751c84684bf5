package org.fencepost.hbase.server.rows;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.layout.Layout;

/**
 * Lets records pass as a whole or not at all, where HBase restricts what a caller may read. HBase's access control and its
 * visibility labels do so by a filter in the request, which judges each cell on its own; but who may read a column must also
 * read its commit cells, which have another qualifier and no labels. Without them a committed record looks tentative. So
 * value cells are left to HBase's filter, and with each one its commit cell passes, and its pointer, and no other.
 *
 * <p>Values come before their commit cells, as the qualifiers sort. Rows go out in one piece, since a part of one would lack
 * the commit cells. Requests without a filter, nearly all, are left as they are.
 */
public final class WholeRecords extends FilterBase {

    private record Value(Bytes family, Bytes qualifier, long version) {

        /** Of a value cell or commit cell. */
        static Value of(Cell cell) {
            return new Value(new Bytes(CellUtil.cloneFamily(cell)), new Bytes(Layout.userQualifier(cell)), cell.getTimestamp());
        }
    }

    private final Filter values;
    /** Of the row so far. */
    private final Set<Value> passed = new HashSet<>();

    private WholeRecords(Filter values) {
        this.values = values;
    }

    /** Before HBase or anybody else reads by this request. */
    public static void in(Get get) {
        if (get.getFilter() != null) {
            get.setFilter(of(get.getFilter()));
        }
    }

    /** The same. */
    public static void in(Scan scan) {
        if (scan.getFilter() != null) {
            scan.setFilter(of(scan.getFilter()));
        }
    }

    /** Null for null. */
    static Filter of(Filter values) {
        return values == null || values instanceof WholeRecords ? values : new WholeRecords(values);
    }

    @Override
    public ReturnCode filterCell(Cell cell) throws IOException {
        if (!Layout.isValueCell(cell)) {
            return passed.contains(Value.of(cell)) ? ReturnCode.INCLUDE : ReturnCode.SKIP;
        }
        ReturnCode code = values.filterCell(cell);
        if (code != ReturnCode.INCLUDE && code != ReturnCode.INCLUDE_AND_NEXT_COL && code != ReturnCode.INCLUDE_AND_SEEK_NEXT_ROW) {
            return code == ReturnCode.NEXT_COL ? ReturnCode.NEXT_COL : ReturnCode.SKIP;
        }
        passed.add(Value.of(cell));
        return code == ReturnCode.INCLUDE_AND_NEXT_COL ? code : ReturnCode.INCLUDE;
    }

    @Override
    public Cell transformCell(Cell cell) throws IOException {
        return values.transformCell(cell);
    }

    @Override
    public boolean filterRowKey(Cell first) throws IOException {
        return values.filterRowKey(first);
    }

    @Override
    public boolean filterAllRemaining() throws IOException {
        return values.filterAllRemaining();
    }

    @Override
    public void filterRowCells(List<Cell> row) throws IOException {
        values.filterRowCells(row);
    }

    @Override
    public boolean filterRow() throws IOException {
        return values.filterRow();
    }

    @Override
    public boolean hasFilterRow() {
        return true;
    }

    @Override
    public void reset() throws IOException {
        passed.clear();
        values.reset();
    }

    @Override
    public boolean isFamilyEssential(byte[] family) throws IOException {
        return values.isFamilyEssential(family);
    }
}
