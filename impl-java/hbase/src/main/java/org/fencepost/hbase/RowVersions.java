package org.fencepost.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.fencepost.protocol.Timestamps;

/**
 * The versions of a row of Mediator, on its region server. Whatever was put into a row or deleted from it at one timestamp is
 * one version, deletions by HBase's own delete markers included, which only a raw scan shows.
 */
final class RowVersions {

    private RowVersions() {
    }

    /** The last version before a timestamp: an answer with its own timestamp, then the row as it was then. */
    static List<Cell> lastBefore(Region region, byte[] row, long ts) throws IOException {
        List<Cell> newest = newest(region, row, Timestamps.NIL, ts);
        List<Cell> answer = new ArrayList<>(newest.size() + 1);
        answer.add(MediatorRequest.answer(row, latest(newest)));
        // The second look comes after the first, so the row is never older than the answer says.
        answer.addAll(newest.stream().allMatch(RowVersions::isPlainPut) ? newest
                : region.get(new Get(row).setTimeRange(0, ts), false));
        return answer;
    }

    /** Timestamp of the last version since {@code from} and before {@code ts}; NIL if there is none. */
    static long lastBetween(Region region, byte[] row, long from, long ts) throws IOException {
        return latest(newest(region, row, from, ts));
    }

    private static long latest(List<Cell> cells) {
        return cells.stream().mapToLong(Cell::getTimestamp).max().orElse(Timestamps.NIL);
    }

    /** HBase keeps the delete markers of families where columns without qualifier are, and the scan may leave some out. */
    private static boolean isPlainPut(Cell cell) {
        return cell.getType() == Cell.Type.Put && cell.getQualifierLength() > 0;
    }

    /** Of each column the newest cell in the time range, and the delete markers above it. */
    private static List<Cell> newest(Region region, byte[] row, long from, long ts) throws IOException {
        Scan scan = new Scan().withStartRow(row).withStopRow(row, true).setRaw(true).readVersions(1).setTimeRange(from, ts);
        List<Cell> cells = new ArrayList<>();
        try (RegionScanner scanner = region.getScanner(scan)) {
            scanner.next(cells);
            cells.replaceAll(CellUtil::cloneIfNecessary); // HBase may reuse the memory once the scanner is closed
        }
        return cells;
    }
}
