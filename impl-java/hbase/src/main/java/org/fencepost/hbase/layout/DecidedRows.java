package org.fencepost.hbase.layout;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Query;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.fencepost.protocol.Versions;

/**
 * What clients and region servers agree on where a region server decides what a snapshot sees ({@code fencepost.read}).
 *
 * <p>A read asks for it by an attribute, which holds the user's filter. Each row of the answer is either decided: then it has one cell for
 * each column that the snapshot has and the filter lets pass, without commit cells, and that is all of it; rows of which nothing is left
 * are not sent. Or the commit cells did not tell: then it has the records that its reader needs, as for a read that does
 * not ask, and no filter was applied to it. The timestamps of its cells tell which: a decided cell has none, like what users see, but for
 * those that the transaction wrote itself, whose level is counted down from there. No stored cell has such a timestamp.
 * So servers that know nothing of this are understood, too: to their clients, nothing is decided.
 */
public final class DecidedRows {

    private static final String DECIDE = "fencepost.decide";
    private static final long OTHERS = HConstants.LATEST_TIMESTAMP;
    private static final long FIRST_LEVEL = OTHERS - 1;
    private static final long LAST_LEVEL = FIRST_LEVEL - Versions.LEVELS + 1;

    private DecidedRows() {
    }

    // ---- requests

    /**
     * @param read   with a snapshot; see {@link FastRequest#setSnapshot}
     * @param filter {@link SnapshotFilter#isRowByRow}, or null
     */
    public static void ask(Query read, Filter filter) throws IOException {
        read.setAttribute(DECIDE, SnapshotFilter.serialize(filter));
    }

    /** The filter to be applied to what is decided; null if nothing is to be. Throws if the request makes no sense. */
    public static SnapshotFilter asked(Get get) throws IOException {
        return asked(get, FastRequest.snapshot(get), false);
    }

    /** The same. */
    public static SnapshotFilter asked(Scan scan) throws IOException {
        if (scan.getAttribute(DECIDE) != null && FastRequest.isForLeftovers(scan)) {
            throw wrong();
        }
        return asked(scan, FastRequest.snapshot(scan), scan.isReversed());
    }

    private static SnapshotFilter asked(Query read, long snapshot, boolean reversed) throws IOException {
        byte[] filter = read.getAttribute(DECIDE);
        if (filter == null) {
            return null;
        }
        if (snapshot <= 0) {
            throw wrong();
        }
        return SnapshotFilter.parse(filter, reversed);
    }

    private static DoNotRetryIOException wrong() {
        return new DoNotRetryIOException("Attribute " + DECIDE + " goes with a snapshot: use a client of the servers' version of Fencepost.");
    }

    // ---- answers

    /** @param level of an own record; -1 for those of others */
    public static Cell cell(Cell stored, int level) {
        return Layout.cell(CellUtil.cloneRow(stored), CellUtil.cloneFamily(stored), CellUtil.cloneQualifier(stored),
                level < 0 ? OTHERS : FIRST_LEVEL - level, Cell.Type.Put, CellUtil.cloneValue(stored));
    }

    /** Whether the server has decided the row, which may be nothing. */
    public static boolean isDecided(Result row) {
        return row.isEmpty() || row.rawCells()[0].getTimestamp() >= LAST_LEVEL;
    }

    /** The level of an own record in a decided row; -1 for those of others. */
    public static int level(Cell decided) {
        return decided.getTimestamp() == OTHERS ? -1 : (int) (FIRST_LEVEL - decided.getTimestamp());
    }
}
