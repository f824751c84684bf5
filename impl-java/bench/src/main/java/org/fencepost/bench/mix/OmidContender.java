package org.fencepost.bench.mix;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.omid.transaction.AbstractTransaction;
import org.apache.omid.transaction.HBaseOmidClientConfiguration;
import org.apache.omid.transaction.HBaseTransactionManager;
import org.apache.omid.transaction.RollbackException;
import org.apache.omid.transaction.TTable;
import org.apache.omid.transaction.Transaction;
import org.apache.omid.transaction.TransactionException;
import org.apache.omid.transaction.TransactionManager;
import org.apache.omid.tso.client.OmidClientConfiguration.PostCommitMode;

/** Apache Omid, in whichever mode its server says; post-commits are asynchronous, as in VLDB'18 sec. 5.1.1. */
final class OmidContender extends Contender {

    private final org.apache.hadoop.hbase.client.Connection connection;
    private final TransactionManager manager;
    /** Not thread-safe, as a Table of HBase is not. */
    private final ThreadLocal<TTable> tables;

    OmidContender(Configuration conf, String server, String table, String commitTable) throws IOException {
        HBaseOmidClientConfiguration settings = new HBaseOmidClientConfiguration();
        settings.setHBaseConfiguration(conf);
        settings.setConnectionString(server);
        settings.setCommitTableName(commitTable);
        settings.setPostCommitMode(PostCommitMode.ASYNC);
        connection = ConnectionFactory.createConnection(conf);
        try {
            manager = HBaseTransactionManager.newInstance(settings);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        tables = ThreadLocal.withInitial(() -> {
            try {
                return new TTable(connection, table);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private Transaction open() throws IOException {
        try {
            return manager.begin();
        } catch (TransactionException e) {
            throw new IOException(e);
        }
    }

    @Override
    Tx begin() throws IOException {
        TTable table = tables.get();
        Transaction tx = open();
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
        Transaction tx = open();
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
            manager.commit(tx);
        } catch (RollbackException e) {
            throw new Aborted(e);
        } catch (TransactionException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        manager.close();
        connection.close();
    }
}
