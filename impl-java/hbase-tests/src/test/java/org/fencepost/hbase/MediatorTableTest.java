package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.F;
import static org.fencepost.hbase.Fixture.get;
import static org.fencepost.hbase.Fixture.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.MediatorClient;
import org.fencepost.hbase.client.MediatorWriteBack;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.hbase.server.MediatorObserver;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.trace.Tracer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mediator's transactions beside HBase clients that know nothing of them. Column f:a holds a user's status. */
@ExtendWith(Fixture.Extension.class)
class MediatorTableTest {

    private static final long SPAN = 8;
    private static final String SNAPSHOT = "snapshot";
    private static final String SERIALIZABLE = "serializable";

    private MediatorWorld world;
    private TableName name;

    @BeforeEach
    void setUp(Fixture fixture) throws IOException {
        world = new MediatorWorld(fixture, SPAN, Tracer.OFF);
        name = fixture.mediatedTable(2);
    }

    /** Columns a, b and c of a row, and the one without qualifier. */
    private static String read(TransactionalTable table, Transaction tx, String row) {
        return Fixture.show(table.get(tx, columns(row, "", "a", "b", "c")));
    }

    private static Get columns(String row, String... qualifiers) {
        Get get = get(row);
        for (String qualifier : qualifiers) {
            get.addColumn(F, Bytes.toBytes(qualifier));
        }
        return get;
    }

    private static AbortCause refusal(Transaction tx) {
        return assertThrows(TransactionAbortedException.class, tx::commit).abortCause();
    }

    // ---- SYSTOR'14 section 1: a status that a user posts, or the system speculates

    /** Fig. 2b: the user posts before the system's transaction is checked. */
    @ParameterizedTest
    @ValueSource(strings = {SNAPSHOT, SERIALIZABLE})
    void aStatusThatTheUserPostedIsNotOverwritten(String isolation) throws Exception {
        MediatorClient client = world.client(isolation);
        TransactionalTable table = client.table(name);
        world.put(name, "0", "a", "at home");
        Transaction tx = client.begin();
        assertEquals("f:a=at home", read(table, tx, "0"));
        world.put(name, "0", "a", "on my way");
        table.put(tx, put("0", "a", "asleep"));
        assertEquals(AbortCause.NATIVE_CONFLICT, refusal(tx));
        assertEquals("f:a=on my way", world.get(name, "0"));
    }

    /** Fig. 2c: the user posts when the transaction is in the log and not yet written back. Nobody sees its status later. */
    @ParameterizedTest
    @ValueSource(strings = {SNAPSHOT, SERIALIZABLE})
    void aStatusThatTheUserPostsWhileItCommitsComesAfterIt(String isolation) throws Exception {
        world.put(name, "0", "a", "at home");
        MediatorClient client = world.client(isolation, new Internals.MediatorSeams(servers -> new ServersInBetween(servers) {
            @Override
            void beforeWriteBack() throws IOException {
                world.put(name, "0", "a", "on my way");
                assertEquals("f:a=on my way", world.get(name, "0"));
            }
        }, Tracer.OFF));
        TransactionalTable table = client.table(name);
        Transaction tx = client.begin();
        assertEquals("f:a=at home", read(table, tx, "0"));
        table.put(tx, put("0", "a", "asleep"));
        tx.commit();
        assertEquals("f:a=on my way", world.get(name, "0"));
        assertTrue(world.lastVersion(name, "0") > tx.commitTimestamp());
        try (Transaction after = client.begin()) {
            assertEquals("f:a=on my way", read(table, after, "0"));
        }
    }

    /** It may be there when the region is opened from that log: so no transaction finds out that it is not. */
    @Test
    void aPutThatFailsInTheLogIsInFlightUntilItsRegionIsClosed(Fixture fixture) throws Exception {
        isInFlightUntilItsRegionIsClosed(fixture, () -> {
            try (Connection impatient = ConnectionFactory.createConnection(impatient(fixture)); Table raw = impatient.getTable(name)) {
                return assertThrows(IOException.class, () -> raw.put(put("0", "a", "on my way")));
            }
        });
    }

    /** The same for a transaction that is one put. */
    @Test
    void aPutTransactionThatFailsInTheLogIsInFlightUntilItsRegionIsClosed(Fixture fixture) throws Exception {
        MediatorClient client = world.client(SNAPSHOT);
        isInFlightUntilItsRegionIsClosed(fixture, () -> {
            Transaction one = client.begin();
            client.table(name).put(one, put("0", "a", "on my way"));
            return assertThrows(OutcomeUnknownException.class, one::commit);
        });
    }

    private void isInFlightUntilItsRegionIsClosed(Fixture fixture, Callable<?> fails) throws Exception {
        MediatorClient client = world.client(SNAPSHOT);
        TransactionalTable table = client.table(name);
        try (Admin admin = fixture.connection.getAdmin()) {
            FailingLog.in(admin, name);
            world.put(name, "0", "a", "at home");
            FailingLog.fails(true);
            fails.call();
            FailingLog.fails(false);
            Transaction tx = client.begin();
            assertThrows(StoreException.class, () -> read(table, tx, "0"));
            admin.disableTable(name);
            admin.enableTable(name);
            assertEquals("f:a=at home", read(table, client.begin(), "0"));
        } finally {
            FailingLog.fails(false);
        }
    }

    private static Configuration impatient(Fixture fixture) {
        Configuration conf = new Configuration(fixture.conf);
        conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
        return conf;
    }

    // ---- isolation

    /** Two transactions read both rows, and each writes one. */
    @Test
    void writeSkewAppearsUnderSnapshotIsolationAndNotUnderSerializability() throws Exception {
        for (String isolation : List.of(SNAPSHOT, SERIALIZABLE)) {
            MediatorClient client = world.client(isolation);
            TransactionalTable table = client.table(name);
            world.put(name, "0", "a", "on call");
            world.put(name, "1", "a", "on call");
            Transaction first = client.begin();
            Transaction second = client.begin();
            for (Transaction tx : List.of(first, second)) {
                assertEquals("f:a=on call", read(table, tx, "0"));
                assertEquals("f:a=on call", read(table, tx, "1"));
            }
            table.put(first, put("0", "a", "off"));
            table.put(second, put("1", "a", "off"));
            first.commit();
            if (isolation.equals(SNAPSHOT)) {
                second.commit();
                assertEquals("f:a=off", world.get(name, "0"));
            } else {
                assertEquals(AbortCause.CONFLICT, refusal(second));
            }
            assertEquals(isolation.equals(SNAPSHOT) ? "f:a=off" : "f:a=on call", world.get(name, "1"));
        }
    }

    /** Under serializability what was only read is checked for native puts, too, of transactions that write nothing as well. */
    @Test
    void aReadOnlyTransactionIsValidated() throws Exception {
        world.put(name, "0", "a", "1");
        MediatorClient client = world.client(SERIALIZABLE);
        TransactionalTable table = client.table(name);
        try (Transaction tx = client.begin()) {
            read(table, tx, "0");
            tx.commit();
        }
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=1", Fixture.show(table.get(tx, columns("0", "a"))));
            world.put(name, "0", "b", "a column that it has not read");
            tx.commit();
        }
        Transaction tx = client.begin();
        assertEquals("f:a=1", Fixture.show(table.get(tx, columns("0", "a", "c"))));
        world.put(name, "0", "c", "a column that it has read");
        assertEquals(AbortCause.NATIVE_CONFLICT, refusal(tx));
    }

    @Test
    void aSnapshotStays() throws Exception {
        world.put(name, "0", "a", "1", "b", "1");
        MediatorClient client = world.client(SNAPSHOT);
        TransactionalTable table = client.table(name);
        Transaction tx = client.begin();
        assertEquals("f:a=1 f:b=1", read(table, tx, "0"));
        world.put(name, "0", "a", "2");
        world.delete(name, new Delete(Bytes.toBytes("0")).addColumns(F, Bytes.toBytes("b")));
        assertEquals("f:a=2", world.get(name, "0"));
        assertEquals("f:a=1 f:b=1", read(table, tx, "0"));
        assertEquals("f:b=1", Fixture.show(table.get(tx, columns("0", "b"))));
        tx.commit();
        try (Transaction after = client.begin()) {
            assertEquals("f:a=2", read(table, after, "0"));
        }
    }

    @Test
    void nativeClientsSeeNothingThatIsNotCommittedAndTransactionsSeeTheirOwn() throws Exception {
        world.put(name, "0", "a", "1", "b", "1");
        MediatorClient client = world.client(SNAPSHOT);
        TransactionalTable table = client.table(name);
        Transaction tx = client.begin();
        table.put(tx, put("0", "a", "2"));
        table.delete(tx, Fixture.delete("0", "b"));
        table.put(tx, put("1", "c", "3"));
        assertEquals("f:a=2", read(table, tx, "0"));
        assertEquals("f:a=1 f:b=1", world.get(name, "0"));
        assertEquals("", world.get(name, "1"));
        tx.commit();
        assertEquals("f:a=2", world.get(name, "0"));
        assertEquals("f:c=3", world.get(name, "1"));
    }

    /** A transaction of one column and no read is a native put, or a deletion. */
    @Test
    void aPutTransactionIsOneNativePut() throws Exception {
        world.put(name, "0", "a", "1");
        MediatorClient client = world.client(SERIALIZABLE);
        TransactionalTable table = client.table(name);
        for (String value : List.of("f:a=2", "")) {
            Transaction tx = client.begin();
            if (value.isEmpty()) {
                table.delete(tx, Fixture.delete("0", "a"));
            } else {
                table.put(tx, put("0", "a", "2"));
            }
            tx.commit();
            assertEquals(value, world.get(name, "0"));
            assertEquals(tx.commitTimestamp(), world.lastVersion(name, "0"));
            assertTrue(tx.commitTimestamp() > tx.startTimestamp());
            assertTrue(tx.commitTimestamp() % SPAN != 0, "a stamp: " + tx.commitTimestamp());
            assertEquals(List.of(), world.tso.active());
        }
    }

    // ---- fences

    /** A native put that was stamped before a fence is waited for, by readers and by the check, and by nobody else. */
    @Test
    void whoLooksBehindAFenceWaitsForOlderPuts() throws Exception {
        world.put(name, "0", "a", "1");
        MediatorClient client = world.client(SNAPSHOT);
        TransactionalTable table = client.table(name);
        Transaction writer = client.begin();
        read(table, writer, "0");
        table.put(writer, put("0", "a", "3"));
        CompletableFuture<String> read;
        CompletableFuture<AbortCause> checked;
        CompletableFuture<Void> posted;
        try (StallPut.Point stall = StallPut.at("0")) {
            posted = CompletableFuture.runAsync(() -> post("2"));
            stall.awaitReached();
            assertEquals("f:a=1", world.get(name, "0"), "a native get waits for nobody");
            Transaction reader = client.begin();
            read = CompletableFuture.supplyAsync(() -> read(table, reader, "0"));
            checked = CompletableFuture.supplyAsync(() -> refusal(writer));
            world.put(name, "1", "a", "another row");
            assertEquals("f:a=another row", read(table, client.begin(), "1"));
            Thread.sleep(500); // so that whoever does not wait has looked by now
        }
        assertEquals("f:a=2", read.get(30, TimeUnit.SECONDS));
        assertEquals(AbortCause.NATIVE_CONFLICT, checked.get(30, TimeUnit.SECONDS));
        posted.get(30, TimeUnit.SECONDS);
    }

    private void post(String value) {
        try {
            world.put(name, "0", "a", value);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The servers of what is only written are fenced, too: what is put there natively after the commit is not lost in the past. */
    @ParameterizedTest
    @ValueSource(strings = {SNAPSHOT, SERIALIZABLE})
    void aNativePutAfterATransactionIsStampedAfterIt(String isolation) throws Exception {
        MediatorClient client = world.client(isolation);
        TransactionalTable table = client.table(name);
        Transaction tx = client.begin();
        table.put(tx, put("0", "a", "1"));
        table.put(tx, put("1", "a", "1"));
        tx.commit();
        for (String row : List.of("0", "1")) {
            world.put(name, row, "a", "2");
            assertTrue(world.lastVersion(name, row) > tx.commitTimestamp());
            assertEquals("f:a=2", world.get(name, row));
        }
    }

    /** HBase keeps both deletions in the column without qualifier, at the same timestamp, and never got past them in a file. */
    @Test
    void aCheckPassesADeletionOfFamilyAndColumn() throws Exception {
        MediatorClient client = world.client(SNAPSHOT);
        TransactionalTable table = client.table(name);
        byte[] none = new byte[0];
        try (Table plain = world.hbase.connection.getTable(name)) {
            plain.put(put("0", "", "1", "a", "1"));
            plain.delete(new Delete(Bytes.toBytes("0")).addFamily(F).addColumns(F, none));
            Transaction tx = client.begin();
            assertEquals("", read(table, tx, "0"));
            plain.put(put("0", "z", "1")); // so that the check has to look at the row, and at the file
            world.hbase.flush(name);
            table.put(tx, put("0", "", "2"));
            assertTimeoutPreemptively(Duration.ofSeconds(30), tx::commit);
            plain.delete(new Delete(Bytes.toBytes("0")).addFamily(F));
            plain.put(put("0", "", "3"));
            Transaction late = client.begin();
            assertEquals("f:=3", read(table, late, "0"));
            plain.put(put("0", "", "4"));
            plain.delete(new Delete(Bytes.toBytes("0")).addFamily(F));
            plain.put(put("0", "", "5"));
            table.put(late, put("0", "a", "2"));
            assertEquals(AbortCause.NATIVE_CONFLICT, refusal(late), "a deletion of the family below a put in the column without qualifier");
        }
    }

    /** What a reader has not seen is stamped after its start, wherever the region is, and however many puts come. */
    @Test
    void stampsGrowWhereverTheRegionIs() throws Exception {
        MediatorClient client = world.client(SNAPSHOT);
        TransactionalTable table = client.table(name);
        List<Long> versions = new ArrayList<>();
        for (int round = 0; round < 4; round++) {
            for (int i = 0; i < 2 * SPAN; i++) {
                world.put(name, "0", "a", "" + i);
                versions.add(world.lastVersion(name, "0"));
            }
            Transaction tx = client.begin();
            assertTrue(versions.get(versions.size() - 1) < tx.startTimestamp(), "lost in the future");
            read(table, tx, "0");
            world.hbase.move(name, "0");
            world.put(name, "0", "a", "after");
            versions.add(world.lastVersion(name, "0"));
            assertTrue(versions.get(versions.size() - 1) > tx.startTimestamp(), "lost in the past");
        }
        assertEquals(versions.stream().sorted().distinct().toList(), versions);
        assertTrue(versions.stream().noneMatch(version -> version % SPAN == 0), versions.toString());
    }

    /** Native puts wait for the transaction manager where they must; they are not lost, and gets and transactions go on. */
    @Test
    void whileNobodyTellsTheTimeNativePutsWait() throws Exception {
        MediatorClient client = world.client(SNAPSHOT);
        TransactionalTable table = client.table(name);
        world.put(name, "0", "a", "1");
        world.hbase.managerDown();
        world.hbase.move(name, "0");
        CompletableFuture<Void> posted = CompletableFuture.runAsync(() -> post("3"));
        assertEquals("f:a=1", world.get(name, "0"));
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=1", read(table, tx, "0"));
            table.put(tx, put("0", "a", "2"));
            tx.commit();
        }
        assertEquals("f:a=2", world.get(name, "0"));
        world.hbase.managerUp();
        posted.get(60, TimeUnit.SECONDS);
        assertEquals("f:a=3", world.get(name, "0"));
    }

    // ---- the oracle, its helper, and readers

    /** What is in the log and not written back is waited for, then given up; the helper writes it back. */
    @Test
    void aReaderWaitsForWhatIsCommitted() throws Exception {
        world.put(name, "0", "a", "1");
        MediatorClient dying = world.client(SNAPSHOT, new Internals.MediatorSeams(servers -> new ServersInBetween(servers) {
            @Override
            void beforeWriteBack() {
                throw new IllegalStateException("dies");
            }
        }, Tracer.OFF));
        Transaction tx = dying.begin();
        TransactionalTable table = dying.table(name);
        read(table, tx, "0");
        table.put(tx, put("0", "a", "2"));
        table.put(tx, put("1", "a", "2"));
        assertThrows(IllegalStateException.class, tx::commit);

        MediatorClient client = world.client(SNAPSHOT);
        TransactionalTable same = client.table(name);
        Transaction reader = client.begin();
        assertEquals(AbortCause.UNREADABLE,
                assertThrows(TransactionAbortedException.class, () -> read(same, reader, "0")).abortCause());
        assertEquals("f:a=1", world.get(name, "0"), "a native get takes what is there");
        world.tso.settle(world::writeBack);
        assertEquals("f:a=2", world.get(name, "1"));
        assertEquals("f:a=2", read(same, client.begin(), "0"));
    }

    private interface Meanwhile {
        void happens() throws IOException;
    }

    /** Writes column b in a transaction; when that is in the log, and not yet written back, somebody puts column a natively, at a later stamp. */
    private void commitAcross(String isolation, Meanwhile meanwhile) throws IOException {
        world.put(name, "0", "a", "1", "b", "1");
        MediatorClient client = world.client(isolation, new Internals.MediatorSeams(servers -> new ServersInBetween(servers) {
            @Override
            void beforeWriteBack() throws IOException {
                world.put(name, "0", "a", "3");
                meanwhile.happens();
            }
        }, Tracer.OFF));
        TransactionalTable table = client.table(name);
        Transaction writer = client.begin();
        read(table, writer, "1");
        table.put(writer, put("0", "b", "2"));
        writer.commit();
    }

    /** The native version of the row does not stand for the one that is due. */
    @Test
    void anotherColumnsVersionIsNotTheOneThatIsDue() throws Exception {
        MediatorClient client = world.client(SNAPSHOT);
        TransactionalTable table = client.table(name);
        List<Transaction> readers = new ArrayList<>();
        commitAcross(SNAPSHOT, () -> {
            readers.add(client.begin());
            readers.add(client.begin());
            assertEquals("f:a=3", Fixture.show(table.get(readers.get(0), columns("0", "a"))));
            assertThrows(TransactionAbortedException.class, () -> table.get(readers.get(0), columns("0", "b")), "it is due");
        });
        assertEquals("f:a=3 f:b=2", read(table, readers.get(1), "0"));
    }

    /** What a serializable transaction missed is later than what it saw of that column, whatever was put beside it. */
    @Test
    void anotherColumnsVersionDoesNotHideWhatWasMissed() throws Exception {
        MediatorClient client = world.client(SERIALIZABLE);
        TransactionalTable table = client.table(name);
        List<Transaction> readers = new ArrayList<>();
        commitAcross(SERIALIZABLE, () -> {
            readers.add(client.begin());
            assertEquals("f:a=3 f:b=1", read(table, readers.get(0), "0"));
        });
        table.put(readers.get(0), put("1", "b", "f:b=1, I saw"));
        assertThrows(TransactionAbortedException.class, readers.get(0)::commit);
    }

    @ParameterizedTest
    @ValueSource(strings = {SNAPSHOT, SERIALIZABLE})
    void columnsOfARowAreReadTogetherAndByThemselves(String isolation) throws Exception {
        world.put(name, "0", "a", "1", "b", "2");
        MediatorClient client = world.client(isolation);
        TransactionalTable table = client.table(name);
        try (Transaction tx = client.begin()) {
            assertEquals(List.of("f:b=2", "f:a=1", "", "f:a=1 f:b=2"), table.get(tx, List.of(columns("0", "b"), columns("0", "a"),
                    columns("0", "c"), columns("0", "b", "a"))).stream().map(Fixture::show).toList());
            table.put(tx, put("0", "c", "3"));
            table.delete(tx, Fixture.delete("0", "a"));
            assertEquals("f:c=3", Fixture.show(table.get(tx, columns("0", "c"))));
            assertEquals("f:b=2 f:c=3", read(table, tx, "0"));
            tx.commit();
        }
        assertEquals("f:b=2 f:c=3", world.get(name, "0"));
    }

    /** The log may have what was written to a table that is deleted by now. */
    @Test
    void aDeletedTableHoldsNobodyUp() throws Exception {
        TableName deleted = world.hbase.mediatedTable(1);
        MediatorClient dying = world.client(SNAPSHOT, new Internals.MediatorSeams(servers -> new ServersInBetween(servers) {
            @Override
            void beforeWriteBack() {
                throw new IllegalStateException("dies");
            }
        }, Tracer.OFF));
        Transaction tx = dying.begin();
        dying.table(name).put(tx, put("0", "a", "1"));
        dying.table(deleted).put(tx, put("0", "a", "1"));
        assertThrows(IllegalStateException.class, tx::commit);
        try (Admin admin = world.hbase.connection.getAdmin()) {
            admin.disableTable(deleted);
            admin.deleteTable(deleted);
        }
        try (MediatorWriteBack database = MediatorWriteBack.open(world.hbase.conf)) {
            world.tso.settle(database::writeBack);
        }
        assertEquals("f:a=1", world.get(name, "0"));
    }

    /** A client whose record is not in the log when the oracle fails is aborted; who is in there is written back. */
    @Test
    void anotherOracleTakesOver() throws Exception {
        MediatorClient client = world.client(SNAPSHOT);
        TransactionalTable table = client.table(name);
        Transaction before = client.begin();
        read(table, before, "0");
        table.put(before, put("0", "a", "1"));
        world.tso.kill();
        world.put(name, "1", "a", "native puts go on");
        world.tso.recover(world::writeBack);
        assertEquals(AbortCause.BELOW_WATERMARK, refusal(before));
        Transaction after = client.begin();
        assertTrue(world.lastVersion(name, "1") < after.startTimestamp());
        table.put(after, put("0", "a", "2"));
        table.put(after, put("1", "a", "2"));
        after.commit();
        assertEquals("f:a=2", world.get(name, "0"));
    }

    // ---- what native clients may do

    @Test
    void batchesAndDeletions() throws Exception {
        world.nativeClient(name, table -> {
            table.put(List.of(put("0", "a", "1", "b", "1"), put("1", "a", "1"), put("0", "a", "2")));
            RowMutations row = new RowMutations(Bytes.toBytes("1"));
            row.add(List.of(put("1", "b", "3"), Fixture.delete("1", "a")));
            table.mutateRow(row);
        });
        MediatorClient client = world.client(SNAPSHOT);
        TransactionalTable table = client.table(name);
        Transaction early = client.begin();
        assertEquals("f:a=2 f:b=1", read(table, early, "0"));
        assertEquals("f:b=3", read(table, early, "1"));
        world.delete(name, new Delete(Bytes.toBytes("0")));
        world.delete(name, new Delete(Bytes.toBytes("1")).addFamily(F));
        world.hbase.compact(name);
        assertEquals("", world.get(name, "0"));
        Transaction late = client.begin();
        assertEquals("", read(table, late, "0"));
        assertEquals("", read(table, late, "1"));
        assertEquals("f:a=2 f:b=1", read(table, early, "0"));
        table.put(early, put("0", "a", "4"));
        assertEquals(AbortCause.NATIVE_CONFLICT, refusal(early), "a deletion is a write");
        table.put(late, put("0", "a", "4"));
        late.commit();
        assertEquals("f:a=4", world.get(name, "0"));
        world.put(name, "1", "", "without qualifier", "a", "5");
        assertEquals("f:=without qualifier f:a=5", read(table, client.begin(), "1"));
    }

    /** A deleted row is a version, so a serializable reader of nothing is not refused for it for ever. */
    @Test
    void aDeletedRowCanBeReadAndWritten() throws Exception {
        world.put(name, "0", "a", "1");
        world.delete(name, new Delete(Bytes.toBytes("0")));
        MediatorClient client = world.client(SERIALIZABLE);
        TransactionalTable table = client.table(name);
        Transaction tx = client.begin();
        assertEquals("", read(table, tx, "0"));
        table.put(tx, put("0", "a", "2"));
        table.delete(tx, Fixture.delete("1", "a"));
        tx.commit();
        assertEquals("f:a=2", world.get(name, "0"));
    }

    @Test
    void whatIsNoPutIsRefused() {
        byte[] row = Bytes.toBytes("0");
        byte[] a = Bytes.toBytes("a");
        assertRefused("no timestamps from its clients: leave that of row 0 out.",
                table -> table.put(new Put(row).addColumn(F, a, 7, a)));
        assertRefused("no timestamps from its clients: leave that of row 0 out.", table -> table.delete(new Delete(row, 7)));
        assertRefused("no deletions of single versions: delete the column, or the family.",
                table -> table.delete(new Delete(row).addColumn(F, a)));
        assertRefused("no times to live, since its timestamps are no times of day.",
                table -> table.put(put("0", "a", "1").setTTL(1)));
        assertRefused("no increment, which reads before it writes and might miss a transaction: use a transaction.",
                table -> table.increment(new Increment(row).addColumn(F, a, 1)));
        assertRefused("no append, which reads before it writes and might miss a transaction: use a transaction.",
                table -> table.append(new Append(row).addColumn(F, a, a)));
        assertRefused("no check-and-mutate, which reads before it writes and might miss a transaction: use a transaction.",
                table -> table.checkAndMutate(CheckAndMutate.newBuilder(row).ifNotExists(F, a).build(put("0", "a", "1"))));
        MediatorClient client = world.client(SNAPSHOT);
        assertEquals("Mediator's transactions do not scan: get the rows, or scan natively.",
                assertThrows(IllegalArgumentException.class, () -> client.table(name).getScanner(client.begin(), new Scan())).getMessage());
        for (Get unnamed : List.of(get("0"), get("0").addFamily(F))) {
            assertEquals("Mediator's transactions read and delete columns by name: add them to the request for row 0.",
                    assertThrows(IllegalArgumentException.class, () -> client.table(name).get(client.begin(), unnamed)).getMessage());
        }
        assertThrows(IllegalArgumentException.class, () -> client.table(name).delete(client.begin(), new Delete(row)));
    }

    private void assertRefused(String sentence, MediatorWorld.Request request) {
        IOException refused = assertThrows(IOException.class, () -> world.nativeClient(name, request));
        assertTrue(Failures.reason(refused).endsWith(MediatorObserver.REFUSED + sentence), Failures.reason(refused));
    }

    @Test
    void tablesAndSettingsThatMakeNoSense() throws Exception {
        TableName plain = world.hbase.table();
        MediatorClient client = world.client(SNAPSHOT);
        assertEquals("HBase table " + plain + " is none of Mediator's: create it with Tables.createMediated.",
                assertThrows(InvalidTableException.class, () -> client.table(plain)).getMessage());
        TableName wide = TableName.valueOf(name + "wide");
        try (Admin admin = world.hbase.connection.getAdmin()) {
            Tables.createMediated(admin, wide, 4 * SPAN, "f");
        }
        assertEquals("HBase table " + wide + " has native puts of span " + 4 * SPAN + ", and the transaction manager leaves no room for"
                + " them: start that with a leap of " + 4 * SPAN + ".",
                assertThrows(InvalidTableException.class, () -> client.table(wide)).getMessage());
        assertEquals("fencepost.mediator.isolation is serializable or snapshot, not none.",
                assertThrows(IllegalArgumentException.class, () -> world.client("none")).getMessage());
        try (Transaction large = client.begin()) {
            for (int row = 0; row < 3; row++) {
                client.table(name).put(large, new Put(Bytes.toBytes("" + row)).addColumn(F, F, new byte[1 << 20]));
            }
            assertEquals("Transaction " + large.startTimestamp() + " would have more than 4194304 bytes in the log: split it.",
                    assertThrows(IllegalArgumentException.class,
                            () -> client.table(name).put(large, put("3", "a", "x".repeat(1 << 20)))).getMessage());
        }
        Transaction other = world.client(SNAPSHOT).begin();
        assertEquals("Transaction " + other.startTimestamp() + " was begun by another MediatorClient than the table comes from.",
                assertThrows(IllegalArgumentException.class, () -> client.table(name).get(other, columns("0", "a"))).getMessage());
    }
}
