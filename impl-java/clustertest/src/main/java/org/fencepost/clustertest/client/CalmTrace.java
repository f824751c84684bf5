package org.fencepost.clustertest.client;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.store.StoreException;

/**
 * A trace of the cluster that can be checked against the specification: pairs of transactions that overlap and conflict, on keys of their own, all by one thread.
 * Traces of the load cannot be: events of concurrent threads stand in the order in which they were written down, which need not be the order of the steps.
 */
final class CalmTrace {

    private static final int PAIRS = 4;
    private static final byte[] QUALIFIER = Bytes.toBytes("calm");

    private CalmTrace() {
    }

    /**
     * Runs them on the run's table, and writes the trace. Throws IOException where the cluster did not answer.
     *
     * @param spec that it is to be checked against
     */
    static void record(FencepostSession session, String spec, String keys, Path file) throws IOException {
        Configuration single = new Configuration(session.conf);
        single.setInt(Settings.POST_COMMIT_THREADS, 0);
        single.set(Settings.COMMIT, "long"); // as the specification has it that the trace is checked against
        RankedTrace trace = new RankedTrace();
        try (TransactionClient client = TransactionClient.open(single, session.manager, trace)) {
            TransactionalTable table = client.table(session.tables.table());
            for (int i = 0; i < PAIRS; i++) {
                pair(client, table, keys + i % 2, keys + (i + 1) % 2);
            }
        } catch (OutcomeUnknownException | StoreException | TransactionManagerException e) {
            throw new IOException(e.getMessage(), e);
        }
        trace.write(spec, file, "faults", false, "collectors", 1);
    }

    /** Both read one key and write it, the second one another key besides; so the second one aborts. */
    private static void pair(TransactionClient client, TransactionalTable table, String one, String other) {
        try (Transaction first = client.begin(); Transaction second = client.begin()) {
            table.get(first, new Get(Bytes.toBytes(one)).addColumn(Cells.FAMILY, QUALIFIER));
            table.get(second, new Get(Bytes.toBytes(one)).addColumn(Cells.FAMILY, QUALIFIER));
            table.get(second, new Get(Bytes.toBytes(other)).addColumn(Cells.FAMILY, QUALIFIER));
            put(table, first, one);
            put(table, second, one);
            put(table, second, other);
            first.commit();
            second.commit();
        } catch (TransactionAbortedException e) {
            // as it should
        }
    }

    private static void put(TransactionalTable table, Transaction tx, String key) {
        table.put(tx, new Put(Bytes.toBytes(key)).addColumn(Cells.FAMILY, QUALIFIER, Bytes.toBytes(tx.startTimestamp())));
    }
}
