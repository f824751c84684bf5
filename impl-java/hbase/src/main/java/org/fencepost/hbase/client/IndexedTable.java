package org.fencepost.hbase.client;

import java.util.Map;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.omid.SecondaryIndex;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Tracer;

/**
 * A table whose writers keep an {@link Index}. Thread-safe. Methods throw as those of {@link TransactionalTable} do, and refuse
 * transactions that have made checkpoints.
 */
public final class IndexedTable {

    private final TransactionClient client;
    private final Index index;
    private final TransactionalTable table;
    private final TransactionalTable entries;
    private final SecondaryIndex<CellKey, byte[]> kept;
    private volatile long readyFrom = Timestamps.NIL;

    IndexedTable(TransactionClient client, Index index, TransactionalTable table, TransactionalTable entries) {
        this.client = client;
        this.index = index;
        this.table = table;
        this.entries = entries;
        this.kept = index.kept(client.protocol(), Tracer.OFF);
    }

    /** To read it, and to write other columns. */
    public TransactionalTable table() {
        return table;
    }

    /** Puts the value of a row's indexed column, for which it is read first. */
    public void put(Transaction tx, byte[] row, byte[] value) {
        write(tx, row, Write.of(value));
    }

    /** Deletes the indexed column of a row. */
    public void delete(Transaction tx, byte[] row) {
        write(tx, row, Write.tombstone());
    }

    private void write(Transaction tx, byte[] row, Write<byte[]> write) {
        byte[] was = table.get(tx, new Get(row).addColumn(index.family(), index.qualifier())).getValue(index.family(), index.qualifier());
        CellKey cell = index.cell(row);
        Map<CellKey, Write<byte[]>> records = kept.entries(cell, was, write);
        check(table, cell, write);
        records.forEach((key, record) -> check(entries, key, record));
        tx.buffer(Map.of(cell, write), records);
    }

    private static void check(TransactionalTable of, CellKey key, Write<byte[]> write) {
        if (!write.isTombstone()) {
            of.requests().check(new Put(key.row()).addColumn(key.family(), key.qualifier(), write.value()));
        }
    }

    /**
     * Goes over the index in the transaction's snapshot: column {@code r} of each row is the key of the row that was indexed.
     *
     * @throws TransactionException if the index is not ready, or only for later snapshots; the transaction stays active
     */
    public ResultScanner getScanner(Transaction tx, Scan scan) {
        requireReady(tx);
        return entries.getScanner(tx, scan);
    }

    private void requireReady(Transaction tx) {
        if (!SecondaryIndex.mayUse(readyFrom, tx.startTimestamp())) {
            readyFrom = client.readyFrom(index);
        }
        if (!SecondaryIndex.mayUse(readyFrom, tx.startTimestamp())) {
            throw new TransactionException("Index " + index.name() + (readyFrom == Timestamps.NIL ? " is not built: run IndexBuilder.build, or wait for it."
                    : " is ready for snapshots from " + readyFrom + " on, and this is " + tx.startTimestamp() + ": begin another transaction."));
        }
    }
}
