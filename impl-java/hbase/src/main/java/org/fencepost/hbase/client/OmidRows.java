package org.fencepost.hbase.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.fencepost.hbase.layout.DecidedRows;
import org.fencepost.hbase.layout.SnapshotFilter;

/** How transactions of Omid LL read a table: {@link RowReader} makes rows of the snapshot from what HBase has stored. */
final class OmidRows implements TransactionalTable.Rows {

    private final TransactionClient client;
    private final TableName name;

    OmidRows(TransactionClient client, TableDescriptor description) {
        this.client = client;
        this.name = description.getTableName();
    }

    /** In one round trip per region server. */
    @Override
    public List<List<Cell>> get(Transaction tx, Requests requests, List<Get> gets) throws IOException {
        boolean onServer = client.readsOnServer(tx);
        try (Table table = client.connection().getTable(name)) {
            List<Get> wide = new ArrayList<>(gets.size());
            for (Get get : gets) {
                Get each = requests.widen(get, tx.startTimestamp(), lastVersion(tx, onServer));
                if (onServer) {
                    DecidedRows.ask(each, isFilteredOnServer(tx, get) ? get.getFilter() : null);
                }
                wide.add(each);
            }
            Result[] stored = wide.size() == 1 ? new Result[] {table.get(wide.get(0))} : table.get(wide);
            return read(tx, gets, stored, onServer);
        } finally {
            client.protocol().healGathered(tx.state());
        }
    }

    /** A server that decides stops at the first own version, so it is not shown one that is not to be read. */
    static long lastVersion(Transaction tx, boolean onServer) {
        return onServer ? Math.min(tx.state().fetchPoint(), tx.state().readPoint()) : tx.state().fetchPoint();
    }

    /** Own writes, which the server may not have, belong to the row that the filter judges. */
    private boolean isFilteredOnServer(Transaction tx, Get get) {
        return SnapshotFilter.isRowByRow(get.getFilter()) && !tx.ownWrites(name).containsKey(get.getRow());
    }

    /** The commit table is asked about all rows at once. */
    private List<List<Cell>> read(Transaction tx, List<Get> gets, Result[] stored, boolean onServer) throws IOException {
        List<RowReader> readers = gets.stream().map(get -> new RowReader(client, tx, name, get.getFamilyMap(), onServer)).toList();
        Set<Long> unsettled = new HashSet<>();
        for (int i = 0; i < stored.length; i++) {
            unsettled.addAll(readers.get(i).unsettled(stored[i]));
        }
        client.protocol().lookUp(tx.state(), unsettled);
        List<List<Cell>> rows = new ArrayList<>(stored.length);
        for (int i = 0; i < stored.length; i++) {
            Get get = gets.get(i);
            List<Cell> row = readers.get(i).readLookedUp(get.getRow(), stored[i]);
            boolean filtered = onServer && DecidedRows.isDecided(stored[i]) && isFilteredOnServer(tx, get);
            rows.add(filtered ? row : SnapshotFilter.of(get.getFilter(), false).apply(row));
        }
        return rows;
    }

    @Override
    public ResultScanner scan(Transaction tx, Requests requests, Scan scan) throws IOException {
        return new TransactionalScanner(new RowReader(client, tx, name, scan.getFamilyMap(), client.readsOnServer(tx)), tx, name, scan,
                new StoredRows(client, tx, name, requests, scan), row -> get(tx, requests, List.of(rowOf(scan, row))).get(0));
    }

    /** What the scan asks for of one row, without its filter. */
    private static Get rowOf(Scan scan, byte[] row) {
        Get get = new Get(row);
        get.getFamilyMap().putAll(scan.getFamilyMap());
        return get;
    }
}
