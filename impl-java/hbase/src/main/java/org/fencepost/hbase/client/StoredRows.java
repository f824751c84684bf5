package org.fencepost.hbase.client;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.fencepost.hbase.layout.DecidedRows;
import org.fencepost.hbase.layout.SnapshotFilter;

/**
 * The rows that HBase has for a transaction's scan. Where the region servers decide rows, they are also told the scan's filter and limit, if
 * the filter judges each row by itself. What they send is enough then, unless some rows were not decided, or are the transaction's own:
 * the client may drop those. So where a limited scan has come to its limit and another row is wanted, it goes on behind it without.
 */
final class StoredRows implements Closeable {

    private final TransactionClient client;
    private final TableName name;
    private final Scan wide;
    private final boolean onServer;
    private final boolean filtered;
    private ResultScanner scanner;
    private int limit = -1;
    private int received;
    private byte[] last;

    StoredRows(TransactionClient client, Transaction tx, TableName name, Requests requests, Scan scan) throws IOException {
        this.client = client;
        this.name = name;
        this.onServer = client.readsOnServer(tx);
        this.wide = requests.widen(scan, tx.startTimestamp(), OmidRows.lastVersion(tx, onServer));
        this.filtered = onServer && SnapshotFilter.isRowByRow(scan.getFilter());
        if (onServer) {
            DecidedRows.ask(wide, filtered ? scan.getFilter() : null);
        }
        if (filtered && scan.getLimit() > 0) {
            limit = scan.getLimit();
        }
        open();
    }

    private void open() throws IOException {
        try (Table table = client.connection().getTable(name)) {
            scanner = table.getScanner(new Scan(wide).setLimit(limit));
        }
    }

    boolean onServer() {
        return onServer;
    }

    /** Whether a decided row has passed the filter, or would not be here. */
    boolean filtered() {
        return filtered;
    }

    /** Null at the end. */
    Result next() throws IOException {
        Result row = scanner.next();
        if (row == null && limit > 0 && received >= limit && !wide.isGetScan()) {
            scanner.close();
            wide.withStartRow(last, false);
            limit = -1;
            open();
            row = scanner.next();
        }
        if (row != null) {
            received++;
            last = row.getRow();
        }
        return row;
    }

    @Override
    public void close() {
        scanner.close();
    }

    boolean renewLease() {
        return scanner.renewLease();
    }

    ScanMetrics metrics() {
        return scanner.getScanMetrics();
    }
}
