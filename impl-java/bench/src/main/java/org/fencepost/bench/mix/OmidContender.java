package org.fencepost.bench.mix;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
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

    @Override
    Tx begin() throws IOException {
        TTable table = tables.get();
        Transaction tx;
        try {
            tx = manager.begin();
        } catch (TransactionException e) {
            throw new IOException(e);
        }
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
                try {
                    manager.commit(tx);
                } catch (RollbackException e) {
                    throw new Aborted(e);
                } catch (TransactionException e) {
                    throw new IOException(e);
                }
            }
        };
    }

    @Override
    public void close() throws IOException {
        manager.close();
        connection.close();
    }
}
