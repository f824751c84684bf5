package org.fencepost.hbase.server.rows;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.regionserver.Region;
import org.fencepost.hbase.layout.DecidedRows;
import org.fencepost.hbase.layout.FastRequest;
import org.fencepost.hbase.layout.SnapshotFilter;
import org.fencepost.protocol.Versions;

/**
 * A read that the region server decides, as far as commit cells tell ({@link DecidedRows}): of each row what the snapshot sees, and of that
 * what the user's filter lets pass. HBase applies this to whole rows before it counts any, so that a scan's limit counts rows of the
 * snapshot. Whatever a scan has found out about a row is forgotten with the row: a scanner that is opened again, on this server or
 * another one, goes on as the one before would have.
 *
 * <p>An undecided row goes out as {@link SnapshotRows} leaves it. Its reader decides it, and filters it himself.
 */
public final class VisibleRows extends FilterBase {

    private final Region region;
    private final Scan scan;
    private final long snapshot;
    private final Versions versions;
    private final SnapshotFilter filter;
    /** What restricts the caller, see {@link WholeRecords}; null if nothing. */
    private final Filter rights;

    private VisibleRows(Region region, Scan scan, Versions versions, SnapshotFilter filter) throws IOException {
        this.region = region;
        this.scan = scan;
        this.snapshot = FastRequest.snapshot(scan);
        this.versions = versions;
        this.filter = filter;
        this.rights = scan.getFilter();
    }

    /** Before HBase opens the scan, and after all else has restricted it. */
    public static void in(Region region, Scan scan, Versions versions, SnapshotFilter filter) throws IOException {
        scan.setFilter(new VisibleRows(region, scan, versions, filter));
    }

    /** The same for a get. The newest versions are nearly always enough, and HBase does not look into older files for them. */
    public static List<Cell> read(Region region, Get get, Versions versions, SnapshotFilter filter) throws IOException {
        long snapshot = FastRequest.snapshot(get);
        for (int limit : new int[] {1, get.getMaxVersions(), Integer.MAX_VALUE}) {
            VisibleRow row = VisibleRow.of(region.get(new Get(get).readVersions(limit), false), limit, snapshot, versions);
            if (row.isDecided()) {
                return filter.apply(row.cells());
            }
            if (row.complete()) {
                break;
            }
        }
        return SnapshotRows.read(region, get, snapshot, versions);
    }

    @Override
    public void filterRowCells(List<Cell> row) throws IOException {
        if (rights != null) {
            rights.filterRowCells(row);
        }
        if (!row.isEmpty()) {
            List<Cell> answer = answer(row);
            row.clear();
            row.addAll(answer);
        }
    }

    private List<Cell> answer(List<Cell> page) throws IOException {
        VisibleRow row = VisibleRow.of(page, scan.getMaxVersions(), snapshot, versions);
        Get again = row.isDecided() ? null : request(page.get(0));
        if (!row.complete()) {
            row = VisibleRow.of(region.get(new Get(again).readAllVersions(), false), Integer.MAX_VALUE, snapshot, versions);
        }
        return row.isDecided() ? filter.apply(row.cells()) : SnapshotRows.read(region, again, snapshot, versions);
    }

    private Get request(Cell ofRow) throws IOException {
        Get get = new Get(CellUtil.cloneRow(ofRow)).setTimeRange(0, scan.getTimeRange().getMax()).readVersions(scan.getMaxVersions());
        get.setFilter(rights).getFamilyMap().putAll(scan.getFamilyMap());
        return get;
    }

    // ---- rows that need not be looked at

    @Override
    public boolean filterRowKey(Cell first) throws IOException {
        return rights != null && rights.filterRowKey(first) || !filter.isKeyPassing(first);
    }

    @Override
    public boolean filterAllRemaining() throws IOException {
        return rights != null && rights.filterAllRemaining() || filter.isDone();
    }

    @Override
    public boolean hasFilterRow() {
        return true;
    }

    // ---- what the caller may not see

    @Override
    public ReturnCode filterCell(Cell cell) throws IOException {
        return rights == null ? ReturnCode.INCLUDE : rights.filterCell(cell);
    }

    @Override
    public Cell transformCell(Cell cell) throws IOException {
        return rights == null ? cell : rights.transformCell(cell);
    }

    @Override
    public boolean filterRow() throws IOException {
        return rights != null && rights.filterRow();
    }

    @Override
    public void reset() throws IOException {
        if (rights != null) {
            rights.reset();
        }
    }

    @Override
    public boolean isFamilyEssential(byte[] family) throws IOException {
        return rights == null || rights.isFamilyEssential(family);
    }
}
