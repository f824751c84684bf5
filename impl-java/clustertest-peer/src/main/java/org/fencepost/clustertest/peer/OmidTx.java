package org.fencepost.clustertest.peer;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.omid.transaction.HBaseTransaction;
import org.apache.omid.transaction.RollbackException;
import org.apache.omid.transaction.TTable;
import org.apache.omid.transaction.TransactionException;
import org.apache.omid.transaction.TransactionManager;
import org.fencepost.clustertest.client.Tx;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.store.StoreException;

/**
 * A transaction of Apache Omid's. It is told apart by what its interface promises: where commit returns it has committed, RollbackException says that it has not, and
 * after anything else the outcome is unknown.
 */
final class OmidTx implements Tx {

    private final TransactionManager manager;
    private final TTable table;
    private final HBaseTransaction tx;
    private boolean ended;

    OmidTx(TransactionManager manager, TTable table, HBaseTransaction tx) {
        this.manager = manager;
        this.table = table;
        this.tx = tx;
    }

    @Override
    public long startTimestamp() {
        return tx.getStartTimestamp();
    }

    @Override
    public long commitTimestamp() {
        return tx.getCommitTimestamp();
    }

    @Override
    public Result get(Get get) {
        try {
            return table.get(tx, get);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public List<Result> get(List<Get> gets) {
        try {
            return Arrays.asList(table.get(tx, gets));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public void put(Put put) {
        try {
            table.put(tx, put);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** HBase tells all attempts. */
    private static StoreException failed(IOException e) {
        return new StoreException(String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString()), e);
    }

    @Override
    public void commit() {
        ended = true;
        try {
            manager.commit(tx);
        } catch (RollbackException e) {
            throw new TransactionAbortedException(startTimestamp(), cause(String.valueOf(e.getMessage())), e);
        } catch (TransactionException e) {
            throw new OutcomeUnknownException(startTimestamp(), Timestamps.NIL, e);
        }
    }

    private static AbortCause cause(String said) {
        return said.contains("Conflicts") ? AbortCause.CONFLICT : said.contains("invalidated") ? AbortCause.INVALIDATED : AbortCause.MANAGER_UNREACHABLE;
    }

    @Override
    public void close() {
        try {
            if (!ended) {
                manager.rollback(tx);
            }
            table.close();
        } catch (IOException | RuntimeException e) {
            // What it has written stays pending, and whoever reads it invalidates it.
        }
    }
}
