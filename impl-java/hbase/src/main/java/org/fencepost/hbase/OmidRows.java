package org.fencepost.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;

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
                wide.add(requests.widen(get, tx.startTimestamp()));
            }
            Result[] stored = wide.size() == 1 ? new Result[] {table.get(wide.get(0))} : table.get(wide);
            List<List<Cell>> rows = new ArrayList<>(stored.length);
            for (int i = 0; i < stored.length; i++) {
                Get get = gets.get(i);
                rows.add(new RowReader(client, tx, name, get.getFamilyMap()).read(get.getRow(), stored[i]));
            }
            return rows;
        }
    }

    @Override
    public ResultScanner scan(Transaction tx, Requests requests, Scan scan) throws IOException {
        try (Table table = client.connection().getTable(name)) {
            ResultScanner stored = table.getScanner(requests.widen(scan, tx.startTimestamp()));
            return new TransactionalScanner(new RowReader(client, tx, name, scan.getFamilyMap()), tx, name, scan, stored);
        }
    }
}
