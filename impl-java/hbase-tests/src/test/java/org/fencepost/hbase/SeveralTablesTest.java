package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.protocol.store.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a transaction writes to several tables goes to all of them at once. */
@ExtendWith(Fixture.Extension.class)
class SeveralTablesTest {

    /** A mutation of one of two tables waits for one of the other. */
    public static final class Meeting implements RegionCoprocessor, RegionObserver {

        private static final int SECONDS = 20;
        private static final AtomicInteger MET = new AtomicInteger();
        private static volatile CyclicBarrier barrier = new CyclicBarrier(2, MET::incrementAndGet);

        @Override
        public Optional<RegionObserver> getRegionObserver() {
            return Optional.of(this);
        }

        @Override
        public void preBatchMutate(ObserverContext<RegionCoprocessorEnvironment> context, MiniBatchOperationInProgress<Mutation> batch) throws DoNotRetryIOException {
            try {
                barrier.await(SECONDS, TimeUnit.SECONDS);
            } catch (BrokenBarrierException | TimeoutException e) {
                throw new DoNotRetryIOException("nobody came to the other table", e);
            } catch (InterruptedException e) {
                throw new DoNotRetryIOException(e);
            }
        }
    }

    private static TransactionalTable meeting(Fixture hbase, TransactionClient client) throws Exception {
        TableName name = hbase.table();
        try (Admin admin = hbase.connection.getAdmin()) {
            admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(name)).setCoprocessor(Meeting.class.getName()).build());
        }
        return client.table(name);
    }

    @Test
    void putsCommitCellsAndRemovalsGoToAllTablesAtOnce(Fixture hbase) throws Exception {
        hbase.conf.setInt(Settings.POST_COMMIT_THREADS, 0);
        TransactionClient client = hbase.client();
        List<TransactionalTable> tables = List.of(meeting(hbase, client), meeting(hbase, client));
        int before = Meeting.MET.get();
        try (Transaction tx = client.begin()) {
            tables.forEach(table -> table.put(tx, put("r", "a", "1")));
            tx.flush();
            assertEquals(before + 1, Meeting.MET.get(), "puts");
            tx.commit();
            assertEquals(before + 2, Meeting.MET.get(), "commit cells");
        }
        try (Transaction tx = client.begin()) {
            tables.forEach(table -> table.put(tx, put("r", "a", "2")));
            tx.flush();
            tx.rollback();
            assertEquals(before + 4, Meeting.MET.get(), "puts, and removals");
        }
        try (Transaction tx = client.begin()) {
            tables.forEach(table -> assertEquals("f:a=1", Fixture.read(table, tx, "r")));
        }
    }

    /** All of them have ended by then, and the writes that did get through are sent again, or removed. */
    @Test
    void whatOneTableDoesNotTakeFailsTheCall(Fixture hbase) throws Exception {
        hbase.conf.setInt(Settings.TIMEOUT, 1_000);
        TransactionClient client = hbase.client();
        List<TransactionalTable> tables = List.of(client.table(hbase.table()), client.table(hbase.table()), client.table(hbase.table()));
        for (TransactionalTable away : tables) {
            try (Admin admin = hbase.connection.getAdmin(); Transaction tx = client.begin()) {
                tables.forEach(table -> table.put(tx, put("r", "a", "1")));
                admin.disableTable(away.name());
                assertThrows(StoreException.class, tx::flush);
                admin.enableTable(away.name());
                for (TransactionalTable table : tables) {
                    assertEquals(table == away ? 0 : 1, hbase.stored(table.name()).size());
                }
                tx.rollback();
                for (TransactionalTable table : tables) {
                    assertEquals(List.of(), hbase.stored(table.name()));
                }
            }
        }
    }
}
