package org.fencepost.hbase.client;

import java.io.IOException;
import java.util.Map;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Query;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.FastRequest;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.SnapshotFilter;
import org.fencepost.hbase.layout.TableAttributes;

/**
 * Checks the requests of users, and widens reads to the cells that the protocol needs: the commit cells (and pointers to leaders) of the
 * requested columns, and the newest versions below the snapshot. What a transaction cannot honour is refused in one
 * sentence, by IllegalArgumentException, before anything is sent.
 */
public final class Requests {

    private final TableDescriptor table;
    private final long maxCellBytes;
    private final long span;
    private final boolean leaders;

    /** @param maxCellBytes HBase's limit on the size of a cell; 0 or less: none */
    public Requests(TableDescriptor table, long maxCellBytes) {
        this.table = table;
        this.maxCellBytes = maxCellBytes;
        this.span = TableAttributes.spanOf(table);
        this.leaders = TableAttributes.hasLeaders(table);
    }

    long span() {
        return span;
    }

    // ---- reads

    /**
     * What to ask HBase for a user's get, of records up to {@code OmidLLTransaction.fetchPoint}. The filter is left out: see
     * {@link SnapshotFilter}.
     */
    public Get widen(Get get, long startTs, long fetchPoint) throws IOException {
        check(get);
        Get wide = new Get(get).setTimeRange(0, fetchPoint + 1).readVersions(Layout.PAGE).setFilter(null);
        FastRequest.setSnapshot(FastRequest.withSpan(wide, span), startTs);
        wide.getFamilyMap().clear();
        wide.getFamilyMap().putAll(Layout.wholeRecords(get.getFamilyMap(), leaders));
        return wide;
    }

    void check(Get get) {
        checkRead(get, get.getFamilyMap());
        require(get.getMaxVersions() == 1 && get.getTimeRange().isAllTime(), "A transaction reads one version of each"
                + " column, that of its snapshot: leave versions and time ranges out of the Get.");
        require(get.getMaxResultsPerColumnFamily() < 0 && get.getRowOffsetPerColumnFamily() == 0,
                "Limits per family count cells that the transaction may not see: leave them out of the Get.");
        require(!get.isCheckExistenceOnly(), "To check for existence, test the Result of a Get for emptiness.");
    }

    /** What to ask HBase for a user's scan, without filter and limit: both count rows of the snapshot. */
    public Scan widen(Scan scan, long startTs, long fetchPoint) throws IOException {
        checkRead(scan, scan.getFamilyMap());
        require(scan.getMaxVersions() == 1 && scan.getTimeRange().isAllTime() && !scan.isRaw(), "A transaction reads one"
                + " version of each column, that of its snapshot: leave versions, time ranges and raw out of the Scan.");
        require(scan.getMaxResultsPerColumnFamily() < 0 && scan.getRowOffsetPerColumnFamily() == 0,
                "Limits per family count cells that the transaction may not see: leave them out of the Scan.");
        require(scan.getBatch() < 0 && !scan.getAllowPartialResults() && !scan.isNeedCursorResult(),
                "A transaction's scan returns whole rows: leave batch, partial results and cursors out of the Scan.");
        Scan wide = new Scan(scan).setTimeRange(0, fetchPoint + 1).readVersions(Layout.PAGE).setFilter(null).setLimit(-1);
        FastRequest.setSnapshot(FastRequest.withSpan(wide, span), startTs);
        if (scan.getLimit() > 0 && scan.getCaching() < 0) {
            wide.setCaching(scan.getLimit());
        }
        return wide.setFamilyMap(Layout.wholeRecords(scan.getFamilyMap(), leaders));
    }

    private void checkRead(Query read, Map<byte[], NavigableSet<byte[]>> families) {
        require(read.getConsistency() == Consistency.STRONG,
                "Region replicas may lag behind the snapshot: leave timeline consistency out of the request.");
        require(read.getColumnFamilyTimeRange().isEmpty(), "A transaction has its own time: leave time ranges out.");
        SnapshotFilter.check(read.getFilter());
        families.forEach((family, qualifiers) -> {
            checkFamily(family);
            if (qualifiers != null) {
                qualifiers.forEach(Requests::checkQualifier);
            }
        });
    }

    // ---- the fast path

    /** The one column that a fast-path read asks for. */
    CellKey fastKey(Get get) {
        check(get);
        require(get.getFilter() == null, "A fast-path read returns one column as it is: leave the filter out.");
        Map<byte[], NavigableSet<byte[]>> families = get.getFamilyMap();
        NavigableSet<byte[]> qualifiers = families.size() == 1 ? families.values().iterator().next() : null;
        require(qualifiers != null && qualifiers.size() == 1, ONE_COLUMN);
        return new CellKey(table.getTableName(), get.getRow(), families.keySet().iterator().next(), qualifiers.first());
    }

    /** The one column that a fast-path write puts or deletes. */
    CellKey fastKey(Mutation mutation) {
        if (mutation instanceof Put put) {
            check(put);
        } else if (mutation instanceof Delete delete) {
            check(delete);
        } else {
            throw new IllegalArgumentException("A fast-path write is a Put or a Delete, not "
                    + (mutation == null ? "null" : mutation.getClass().getSimpleName()) + ".");
        }
        require(mutation.size() == 1, ONE_COLUMN);
        Cell cell = Layout.cells(mutation).iterator().next();
        require(cell.getType() != Cell.Type.DeleteFamily, ONE_COLUMN);
        return new CellKey(table.getTableName(), mutation.getRow(), CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell));
    }

    private static final String ONE_COLUMN =
            "A fast-path transaction has one column of one row; for more, use a regular transaction.";

    // ---- writes

    void check(Put put) {
        require(!put.isEmpty(), "The Put for row " + Bytes.toStringBinary(put.getRow()) + " has no columns.");
        checkMutation(put);
        for (Cell cell : Layout.cells(put)) {
            checkTimeFree(cell);
            require(!Layout.isTombstone(cell), "This value is reserved: it marks deleted columns.");
            long bytes = cell.getSerializedSize();
            require(maxCellBytes <= 0 || bytes <= maxCellBytes, "Column " + column(cell) + " has " + bytes
                    + " bytes, HBase takes at most " + maxCellBytes + ": split the value, or raise "
                    + HBASE_CELL_LIMIT + " on clients and servers.");
        }
    }

    static final String HBASE_CELL_LIMIT = "hbase.client.keyvalue.maxsize / hbase.server.keyvalue.maxsize";

    void check(Delete delete) {
        checkMutation(delete);
        for (Cell cell : Layout.cells(delete)) {
            checkTimeFree(cell);
            require(cell.getType() != Cell.Type.DeleteFamilyVersion, "Versions belong to transactions: delete the family,"
                    + " not a version of it.");
        }
    }

    private void checkMutation(Mutation mutation) {
        require(mutation.getDurability() == Durability.USE_DEFAULT || mutation.getDurability() == Durability.SYNC_WAL,
                "A transaction's writes are as durable as their table: leave " + mutation.getDurability() + " out.");
        require(mutation.getTTL() == Long.MAX_VALUE, "Versions belong to transactions: leave the time to live out.");
        require(mutation.getAttributesMap().isEmpty(), "Attributes of a mutation, such as visibility labels and access lists,"
                + " would be lost: leave " + mutation.getAttributesMap().keySet() + " out.");
        mutation.getFamilyCellMap().keySet().forEach(this::checkFamily);
    }

    private static void checkTimeFree(Cell cell) {
        require(cell.getTimestamp() == HConstants.LATEST_TIMESTAMP,
                "Versions belong to transactions: leave the timestamp of column " + column(cell) + " out.");
        checkQualifier(CellUtil.cloneQualifier(cell));
    }

    private void checkFamily(byte[] family) {
        require(table.hasColumnFamily(family), "HBase table " + table.getTableName() + " has no family "
                + Bytes.toStringBinary(family) + ".");
    }

    private static void checkQualifier(byte[] qualifier) {
        require(!Layout.isReserved(qualifier), "Qualifier " + Bytes.toStringBinary(qualifier)
                + " is reserved: its last four bytes mark commit cells or pointers to leaders.");
    }

    private static String column(Cell cell) {
        return Bytes.toStringBinary(CellUtil.cloneFamily(cell)) + ":" + Bytes.toStringBinary(CellUtil.cloneQualifier(cell));
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
