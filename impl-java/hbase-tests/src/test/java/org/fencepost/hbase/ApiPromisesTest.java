package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.F;
import static org.fencepost.hbase.Fixture.commit;
import static org.fencepost.hbase.Fixture.delete;
import static org.fencepost.hbase.Fixture.get;
import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.read;
import static org.fencepost.hbase.Fixture.show;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.client.MediatorClient;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.tm.client.RemoteOracle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the Javadoc of {@link Transaction} and {@link TransactionalTable} promises for the day that something goes wrong. */
@ExtendWith(Fixture.Extension.class)
class ApiPromisesTest {

    private static final long BUDGET = 2_000;

    private Fixture hbase;
    private TransactionClient client;
    private TransactionalTable table;

    @BeforeEach
    void setUp(Fixture hbase) throws Exception {
        this.hbase = hbase;
        hbase.conf.setLong(Settings.MAX_WRITE_BYTES, BUDGET);
        client = hbase.client();
        table = client.table(hbase.table());
    }

    private String readNow(String row) {
        try (Transaction tx = client.begin()) {
            return read(table, tx, row);
        }
    }

    // ---- commit may be tried again

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCommitWhoseWritesDidNotGetThroughMayBeTriedAgain(boolean stored) {
        Runnable lose = () -> {
            throw new StoreException("lost, for a test");
        };
        TransactionClient losing = hbase.client((stored ? Tap.onceAfter("store.put", lose) : Tap.onceBefore("store.put", lose)).seams());
        TransactionalTable same = losing.table(table.name());
        Transaction tx = losing.begin();
        same.put(tx, List.of(put("q", "a", "1"), put("r", "a", "1")));
        assertThrows(StoreException.class, tx::commit);
        assertEquals(TransactionStatus.ACTIVE, tx.status());
        same.put(tx, put("s", "a", "1"));
        TransactionException sent = assertThrows(TransactionException.class, () -> same.put(tx, List.of(put("t", "a", "2"), put("q", "a", "2"))));
        assertTrue(sent.getMessage().contains("was sent to the store already"), sent.getMessage());
        tx.commit();
        assertEquals(TransactionStatus.COMMITTED, tx.status());
        for (String row : List.of("q", "r", "s")) {
            assertEquals("f:a=1", readNow(row));
        }
        assertEquals("", readNow("t"), "all or none");
    }

    @Test
    void soMayOneOfTheOtherProtocol() throws Exception {
        hbase.conf.set(Settings.PROTOCOL, "2pc");
        hbase.conf.setInt(Settings.TIMEOUT, 2_000);
        TransactionClient hasty = hbase.client();
        TableName name = TableName.valueOf("again" + hbase.commits);
        try (Admin admin = hbase.connection.getAdmin()) {
            admin.createTable(Tables.twoPhase(Tables.transactional(TableDescriptorBuilder.newBuilder(name)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f")).build(), hbase.commits)));
            TransactionalTable intents = hasty.table(name);
            Transaction tx = hasty.begin();
            intents.put(tx, List.of(put("q", "a", "1"), put("r", "a", "1")));
            admin.disableTable(name);
            assertThrows(StoreException.class, tx::commit);
            admin.enableTable(name);
            tx.commit();
            try (Transaction after = hasty.begin()) {
                assertEquals("f:a=1", read(intents, after, "q"));
                assertEquals("f:a=1", read(intents, after, "r"));
            }
        }
    }

    // ---- all or none

    @Test
    void ofAListThatIsTooLargeNothingIsWritten() {
        Transaction tx = client.begin();
        table.put(tx, put("r", "a", "1"));
        String large = "x".repeat((int) BUDGET);
        assertThrows(IllegalArgumentException.class, () -> table.put(tx, List.of(put("r", "a", "2"), put("s", "a", large))));
        assertThrows(IllegalArgumentException.class, () -> table.put(tx, put("t", "a", "2", "b", large)));
        assertEquals("f:a=1", read(table, tx, "r"));
        tx.commit();
        assertEquals("f:a=1", readNow("r"));
        assertEquals("", readNow("s"));
        assertEquals("", readNow("t"));
    }

    @Test
    void ofADeleteThatIsTooLargeNothingIsDeleted() {
        commit(client, table, "r", "1");
        Transaction tx = client.begin();
        assertThrows(IllegalArgumentException.class, () -> table.delete(tx, delete("r", "a", "x".repeat((int) BUDGET))));
        assertEquals("f:a=1", read(table, tx, "r"));
        tx.commit();
        assertEquals("f:a=1", readNow("r"));
    }

    // ---- the budget is what is held

    @Test
    void whatIsOverwrittenIsFreeAgain() {
        Transaction tx = client.begin();
        for (int i = 0; i < 100; i++) {
            table.put(tx, List.of(put("r", "a", "x".repeat(100)), put("r", "a", "y".repeat(100))));
        }
        table.put(tx, put("r", "b", "z".repeat((int) BUDGET - 200)));
        assertThrows(IllegalArgumentException.class, () -> table.put(tx, put("r", "c", "x".repeat(200))));
        table.delete(tx, new Delete(get("r").getRow()).addColumns(F, new byte[] {'b'}));
        table.put(tx, put("r", "c", "x".repeat(200)));
        tx.commit();
        assertEquals("f:a=" + "y".repeat(100) + " f:c=" + "x".repeat(200), readNow("r"));
    }

    /** The budget of the log. */
    @Test
    void soItIsWithMediator() throws IOException {
        hbase.conf.unset(Settings.MAX_WRITE_BYTES);
        MediatorClient mediator = new MediatorWorld(hbase, 8, Tracer.OFF).client("snapshot");
        TransactionalTable shared = mediator.table(hbase.mediatedTable(1));
        Transaction tx = mediator.begin();
        String most = "x".repeat(RemoteOracle.LARGEST_WRITES - 1_000);
        for (int i = 0; i < 3; i++) {
            shared.put(tx, put("r", "a", most));
        }
        assertThrows(IllegalArgumentException.class, () -> shared.put(tx, List.of(put("r", "b", "1"), put("r", "c", most))));
        shared.put(tx, List.of(put("r", "a", "1"), put("r", "d", "1")));
        tx.commit();
        try (Transaction after = mediator.begin()) {
            assertEquals("f:a=1 f:d=1", show(shared.get(after, get("r").addColumn(F, new byte[] {'a'}).addColumn(F, new byte[] {'b'})
                    .addColumn(F, new byte[] {'d'}))));
        }
    }

    // ---- after the commit entry

    /** On the committing thread, and on one of its own. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aPostCommitThatFailsFailsNoCommit(int threads) {
        hbase.conf.setInt(Settings.POST_COMMIT_THREADS, threads);
        for (String call : List.of("store.putCommitCells", "commitTable.remove")) {
            for (Throwable failure : List.of(new RejectedExecutionException("for a test"), new OutOfMemoryError("for a test"))) {
                TransactionClient failing = hbase.client(Tap.onceBefore(call, () -> sneak(failure)).seams());
                TransactionalTable same = failing.table(table.name());
                for (String row : List.of("q", "r")) {
                    Transaction tx = commit(failing, same, row, call);
                    assertEquals(TransactionStatus.COMMITTED, tx.status());
                    assertEquals("f:a=" + call, readNow(row));
                }
                failing.close();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anExceptionBetweenCommitEntryAndAnswerLeavesTheOutcomeUnknown(boolean written) {
        Runnable fail = () -> sneak(new RejectedExecutionException("for a test"));
        String call = "commitTable.checkAndMutate";
        TransactionClient failing = hbase.client((written ? Tap.onceAfter(call, fail) : Tap.onceBefore(call, fail)).seams());
        TransactionalTable same = failing.table(table.name());
        Transaction tx = failing.begin();
        same.put(tx, put("r", "a", "1"));
        OutcomeUnknownException unknown = assertThrows(OutcomeUnknownException.class, tx::commit);
        assertEquals(TransactionStatus.UNKNOWN, tx.status());
        assertThrows(TransactionException.class, tx::rollback);
        tx.close();
        assertEquals(TransactionStatus.COMMITTED, client.resolve(unknown.startTs(), unknown.commitTs()));
        assertEquals("f:a=1", readNow("r"));
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable failure) throws E {
        throw (E) failure;
    }
}
