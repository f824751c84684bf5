package org.fencepost.hbase.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ConnectionConfiguration;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.TableAttributes;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.TransactionFinishedException;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.Write;

/**
 * An HBase table as transactions see it: one version of each column, and no time. Thread-safe.
 *
 * <p>Writes stay with the transaction until it commits; its own reads see them at once. Every method throws
 * {@link TransactionFinishedException} once the transaction is over, and {@link IllegalArgumentException} for requests
 * that make no sense in a transaction (timestamps, several versions, limits that count stored cells, reserved
 * qualifiers). Reads also throw {@link StoreException} if HBase does not answer, which leaves the transaction active,
 * and {@link TransactionAbortedException} if it has outlived its lifetime.
 */
public final class TransactionalTable {

    /** How a protocol reads. It also checks the requests, and applies their filters to rows of the snapshot. */
    interface Rows {

        /** The requested columns as the transaction sees them, its own writes included, as far as they pass. */
        List<List<Cell>> get(Transaction tx, Requests requests, List<Get> gets) throws IOException;

        ResultScanner scan(Transaction tx, Requests requests, Scan scan) throws IOException;
    }

    private final Object client;
    private final TableName name;
    private final Requests requests;
    private final Rows rows;
    private final boolean fastPath;

    /** @param client that begins the transactions */
    TransactionalTable(Object client, TableDescriptor description, Configuration conf, Rows rows) {
        this.client = client;
        this.name = description.getTableName();
        this.requests = new Requests(description, maxCellBytes(conf));
        this.rows = rows;
        this.fastPath = TableAttributes.hasFastPath(description);
    }

    /** The client's limit and the servers', which are the same unless someone changed one of them. */
    private static long maxCellBytes(Configuration conf) {
        int ofClient = conf.getInt(ConnectionConfiguration.MAX_KEYVALUE_SIZE_KEY,
                ConnectionConfiguration.MAX_KEYVALUE_SIZE_DEFAULT);
        int ofServer = conf.getInt("hbase.server.keyvalue.maxsize", ConnectionConfiguration.MAX_KEYVALUE_SIZE_DEFAULT);
        return ofClient <= 0 || ofServer <= 0 ? Math.max(ofClient, ofServer) : Math.min(ofClient, ofServer);
    }

    public TableName name() {
        return name;
    }

    /** How far the timestamps of transactions are apart here, by the table's description: see {@code Tables.enableCheckpoints}. */
    public long span() {
        return requests.span();
    }

    Requests requests() {
        return requests;
    }

    /** The requested columns of a row; empty if the snapshot has none. Filters are applied to the snapshot's row. */
    public Result get(Transaction tx, Get get) {
        return get(tx, List.of(get)).get(0);
    }

    /** Several rows in one round trip per region server, in the order of the requests. */
    public List<Result> get(Transaction tx, List<Get> gets) {
        tx.requireActiveIn(client);
        try {
            List<List<Cell>> found = rows.get(tx, requests, gets);
            List<Result> results = new ArrayList<>(found.size());
            found.forEach(row -> results.add(Result.create(row)));
            return results;
        } catch (IOException e) {
            throw Failures.store("read", name, e);
        }
    }

    /**
     * Goes over the rows of the snapshot, the transaction's own writes included, also those written while the scan is
     * under way. Filters and limit apply to the snapshot's rows. The scanner's methods throw as {@link #get} does.
     */
    public ResultScanner getScanner(Transaction tx, Scan scan) {
        tx.requireActiveIn(client);
        try {
            return rows.scan(tx, requests, scan);
        } catch (IOException e) {
            throw Failures.store("scan", name, e);
        }
    }

    public void put(Transaction tx, Put put) {
        put(tx, List.of(put));
    }

    /** All or none: nothing is written if one of them is refused. */
    public void put(Transaction tx, List<Put> puts) {
        tx.buffer(writes(tx, puts));
    }

    /** Guard: a fence would not bind it, since it begins so late; and where there is a fast path, there are no fences. */
    private void requireNotBlind(Transaction tx) {
        if (tx.isBlind() && !fastPath) {
            throw new TransactionException("Table " + name + " has no fast path, without which a blind transaction gains nothing: use begin.");
        }
    }

    /**
     * Puts that the transaction manager does not compare with what others write at the same time (VLDB'18 section 6.1): of rows that only
     * this client writes, or whose writers write another row, too, that is compared. They are committed and removed with the transaction, and
     * a fence of the table binds it. A column that the transaction also puts in the ordinary way is compared.
     *
     * @throws TransactionException if the transaction has made checkpoints, or is one of Omid 2PC or Mediator: no model covers these
     */
    public void putConflictFree(Transaction tx, List<Put> puts) {
        tx.buffer(Map.of(), writes(tx, puts));
    }

    private Map<CellKey, Write<byte[]>> writes(Transaction tx, List<Put> puts) {
        tx.requireActiveIn(client);
        requireNotBlind(tx);
        puts.forEach(requests::check);
        Map<CellKey, Write<byte[]>> writes = new LinkedHashMap<>();
        for (Put put : puts) {
            for (Cell cell : Layout.cells(put)) {
                writes.put(key(cell), Write.of(CellUtil.cloneValue(cell)));
            }
        }
        return writes;
    }

    /**
     * Deletes columns, families or the row. A family or row is deleted by deleting the columns that the transaction
     * sees in it, for which it is read: a column that a concurrent transaction adds is not deleted, and conflicts only
     * where conflicts are per row. All or none, as with puts.
     */
    public void delete(Transaction tx, Delete delete) {
        tx.requireActiveIn(client);
        requireNotBlind(tx);
        requests.check(delete);
        Get wholeFamilies = new Get(delete.getRow());
        Map<CellKey, Write<byte[]>> writes = new LinkedHashMap<>();
        for (Cell cell : Layout.cells(delete)) {
            if (cell.getType() == Cell.Type.DeleteFamily) {
                wholeFamilies.addFamily(CellUtil.cloneFamily(cell));
            } else {
                writes.put(key(cell), Write.tombstone());
            }
        }
        if (delete.isEmpty() || wholeFamilies.hasFamilies()) {
            Result seen = get(tx, wholeFamilies);
            if (!seen.isEmpty()) {
                for (Cell cell : seen.rawCells()) {
                    writes.put(key(cell), Write.tombstone());
                }
            }
        }
        tx.buffer(writes);
    }

    private CellKey key(Cell cell) {
        return new CellKey(name, CellUtil.cloneRow(cell), CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell));
    }
}
