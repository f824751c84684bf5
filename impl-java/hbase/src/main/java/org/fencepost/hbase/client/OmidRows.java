package org.fencepost.hbase.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.protocol.store.Record;

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
        try (Table table = client.connection().getTable(name)) {
            List<Get> wide = new ArrayList<>(gets.size());
            for (Get get : gets) {
                wide.add(requests.widen(get, tx.startTimestamp(), tx.state().fetchPoint()));
            }
            Result[] stored = wide.size() == 1 ? new Result[] {table.get(wide.get(0))} : table.get(wide);
            return read(tx, gets, stored);
        } finally {
            client.protocol().healGathered(tx.state());
        }
    }

    /** The commit table is asked about all rows at once. */
    private List<List<Cell>> read(Transaction tx, List<Get> gets, Result[] stored) {
        List<RowReader> readers = gets.stream().map(get -> new RowReader(client, tx, name, get.getFamilyMap())).toList();
        List<Map<CellKey, List<Record<byte[]>>>> records = new ArrayList<>(stored.length);
        Set<Long> unsettled = new HashSet<>();
        for (int i = 0; i < stored.length; i++) {
            records.add(readers.get(i).records(stored[i]));
            unsettled.addAll(readers.get(i).unsettled(records.get(i)));
        }
        client.protocol().lookUp(tx.state(), unsettled);
        List<List<Cell>> rows = new ArrayList<>(stored.length);
        for (int i = 0; i < stored.length; i++) {
            rows.add(readers.get(i).read(gets.get(i).getRow(), records.get(i)));
        }
        return rows;
    }

    @Override
    public ResultScanner scan(Transaction tx, Requests requests, Scan scan) throws IOException {
        try (Table table = client.connection().getTable(name)) {
            ResultScanner stored = table.getScanner(requests.widen(scan, tx.startTimestamp(), tx.state().fetchPoint()));
            return new TransactionalScanner(new RowReader(client, tx, name, scan.getFamilyMap()), tx, name, scan, stored);
        }
    }
}
