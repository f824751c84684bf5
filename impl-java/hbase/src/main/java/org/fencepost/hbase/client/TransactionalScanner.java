package org.fencepost.hbase.client;

import java.io.IOException;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.DecidedRows;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.hbase.layout.SnapshotFilter;

/**
 * Merges the stored rows with the rows that the transaction has written itself, both in the order of the scan, and
 * returns those that have something to show in the snapshot.
 *
 * <p>Stored rows arrive in batches and may be old when they are looked at. That is no worse than a slow reader: what is
 * visible at the snapshot was stored before the transaction began, and whatever had no commit cell then is looked up
 * in the commit table now.
 */
final class TransactionalScanner implements ResultScanner {

    private final RowReader reader;
    private final Transaction tx;
    private final TableName table;
    private final Scan scan;
    private final StoredRows stored;
    private final OwnRow whole;
    private final SnapshotFilter filter;
    private long rowsLeft;
    private Result nextStored;
    private byte[] lastRow;
    /** Null if there is none. */
    private byte[] nextOwn;
    /** How many there were when that one was looked for. */
    private int ownRows;
    private boolean done;

    /** Reads a row again, whatever the scan's filter. */
    interface OwnRow {
        List<Cell> read(byte[] row) throws IOException;
    }

    /** @param whole for rows that the transaction has written: their filter judges them with what is not stored */
    TransactionalScanner(RowReader reader, Transaction tx, TableName table, Scan scan, StoredRows stored, OwnRow whole)
            throws IOException {
        this.reader = reader;
        this.tx = tx;
        this.table = table;
        this.scan = scan;
        this.stored = stored;
        this.whole = whole;
        this.filter = SnapshotFilter.of(scan.getFilter(), scan.isReversed());
        this.rowsLeft = scan.getLimit() > 0 ? scan.getLimit() : Long.MAX_VALUE;
    }

    @Override
    public Result next() {
        tx.requireActive();
        try {
            while (!done && rowsLeft > 0 && !filter.isDone()) {
                List<Cell> row = nextRow();
                if (!row.isEmpty()) {
                    rowsLeft--;
                    return Result.create(row);
                }
            }
        } catch (IOException e) {
            throw Failures.store("scan", table, e);
        }
        close();
        return null;
    }

    /** The next row at either source as the snapshot has it and the filter passes it, which may be nothing. Sets done at the end of both. */
    private List<Cell> nextRow() throws IOException {
        if (nextStored == null) {
            nextStored = stored.next();
        }
        byte[] ownRow = nextOwnRow();
        if (nextStored == null && ownRow == null) {
            reader.requireInTime();
            done = true;
            return List.of();
        }
        int order = nextStored == null ? -1 : ownRow == null ? 1 : compare(ownRow, nextStored.getRow());
        lastRow = order < 0 ? ownRow : nextStored.getRow();
        Result found = order < 0 ? Result.EMPTY_RESULT : nextStored;
        nextStored = order < 0 ? nextStored : null;
        boolean own = order <= 0;
        if (isToBeReadAgain(own)) {
            return filter.apply(whole.read(lastRow));
        }
        List<Cell> row = reader.read(lastRow, found, own);
        return stored.filtered() && DecidedRows.isDecided(found) ? row : filter.apply(row);
    }

    /** What was decided is one version of each column, and was filtered as it is stored. */
    private boolean isToBeReadAgain(boolean own) {
        return stored.onServer() && tx.visibility() == Visibility.ALL || own && stored.filtered() && scan.hasFilter();
    }

    private int compare(byte[] a, byte[] b) {
        return scan.isReversed() ? Bytes.compareTo(b, a) : Bytes.compareTo(a, b);
    }

    /** The first row with own writes behind the last returned row, and within the scan's range. It stays that until it is returned or another row is written. */
    private byte[] nextOwnRow() {
        NavigableMap<byte[], NavigableSet<CellKey>> rows = tx.ownWrites(table);
        if (rows.size() != ownRows || nextOwn != null && lastRow != null && compare(nextOwn, lastRow) <= 0) {
            ownRows = rows.size();
            nextOwn = ownRowBehind(lastRow, scan.isReversed() ? rows.descendingMap() : rows);
        }
        return nextOwn;
    }

    private byte[] ownRowBehind(byte[] last, NavigableMap<byte[], NavigableSet<CellKey>> rows) {
        if (rows.isEmpty()) {
            return null;
        }
        byte[] row;
        if (last != null) {
            row = rows.higherKey(last);
        } else if (scan.getStartRow().length == 0) {
            row = rows.firstKey();
        } else {
            row = scan.includeStartRow() ? rows.ceilingKey(scan.getStartRow()) : rows.higherKey(scan.getStartRow());
        }
        return row == null || isBeyondStop(row) ? null : row;
    }

    private boolean isBeyondStop(byte[] row) {
        if (scan.getStopRow().length == 0) {
            return false;
        }
        int order = compare(row, scan.getStopRow());
        return order > 0 || order == 0 && !scan.includeStopRow() && !scan.isGetScan();
    }

    @Override
    public void close() {
        done = true;
        stored.close();
        reader.healGathered();
    }

    @Override
    public boolean renewLease() {
        return stored.renewLease();
    }

    @Override
    public ScanMetrics getScanMetrics() {
        return stored.metrics();
    }
}
