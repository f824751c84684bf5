package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.hbase.client.Scan;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.store.Committed;
import org.fencepost.protocol.store.StoreException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The race between a writer's commit and its readers, each step of it put in the order that matters. */
@ExtendWith(Fixture.Extension.class)
class InvalidationTest {

    private Fixture hbase;
    private TransactionClient client;
    private TransactionalTable table;

    @BeforeEach
    void setUp(Fixture hbase) throws Exception {
        this.hbase = hbase;
        client = hbase.client();
        table = client.table(hbase.table());
        commit("old");
    }

    private void commit(String value) {
        try (Transaction tx = client.begin()) {
            table.put(tx, put("r", "a", value));
            tx.commit();
        }
    }

    /** Writes the tentative record now; commit alone would do it just before it asks the transaction manager. */
    private Transaction pendingWriter() {
        return Fixture.pending(client, table, "r", "new");
    }

    private String readWith(TransactionClient other) {
        try (Transaction tx = other.begin()) {
            return read(other.table(table.name()), tx, "r");
        }
    }

    private String readNow() {
        return readWith(client);
    }

    @Test
    void aReaderAbortsThePendingWriterItMeets() throws Exception {
        Transaction writer = pendingWriter();
        assertEquals("f:a=old", readNow());
        assertEquals(List.of(writer.startTimestamp() + "=-1"), hbase.entries());
        TransactionAbortedException e = assertThrows(TransactionAbortedException.class, writer::commit);
        assertEquals(AbortCause.INVALIDATED, e.abortCause());
        assertEquals("f:a=old", readNow());
        assertEquals(2, hbase.stored(table.name()).size(), "the writer removed its record");
        assertEquals(1, hbase.entries().size(), "the marker stays: a late commit entry must find it");
    }

    @Test
    void soDoesAScan() throws Exception {
        Transaction writer = pendingWriter();
        try (Transaction tx = client.begin()) {
            assertEquals(List.of("r{f:a=old}"), Fixture.scan(table, tx, new Scan()));
        }
        assertThrows(TransactionAbortedException.class, writer::commit);
    }

    @Test
    void aReaderWithGraceLetsThePendingWriterCommit() throws Exception {
        hbase.conf.setInt(Settings.GRACE, 2_000);
        TransactionClient patient = hbase.client();
        Transaction writer = pendingWriter();
        FutureTask<String> reader = new FutureTask<>(() -> readWith(patient));
        Thread thread = new Thread(reader);
        thread.start();
        while (hbase.manager.collectableBelow() == writer.startTimestamp() && thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.sleep(10);
        }
        writer.commit();
        assertEquals("f:a=old", reader.get(), "it began before the commit");
        assertEquals("f:a=new", readNow());
    }

    private TransactionalTable table(TransactionClient of) {
        return of.table(table.name());
    }

    /**
     * The record is read before post-commit, the commit table after it: both say "not committed" of a transaction that
     * is in the reader's snapshot. Only the re-read tells, and the marker that was set in vain goes again.
     */
    @Test
    void aFalseInvalidationIsRepaired() throws Exception {
        Transaction writer = pendingWriter();
        Committed<CellKey> committed = Internals.protocol(client).commit(Internals.state(writer));
        TransactionClient reader = hbase.client(Tap.onceBefore("commitTable.get", () -> Internals.protocol(client).finishCommit(committed)).seams());
        assertEquals("f:a=new", readWith(reader));
        assertEquals(List.of(), hbase.entries());
        assertEquals("f:a=new", readNow());
    }

    /** The same in a scan, whose rows have been fetched long before they are looked at. */
    @Test
    void aFalseInvalidationIsRepairedInAScan() throws Exception {
        Transaction writer = pendingWriter();
        Committed<CellKey> committed = Internals.protocol(client).commit(Internals.state(writer));
        TransactionClient reader = hbase.client(Tap.onceBefore("commitTable.get", () -> Internals.protocol(client).finishCommit(committed)).seams());
        try (Transaction tx = reader.begin()) {
            assertEquals(List.of("r{f:a=new}"), Fixture.scan(table(reader), tx, new Scan()));
        }
        assertEquals(List.of(), hbase.entries());
    }

    /** The writer's commit comes between the reader's look into the commit table and its marker. */
    @Test
    void aWriterThatIsFasterThanTheMarkerCommits() throws Exception {
        Transaction writer = pendingWriter();
        TransactionClient reader = hbase.client(Tap.onceBefore("commitTable.checkAndMutate",
                () -> Internals.protocol(client).commit(Internals.state(writer))).seams());
        assertEquals("f:a=old", readWith(reader), "it committed after this reader's snapshot");
        assertEquals("f:a=new", readNow());
        assertEquals(TransactionStatus.COMMITTED, writer.status());
    }

    @Test
    void aReaderCompletesThePostCommitOfADeadWriter() throws Exception {
        Transaction writer = pendingWriter();
        Internals.protocol(client).commit(Internals.state(writer));
        assertEquals(3, hbase.stored(table.name()).size());
        assertEquals("f:a=new", readNow());
        assertEquals(4, hbase.stored(table.name()).size(), "with its commit cell");
    }

    @Test
    void aLostAnswerOfTheCommitTableIsFoundOut() throws Exception {
        TransactionClient unlucky = hbase.client(Tap.onceAfter("commitTable.checkAndMutate", () -> {
            throw new StoreException("the answer is lost");
        }).seams());
        try (Transaction tx = unlucky.begin()) {
            table(unlucky).put(tx, put("r", "a", "new"));
            tx.commit();
            assertEquals(TransactionStatus.COMMITTED, tx.status());
        }
        assertEquals("f:a=new", readNow());
    }

    @Test
    void aCommitWhoseOutcomeIsUnknownCanBeResolvedLater() throws Exception {
        boolean[] down = {true};
        TransactionClient unlucky = hbase.client(new Tap() {
            @Override
            public void after(String call) {
                if (down[0] && call.equals("commitTable.checkAndMutate")) {
                    throw new StoreException("the answer is lost");
                }
            }
        }.seams());
        Transaction tx = unlucky.begin();
        table(unlucky).put(tx, put("r", "a", "new"));
        OutcomeUnknownException e = assertThrows(OutcomeUnknownException.class, tx::commit);
        assertEquals(TransactionStatus.UNKNOWN, tx.status());
        down[0] = false;
        assertEquals(TransactionStatus.COMMITTED, client.resolve(e.startTs(), e.commitTs()));
        assertEquals("f:a=new", readNow());
    }
}
