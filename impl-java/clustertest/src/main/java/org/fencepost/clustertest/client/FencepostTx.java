package org.fencepost.clustertest.client;

import java.util.List;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionalTable;

/** Ours. */
class FencepostTx implements Tx {
    final Transaction tx;
    final TransactionalTable table;

    FencepostTx(Transaction tx, TransactionalTable table) {
        this.tx = tx;
        this.table = table;
    }

    @Override
    public long startTimestamp() {
        return tx.startTimestamp();
    }

    @Override
    public long commitTimestamp() {
        return tx.commitTimestamp();
    }

    @Override
    public Result get(Get get) {
        return table.get(tx, get);
    }

    @Override
    public List<Result> get(List<Get> gets) {
        return table.get(tx, gets);
    }

    @Override
    public void put(Put put) {
        table.put(tx, put);
    }

    @Override
    public void commit() {
        tx.commit();
    }

    @Override
    public void close() {
        tx.close();
    }
}
