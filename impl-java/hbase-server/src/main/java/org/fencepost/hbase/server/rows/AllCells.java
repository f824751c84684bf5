package org.fencepost.hbase.server.rows;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Refuses a read where HBase hides a cell from the caller: for reads to which a hidden cell looks like one that is not there, and
 * which would go wrong. HBase's access control and its visibility labels restrict a caller by a filter in the request, which
 * judges each cell on its own; see {@link WholeRecords} for the others.
 */
public final class AllCells extends FilterBase {

    private final Filter rights;

    private AllCells(Filter rights) {
        this.rights = rights;
    }

    /** Before HBase or anybody else reads by this request. Requests without a filter, nearly all, are left as they are. */
    public static void in(Get get) {
        if (get.getFilter() != null) {
            get.setFilter(new AllCells(get.getFilter()));
        }
    }

    /** Null for null. */
    public static Filter of(Filter rights) {
        return rights == null ? null : new AllCells(rights);
    }

    /** Refuses a cell that need not be stored: one without labels and access list tells of its column. */
    public static void require(Filter rights, Cell cell) throws IOException {
        if (rights != null) {
            rights.reset();
            new AllCells(rights).filterCell(cell);
            rights.reset();
        }
    }

    @Override
    public ReturnCode filterCell(Cell cell) throws IOException {
        ReturnCode code = rights.filterCell(cell);
        if (code == ReturnCode.INCLUDE || code == ReturnCode.INCLUDE_AND_NEXT_COL || code == ReturnCode.INCLUDE_AND_SEEK_NEXT_ROW) {
            return ReturnCode.INCLUDE;
        }
        throw new AccessDeniedException("Column " + Bytes.toStringBinary(CellUtil.cloneFamily(cell)) + ":"
                + Bytes.toStringBinary(CellUtil.cloneQualifier(cell)) + " of row " + Bytes.toStringBinary(CellUtil.cloneRow(cell))
                + " is hidden from the caller of a read that needs it: grant him READ there, or leave filters out.");
    }

    @Override
    public void reset() throws IOException {
        rights.reset();
    }
}
