package org.fencepost.bench.peer;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.omid.transaction.HBaseOmidClientConfiguration;
import org.apache.omid.transaction.HBaseTransactionManager;
import org.apache.omid.transaction.RollbackException;
import org.apache.omid.transaction.Transaction;
import org.apache.omid.transaction.TransactionException;
import org.apache.omid.transaction.TransactionManager;
import org.apache.omid.tso.client.OmidClientConfiguration.PostCommitMode;

/** Apache Omid's client, in whichever mode its server says; post-commits are asynchronous, as in VLDB'18 sec. 5.1.1. Thread-safe. */
public final class PeerClient implements Closeable {

    private final Connection connection;
    private final TransactionManager manager;

    /** @param server host and port of its transaction manager */
    public PeerClient(Configuration conf, String server, String commitTable) throws IOException {
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
    }

    /** To HBase. */
    public Connection connection() {
        return connection;
    }

    public Transaction begin() throws IOException {
        try {
            return manager.begin();
        } catch (TransactionException e) {
            throw new IOException(e);
        }
    }

    /** Throws RollbackException if it was aborted. */
    public void commit(Transaction tx) throws IOException, RollbackException {
        try {
            manager.commit(tx);
        } catch (TransactionException e) {
            throw new IOException(e);
        }
    }

    public void rollback(Transaction tx) throws IOException {
        try {
            manager.rollback(tx);
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
