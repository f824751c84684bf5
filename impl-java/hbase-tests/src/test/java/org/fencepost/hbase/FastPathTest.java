package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.delete;
import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.scan;
import static org.fencepost.hbase.Fixture.show;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.client.FastOutcomeUnknownException;
import org.fencepost.hbase.client.FastPath;
import org.fencepost.hbase.client.FastTable;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.FastPathAbortedException;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.fastpath.FastAbortCause;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.Write;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The guards of specs/FastPath.tla, one by one, on a real HBase of two region servers. */
@ExtendWith(Fixture.Extension.class)
class FastPathTest {

    private static final long SPAN = 1 << 20;
    private static final Versions VERSIONS = new Versions(SPAN, Versions.LEVELS);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Fixture hbase;
    private TransactionClient client;
    private TableName name;
    private TransactionalTable table;
    private FastTable fast;

    @BeforeEach
    void setUp(Fixture fixture) throws Exception {
        hbase = fixture.withSpan(SPAN);
        hbase.conf.set(Settings.COMMIT, "long"); // OnePhaseTest has the short way
        client = hbase.client();
        name = hbase.fastTable(1);
        table = client.table(name);
        fast = client.fastTable(name);
    }

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    private static Get column(String row) {
        return Fixture.get(row).addColumn(Fixture.F, Bytes.toBytes("a"));
    }

    private CellKey key(String row) {
        return new CellKey(name, Bytes.toBytes(row), Fixture.F, Bytes.toBytes("a"));
    }

    private static Write<byte[]> value(String value) {
        return Write.of(Bytes.toBytes(value));
    }

    private String read(Transaction tx, String row) {
        return show(table.get(tx, column(row)));
    }

    private String fastRead(String row) {
        return show(fast.read(column(row)));
    }

    private long fastWrite(String row, String value) {
        return fast.write(put(row, "a", value));
    }

    private Transaction commit(String row, String value) {
        return Fixture.commit(client, table, row, value);
    }

    private Transaction pending(String row, String value) {
        return Fixture.pending(client, table, row, value);
    }

    /** Commits without post-commit, as a client does that dies. */
    private Transaction commitAndDie(String row, String value) {
        Transaction tx = client.begin();
        table.put(tx, put(row, "a", value));
        Internals.protocol(client).commit(Internals.state(tx));
        return tx;
    }

    private static void refused(FastAbortCause cause, org.junit.jupiter.api.function.Executable call) {
        assertEquals(cause, assertThrows(FastPathAbortedException.class, call).abortCause());
    }

    private static void refusedPut(Transaction tx) {
        assertEquals(AbortCause.REFUSED, assertThrows(TransactionAbortedException.class, tx::commit).abortCause());
    }

    @Test
    void readsAndWrites() {
        assertEquals("", fastRead("r"));
        long first = fastWrite("r", "1");
        assertEquals("f:a=1", fastRead("r"));
        long second = fast.readModifyWrite(column("r"), row -> put("r", "a", Bytes.toString(row.value()) + "2"));
        assertTrue(second > first);
        assertEquals(0, fast.readModifyWrite(column("r"), row -> null));
        try (Transaction tx = client.begin()) {
            assertTrue(tx.startTimestamp() > second);
            assertEquals("f:a=12", read(tx, "r"));
        }
        fast.write(delete("r", "a"));
        assertEquals("", fastRead("r"));
        try (Transaction tx = client.begin()) {
            assertEquals("", read(tx, "r"));
        }
        Transaction regular = commit("r", "3");
        assertEquals("f:a=3", fastRead("r"));
        assertTrue(fast.readModifyWrite(column("r"), row -> put("r", "a", "4")) > regular.commitTimestamp(),
                "br tells of a regular record what wc compares");
        assertEquals("f:a=4", fastRead("r"));
    }

    /** VLDB'18 fig. 3. */
    @Test
    void aRegularWriterConflictsWithAFastOneThatItDidNotSee() {
        Transaction tx = client.begin();
        assertEquals("", read(tx, "r"));
        long version = fastWrite("r", "1");
        assertTrue(version > tx.startTimestamp(), "the read has lifted the clock");
        table.put(tx, put("r", "a", "2"));
        refusedPut(tx);
        assertEquals("f:a=1", fastRead("r"));
        assertEquals(List.of("r/a@" + version + "=1"), stored());
    }

    private List<String> stored() {
        try {
            return hbase.stored(name);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void aBatchIsRefusedForOneOfItsRows() {
        Transaction tx = client.begin();
        read(tx, "s");
        fastWrite("s", "1");
        for (String row : List.of("r", "s", "t")) {
            table.put(tx, put(row, "a", "2"));
        }
        refusedPut(tx);
        assertEquals("", fastRead("r"));
        assertEquals(1, stored().size(), "the others are cleaned up");
    }

    @Test
    void aPutIsRefusedThoughATentativeRecordHidesTheNewerCommit() {
        Transaction tx = client.begin();
        assertEquals("", read(tx, "r"));
        fastWrite("r", "1");
        pending("r", "3");
        table.put(tx, put("r", "a", "2"));
        refusedPut(tx);
    }

    /** The janitor must not ask the commit table about them: it does not know them. */
    @Test
    void aFastWriteIsNoLeftover() throws Exception {
        fastWrite("r", "1");
        assertEquals(0, hbase.janitor(client).leftovers());
        hbase.expireAll();
        hbase.janitor(client).pass();
        hbase.compact(name);
        assertEquals("f:a=1", fastRead("r"));
    }

    @Test
    void aReadStaysTheSame() throws Exception {
        Transaction tx = client.begin();
        assertEquals("", read(tx, "r"));
        fastWrite("r", "1");
        assertEquals("", read(tx, "r"));
        Transaction scanning = client.begin();
        assertEquals(List.of("r{f:a=1}"), scan(table, scanning, new Scan()));
        fastWrite("q", "2");
        fastWrite("r", "3");
        assertEquals(List.of("r{f:a=1}"), scan(table, scanning, new Scan()));
    }

    @Test
    void aTentativeRecordThatMayCommitIsNotPassed() {
        Transaction tx = pending("r", "1");
        refused(FastAbortCause.TENTATIVE_VERSION, () -> fastWrite("r", "2"));
        assertEquals("", fastRead("r"), "tentative records are ignored");
        tx.rollback();
        fastWrite("r", "2");
    }

    @Test
    void aTentativeRecordBelowACommittedOneBlocksNobody() {
        pending("r", "1");
        commit("r", "2");
        fastWrite("r", "3");
        assertEquals("f:a=3", fastRead("r"));
    }

    @Test
    void aCommittedRecordUnderATentativeOneIsRead() {
        for (int i = 0; i < 5; i++) {
            commit("r", "old" + i);
        }
        for (int i = 0; i < 5; i++) {
            pending("r", "new" + i);
        }
        assertEquals("f:a=old4", fastRead("r"));
        refused(FastAbortCause.TENTATIVE_VERSION,
                () -> fast.readModifyWrite(column("r"), row -> put("r", "a", "2")));
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=old4", read(tx, "r"));
        }
        assertEquals("f:a=old4", fastRead("r"));
    }

    @Test
    void aFastWriteComesAfterTheCommitsOfTheKey() throws Exception {
        long commit = commit("post", "1").commitTimestamp();
        assertTrue(fastWrite("post", "2") > commit, "post-commit has lifted the clock");

        Transaction writer = client.begin();
        Transaction reader = client.begin();
        table.put(writer, put("reader", "a", "1"));
        Internals.protocol(client).commit(Internals.state(writer));
        commit = writer.commitTimestamp();
        assertEquals("", read(reader, "reader"), "it has committed after the snapshot");
        assertTrue(fastWrite("reader", "2") > commit, "the reader that healed has lifted the clock");

        commit = commitAndDie("janitor", "1").commitTimestamp();
        hbase.expireAll();
        hbase.janitor(client).pass();
        assertTrue(fastWrite("janitor", "2") > commit, "the janitor that healed has lifted the clock");

        commit = commitAndDie("compaction", "1").commitTimestamp();
        hbase.expireAll();
        Internals.commitTable(client).raiseWatermark(hbase.manager.collectableBelow());
        hbase.compact(name);
        assertTrue(fastWrite("compaction", "2") > commit, "the compaction that healed has lifted the clock");
    }

    @Test
    void whatWasWrittenAfterTheReadIsNotOverwritten() throws Exception {
        FastPath path = Internals.fastPath(client);
        Record<byte[]> nothing = path.br(key("r"), VERSIONS);
        fastWrite("r", "1");
        refused(FastAbortCause.VERSION_MOVED, () -> path.wc(key("r"), VERSIONS, nothing, value("2")));
        Record<byte[]> first = path.br(key("r"), VERSIONS);
        commit("r", "3");
        refused(FastAbortCause.VERSION_MOVED, () -> path.wc(key("r"), VERSIONS, first, value("4")));
        assertEquals("f:a=3", fastRead("r"));

        Record<byte[]> third = path.br(key("r"), VERSIONS);
        fast.write(delete("r", "a"));
        for (int i = 0; i < 2; i++) {
            hbase.expireAll();
            hbase.janitor(client).pass();
            hbase.compact(name);
        }
        assertEquals(List.of(), stored(), "the deletion was collected");
        refused(FastAbortCause.VERSION_MOVED, () -> path.wc(key("r"), VERSIONS, third, value("5")));
        path.wc(key("r"), VERSIONS, path.br(key("r"), VERSIONS), value("6"));
        assertEquals("f:a=6", fastRead("r"));
    }

    @Test
    void aTombstoneIsKeptForLiveReaders() throws Exception {
        Transaction reader = client.begin();
        assertEquals("", read(reader, "r"));
        long version = fast.write(delete("r", "a"));
        hbase.janitor(client).pass();
        hbase.compact(name);
        assertEquals(List.of("r/a@" + version + "=TOMBSTONE"), stored());
        table.put(reader, put("r", "a", "1"));
        refusedPut(reader);
    }

    // ---- fast-path writes in flight

    private Future<Long> write(String row, String value) {
        return threads.submit(() -> fastWrite(row, value));
    }

    private <T> T waitsFor(Stall.Point stalled, Callable<T> read) throws Exception {
        Future<T> answer = threads.submit(read);
        Thread.sleep(500); // it has every chance to go wrong
        assertFalse(answer.isDone(), "it must wait for the write in flight");
        stalled.close();
        return answer.get();
    }

    @Test
    void aReadWaitsForOlderWritesInFlight() throws Exception {
        try (Stall.Point stalled = Stall.next()) {
            Future<Long> write = write("r", "1");
            stalled.awaitReached();
            Transaction tx = client.begin();
            assertEquals("f:a=1", waitsFor(stalled, () -> read(tx, "r")));
            assertTrue(write.get() < tx.startTimestamp());
        }
    }

    @Test
    void aScanWaitsForOlderWritesInFlight() throws Exception {
        try (Stall.Point stalled = Stall.next()) {
            write("r", "1");
            stalled.awaitReached();
            Transaction tx = client.begin();
            assertEquals(List.of("r{f:a=1}"), waitsFor(stalled, () -> scan(table, tx, new Scan())));
        }
    }

    @Test
    void aReadDoesNotWaitForLaterWrites() throws Exception {
        Transaction tx = client.begin();
        assertEquals("", read(tx, "r"));
        try (Stall.Point stalled = Stall.next()) {
            write("r", "1");
            stalled.awaitReached();
            assertEquals("", threads.submit(() -> read(tx, "r")).get());
            assertEquals(List.of(), threads.submit(() -> scan(table, tx, new Scan().setReversed(true))).get());
            assertEquals("", fastRead("r"));
        }
    }

    @Test
    void aRegularPutWaitsForTheWriteInFlightAndSeesIt() throws Exception {
        Transaction tx = client.begin();
        assertEquals("", read(tx, "r"));
        try (Stall.Point stalled = Stall.next()) {
            write("r", "1");
            stalled.awaitReached();
            table.put(tx, put("r", "a", "2"));
            waitsFor(stalled, () -> {
                refusedPut(tx);
                return null;
            });
        }
    }

    @Test
    void aWriteWhoseAnswerIsLostIsNotSentAgain() {
        Stall.loseNextAnswer();
        assertThrows(FastOutcomeUnknownException.class, () -> fastWrite("r", "1"));
        assertEquals(1, stored().size(), "once");
        assertEquals("f:a=1", fastRead("r"));
    }

    @Test
    void anUnansweredWriteIsNotSentAgain() throws Exception {
        hbase.conf.setInt(Settings.TIMEOUT, 2_000);
        FastTable hasty = hbase.client().fastTable(name);
        try (Stall.Point stalled = Stall.next()) {
            assertThrows(FastOutcomeUnknownException.class, () -> hasty.write(put("r", "a", "1")));
        }
        fastWrite("r", "2"); // behind the first one's row lock
        assertEquals("f:a=2", fastRead("r"));
        assertEquals(2, stored().stream().filter(cell -> cell.startsWith("r/a@")).count());
    }
}
