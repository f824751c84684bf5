package org.fencepost.bench.ph1;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.omid.transaction.HBaseOmidClientConfiguration;
import org.apache.omid.transaction.HBaseTransactionManager;
import org.apache.omid.transaction.RollbackException;
import org.apache.omid.transaction.TTable;
import org.apache.omid.transaction.Transaction;
import org.apache.omid.transaction.TransactionException;
import org.apache.omid.transaction.TransactionManager;
import org.apache.omid.tso.client.OmidClientConfiguration.PostCommitMode;

/** Apache Omid over HBase, in whichever mode its server says; post-commits are asynchronous. */
final class OnPeer implements KeyValues {

    private final Connection connection;
    private final TransactionManager manager;
    private final String prefix;
    /** Not thread-safe, as a Table of HBase is not. */
    private final ThreadLocal<Map<String, TTable>> tables = ThreadLocal.withInitial(HashMap::new);

    OnPeer(Configuration conf, String server, String commitTable, String prefix) throws IOException {
        HBaseOmidClientConfiguration settings = new HBaseOmidClientConfiguration();
        settings.setHBaseConfiguration(conf);
        settings.setConnectionString(server);
        settings.setCommitTableName(commitTable);
        settings.setPostCommitMode(PostCommitMode.ASYNC);
        this.connection = ConnectionFactory.createConnection(conf);
        this.prefix = prefix;
        try {
            this.manager = HBaseTransactionManager.newInstance(settings);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private TTable open(String table) throws IOException {
        TTable known = tables.get().get(table);
        if (known == null) {
            known = new TTable(connection, OnHBase.table(prefix, table));
            tables.get().put(table, known);
        }
        return known;
    }

    @Override
    public Tx begin() throws IOException {
        Transaction tx;
        try {
            tx = manager.begin();
        } catch (TransactionException e) {
            throw new IOException(e);
        }
        return new Tx() {
            @Override
            public byte[] get(String table, byte[] key) throws IOException {
                return open(table).get(tx, OnHBase.get(key)).value();
            }

            @Override
            public void put(String table, byte[] key, byte[] value) throws IOException {
                open(table).put(tx, OnHBase.put(key, value));
            }

            @Override
            public void scan(String table, byte[] from, int limit, Found found) throws IOException {
                try (ResultScanner rows = open(table).getScanner(tx, OnHBase.scan(from, limit))) {
                    OnHBase.tell(rows, limit, found);
                }
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

            @Override
            public void rollback() throws IOException {
                try {
                    manager.rollback(tx);
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
