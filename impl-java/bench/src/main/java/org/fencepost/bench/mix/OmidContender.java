package org.fencepost.bench.mix;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.omid.transaction.AbstractTransaction;
import org.apache.omid.transaction.RollbackException;
import org.apache.omid.transaction.TTable;
import org.apache.omid.transaction.Transaction;
import org.apache.omid.transaction.TransactionException;
import org.fencepost.bench.peer.PeerClient;

/** Apache Omid, in whichever mode its server says; post-commits are asynchronous, as in VLDB'18 sec. 5.1.1. */
final class OmidContender extends Contender {

    private final PeerClient client;
    /** Not thread-safe, as a Table of HBase is not. */
    private final ThreadLocal<TTable> tables;

    OmidContender(Configuration conf, String server, String table, String commitTable) throws IOException {
        client = new PeerClient(conf, server, commitTable);
        tables = ThreadLocal.withInitial(() -> {
            try {
                return new TTable(client.connection(), table);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Override
    Tx begin() throws IOException {
        TTable table = tables.get();
        Transaction tx = client.begin();
        return new Tx() {
            @Override
            public void read(byte[] row) throws IOException {
                table.get(tx, new Get(row).addColumn(FAMILY, COLUMN));
            }

            @Override
            public void write(byte[] row, byte[] value) throws IOException {
                table.put(tx, new Put(row).addColumn(FAMILY, COLUMN, value));
            }

            @Override
            public void commit() throws IOException, Aborted {
                end(tx);
            }
        };
    }

    @Override
    Closure.Edges edges() throws IOException {
        TTable table = tables.get();
        Transaction tx = client.begin();
        return new Closure.Edges() {
            @Override
            public void checkpoint() throws IOException {
                try {
                    ((AbstractTransaction<?>) tx).checkpoint();
                } catch (TransactionException e) {
                    throw new IOException(e);
                }
            }

            @Override
            public void scan(byte[] from, byte[] to, Closure.Rows found) throws IOException, Aborted {
                try (ResultScanner scanner = table.getScanner(tx, new Scan().withStartRow(from).withStopRow(to))) {
                    for (Result row = scanner.next(); row != null; row = scanner.next()) {
                        found.accept(row.getRow());
                    }
                }
            }

            @Override
            public void insert(List<byte[]> rows) throws IOException {
                table.put(tx, rows.stream().map(row -> new Put(row).addColumn(FAMILY, COLUMN, COLUMN)).toList());
            }

            @Override
            public void commit() throws IOException, Aborted {
                end(tx);
            }
        };
    }

    private void end(Transaction tx) throws IOException, Aborted {
        try {
            client.commit(tx);
        } catch (RollbackException e) {
            throw new Aborted(e);
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
