package org.fencepost.clustertest.client;

import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.fencepost.hbase.client.IndexedTable;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.protocol.TransactionException;

/** Ours. */
final class FencepostRangeTx extends FencepostTx implements RangeTx {
    private final IndexedTable index;

    /** @param index that this transaction keeps and reads, found when it had begun; null for none */
    FencepostRangeTx(Transaction tx, TransactionalTable table, IndexedTable index) {
        super(tx, table);
        this.index = index;
    }

    @Override
    public void write(byte[] row, byte[] value) {
        if (index != null && value != null) {
            index.put(tx, row, value);
        } else if (index != null) {
            index.delete(tx, row);
        } else if (value != null) {
            table.put(tx, new Put(row).addColumn(Cells.FAMILY, Cells.COLUMN, value));
        } else {
            table.delete(tx, new Delete(row).addColumns(Cells.FAMILY, Cells.COLUMN));
        }
    }

    @Override
    public ResultScanner scan(Scan scan) {
        return table.getScanner(tx, scan);
    }

    @Override
    public ResultScanner index(Scan scan) {
        try {
            return index == null ? null : index.getScanner(tx, scan);
        } catch (TransactionException e) {
            if (e.getClass() == TransactionException.class) { // that it is not ready is no failure
                return null;
            }
            throw e;
        }
    }
}
