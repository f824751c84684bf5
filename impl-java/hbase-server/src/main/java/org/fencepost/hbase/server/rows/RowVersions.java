package org.fencepost.hbase.server.rows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.MediatorRequest;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.mediator.MediatorRegion;

/**
 * The versions of columns of a row of Mediator, on its region server. A version of a column is what was put there, or a deletion of
 * it or of its family by HBase's own delete markers, which only a raw scan shows, and only of whole families.
 */
public final class RowVersions {

    private RowVersions() {
    }

    /**
     * The last version of each column before the timestamp of a read. It may be told with an older timestamp, or be left out if it
     * is a deletion, but not if it is older than due then: HBase finds columns without a look into all files, and shows no
     * deletions there. The last of all are told exactly.
     */
    public static List<Cell> lastBefore(Region region, Get get, MediatorRequest.Asked asked) throws IOException {
        if (asked.ts() != MediatorRequest.LATEST) {
            Map<CellKey, Cell> found = stored(region, get, asked);
            if (asked.columns().entrySet().stream().allMatch(column -> ts(found.get(column.getKey())) >= column.getValue())) {
                return List.copyOf(found.values());
            }
        }
        Map<CellKey, Long> versions = newest(region, get, asked, Timestamps.NIL);
        // This look comes after that one, so no column is older than its timestamp says.
        Map<CellKey, Cell> found = stored(region, get, asked);
        List<Cell> answer = new ArrayList<>();
        versions.forEach((column, ts) -> answer.add(found.containsKey(column)
                ? MediatorRequest.version(column, ts, Cell.Type.Put, CellUtil.cloneValue(found.get(column)))
                : MediatorRequest.version(column, ts, Cell.Type.DeleteColumn, HConstants.EMPTY_BYTE_ARRAY)));
        return answer;
    }

    /** What HBase itself finds, in its order. */
    private static Map<CellKey, Cell> stored(Region region, Get get, MediatorRequest.Asked asked) throws IOException {
        List<Cell> cells = region.get(new Get(get).setTimeRange(0, asked.ts()), false);
        Map<CellKey, Cell> found = new LinkedHashMap<>();
        for (CellKey column : asked.columns().keySet()) {
            cells.stream().filter(cell -> CellUtil.matchingColumn(cell, column.family(), column.qualifier())).findFirst()
                    .ifPresent(cell -> found.put(column, cell));
        }
        return found;
    }

    private static long ts(Cell cell) {
        return cell == null ? Timestamps.NIL : cell.getTimestamp();
    }

    /** The timestamp of a version of a column that conflicts with a check; NIL if there is none. */
    public static long conflict(Region region, Get get, MediatorRequest.Asked asked, long since) throws IOException {
        Map<CellKey, Long> newest = newest(region, get, asked, since);
        for (Map.Entry<CellKey, Long> column : asked.columns().entrySet()) {
            long last = newest.getOrDefault(column.getKey(), Timestamps.NIL);
            if (column.getValue() != MediatorRequest.FENCE_ONLY && !MediatorRegion.noConflictInDatabase(last, column.getValue())) {
                return last;
            }
        }
        return Timestamps.NIL;
    }

    /** The timestamps of the last versions since a timestamp, of the columns that have one. */
    private static Map<CellKey, Long> newest(Region region, Get get, MediatorRequest.Asked asked, long since) throws IOException {
        Scan scan = NewestVersions.in(new Scan().withStartRow(get.getRow()).withStopRow(get.getRow(), true), since, asked.ts());
        get.familySet().forEach(scan::addFamily);
        List<Cell> cells = new ArrayList<>();
        Map<CellKey, Long> newest = new HashMap<>();
        try (RegionScanner scanner = region.getScanner(scan)) {
            scanner.next(cells);
            for (CellKey column : asked.columns().keySet()) {
                cells.stream().filter(cell -> concerns(cell, column)).mapToLong(Cell::getTimestamp).max()
                        .ifPresent(last -> newest.put(column, last));
            }
        }
        return newest;
    }

    private static boolean concerns(Cell cell, CellKey column) {
        return CellUtil.matchingFamily(cell, column.family()) && (cell.getType() == Cell.Type.DeleteFamily
                || CellUtil.matchingQualifier(cell, column.qualifier()));
    }
}
