package org.fencepost.hbase.server.rows;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FilterBase;

/**
 * What somebody's raw scan has asked for: so many versions of each column since a time, and the deletions among them. It stands in for the scan's own
 * limits, by which HBase might never end it ({@link NewestVersions}), and passes over every cell one by one. It counts as HBase does: puts.
 */
public final class RawVersions extends FilterBase {

    private final long since;
    private final int limit;
    /** Null before a row's first cell. */
    private byte[] family;
    private byte[] qualifier;
    private int puts;

    private RawVersions(long since, int limit) {
        this.since = since;
        this.limit = limit;
    }

    /** Does nothing to a scan that is not raw, or ends anyway. Throws DoNotRetryIOException if it has limits that nothing stands in for. */
    public static void in(Scan scan) throws IOException {
        if (!scan.isRaw()) {
            return;
        }
        if (scan.hasFilter() || !scan.getColumnFamilyTimeRange().isEmpty()
                || scan.getFamilyMap().values().stream().anyMatch(columns -> columns != null && !columns.isEmpty())) {
            throw new DoNotRetryIOException("A raw scan of this table asks for whole families, of one time range and without a filter: HBase might never end otherwise.");
        }
        long since = scan.getTimeRange().getMin();
        int limit = scan.getMaxVersions();
        if (since != 0 || limit != Integer.MAX_VALUE) {
            scan.setTimeRange(0, scan.getTimeRange().getMax()).readAllVersions().setFilter(new RawVersions(since, limit));
        }
    }

    @Override
    public void reset() {
        family = null;
    }

    @Override
    public ReturnCode filterCell(Cell cell) {
        if (cell.getTimestamp() < since) {
            return ReturnCode.SKIP;
        }
        if (family == null || !CellUtil.matchingColumn(cell, family, qualifier)) {
            family = CellUtil.cloneFamily(cell);
            qualifier = CellUtil.cloneQualifier(cell);
            puts = 0;
        }
        if (cell.getType() == Cell.Type.Put) {
            puts++;
        }
        return puts > limit ? ReturnCode.SKIP : ReturnCode.INCLUDE;
    }
}
