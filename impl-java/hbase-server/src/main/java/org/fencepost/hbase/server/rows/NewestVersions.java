package org.fencepost.hbase.server.rows;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FilterBase;

/**
 * What a raw scan needs to find the newest version since a timestamp of each column, and the newest deletion of each family, which
 * HBase keeps in the family's column without qualifier.
 *
 * <p>It stands in for the scan's own limits on versions and times. By these, HBase looks for the next key in a column without
 * qualifier, and may never end (2.6.4; also without any coprocessor): above the file's cell with just that key, for its heap of
 * scanners says that the file must go on, since keys that are looked for have no sequence id, and the file, which compares none, that it is
 * there. It takes a deletion above a cell of the same timestamp: of a version above its put, or of a family above that of the column.
 * Somebody else's raw scans have {@link RawVersions}.
 */
public final class NewestVersions extends FilterBase {

    private final long since;
    private byte[] family;
    private boolean familySeen;
    private boolean columnSeen;

    private NewestVersions(long since) {
        this.since = since;
    }

    static Scan in(Scan scan, long since, long until) throws IOException {
        return scan.setRaw(true).readAllVersions().setTimeRange(0, until).setFilter(new NewestVersions(since));
    }

    @Override
    public void reset() {
        family = null;
    }

    @Override
    public ReturnCode filterCell(Cell cell) {
        if (cell.getQualifierLength() > 0) {
            return cell.getTimestamp() < since ? ReturnCode.NEXT_COL : ReturnCode.INCLUDE_AND_NEXT_COL;
        }
        if (family == null || !CellUtil.matchingFamily(cell, family)) {
            family = CellUtil.cloneFamily(cell);
            familySeen = false;
            columnSeen = false;
        }
        if (cell.getTimestamp() < since || familySeen && columnSeen) {
            return ReturnCode.SEEK_NEXT_USING_HINT;
        }
        boolean ofFamily = cell.getType() == Cell.Type.DeleteFamily;
        if (ofFamily ? familySeen : columnSeen) {
            return ReturnCode.SKIP;
        }
        familySeen |= ofFamily;
        columnSeen |= !ofFamily;
        return ReturnCode.INCLUDE;
    }

    /** Before the first column with a qualifier: that of one byte, 0. */
    @Override
    public Cell getNextCellHint(Cell cell) {
        return new KeyValue(CellUtil.cloneRow(cell), CellUtil.cloneFamily(cell), new byte[1], Long.MAX_VALUE, KeyValue.Type.Maximum);
    }
}
