package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.show;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.admin.TableCheck;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.client.FastTable;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.Requests;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.FastPathAbortedException;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.fastpath.FastAbortCause;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.Write;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The clock of a region server: when it may be used, when it is used up, and what happens when its region moves. */
@ExtendWith(Fixture.Extension.class)
class FastServerTest {

    private static final long SPAN = 8;

    private Fixture hbase;

    @BeforeEach
    void setUp(Fixture fixture) {
        hbase = fixture.withSpan(SPAN);
    }

    private static Get column(String row) {
        return Fixture.get(row).addColumn(Fixture.F, Bytes.toBytes("a"));
    }

    private static FastAbortCause refusal(FastTable table, String row) {
        try {
            table.write(put(row, "a", "1"));
            return null;
        } catch (FastPathAbortedException e) {
            return e.abortCause();
        }
    }

    private static long writeAfter(FastAbortCause expected, FastTable table, String row) throws InterruptedException {
        return Fixture.writeAfter(expected, table, put(row, "a", "1"));
    }

    /** What nobody foresaw would otherwise leave the region without versions until it is opened again. */
    @Test
    void whoeverAsksForTheTimeAsksAgainAfterAnError() throws Exception {
        AtomicInteger errors = new AtomicInteger(2);
        TestManagers.up(hbase.commits, (TransactionManager) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[] {TransactionManager.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("begin") && errors.getAndDecrement() > 0) {
                        throw new LinkageError("for a test");
                    }
                    return method.invoke(hbase.manager, arguments);
                }));
        writeAfter(FastAbortCause.CLOCK_NOT_BOOTSTRAPPED, hbase.client().fastTable(hbase.fastTable(1)), "r");
        assertTrue(errors.get() < 0, "it was asked twice in vain");
    }

    @Test
    void aSequenceThatIsUsedUpIsRefusedAndComesBackByItself() throws Exception {
        TransactionClient client = hbase.client();
        FastTable fast = client.fastTable(hbase.fastTable(1));
        List<Long> versions = new ArrayList<>();
        versions.add(fast.write(put("r", "a", "1")));
        for (int round = 0; round < 3; round++) {
            hbase.managerDown(); // else the server asks before the last version is drawn
            FastPathAbortedException e = assertThrows(FastPathAbortedException.class, () -> {
                for (int i = 0; i <= 2 * SPAN; i++) {
                    versions.add(fast.write(put("r", "a", "1")));
                }
            });
            assertEquals(FastAbortCause.SEQUENCE_EXHAUSTED, e.abortCause());
            hbase.managerUp();
            versions.add(writeAfter(FastAbortCause.SEQUENCE_EXHAUSTED, fast, "r"));
        }
        assertEquals(versions.stream().sorted().distinct().toList(), versions);
        assertTrue(versions.stream().noneMatch(version -> version % SPAN == 0), versions.toString());
        try (Transaction after = client.begin()) {
            assertTrue(versions.get(versions.size() - 1) < after.startTimestamp());
        }
    }

    @Test
    void whileTheTransactionManagerIsAwayOnlyFastWritesWait() throws Exception {
        TransactionClient client = hbase.client();
        TableName name = hbase.fastTable(1);
        TransactionalTable table = client.table(name);
        FastTable fast = client.fastTable(name);
        assertEquals(null, refusal(fast, "r"));
        hbase.managerDown();
        assertEquals(null, refusal(fast, "r"), "it has asked before");
        hbase.move(name, "r");
        assertEquals(FastAbortCause.CLOCK_NOT_BOOTSTRAPPED, refusal(fast, "r"));
        assertEquals("f:a=1", show(fast.read(column("r"))));
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=1", show(table.get(tx, column("r"))));
            table.put(tx, put("r", "a", "2"));
            tx.commit();
        }
        assertEquals("f:a=2", show(fast.read(column("r"))));
        assertEquals(FastAbortCause.CLOCK_NOT_BOOTSTRAPPED, refusal(fast, "r"), "a regular transaction does not tell the time");
        hbase.managerUp();
        writeAfter(FastAbortCause.CLOCK_NOT_BOOTSTRAPPED, fast, "r");
    }

    /** Each server has a clock of its own; that of the new one may be behind. */
    @Test
    void versionsGrowWhereverTheRegionIs() throws Exception {
        TransactionClient client = hbase.client();
        TableName name = hbase.fastTable(1);
        FastTable fast = client.fastTable(name);
        long before = 0;
        for (int round = 0; round < 6; round++) {
            for (int i = 0; i < 4; i++) {
                long version = writeAfter(FastAbortCause.SEQUENCE_EXHAUSTED, fast, "r");
                assertTrue(version > before, version + " after " + before);
                before = version;
            }
            try (Transaction tx = client.begin()) {
                assertEquals("f:a=1", show(client.table(name).get(tx, column("r"))), "lifts this server's clock only");
            }
            hbase.move(name, "r");
        }
    }

    @Test
    void refusedIsDoneAsARegularTransactionIfAsked() throws Exception {
        TransactionClient client = hbase.client();
        TableName name = hbase.fastTable(1);
        FastTable fast = client.fastTable(name);
        Transaction pending = client.begin();
        client.table(name).put(pending, put("r", "a", "1"));
        Internals.protocol(client).write(Internals.state(pending));
        assertEquals(FastAbortCause.TENTATIVE_VERSION, refusal(fast, "r"));
        assertTrue(fast.orElseRegular(3).write(put("r", "a", "2")) % SPAN == 0, "the transaction manager gave its timestamp");
        assertEquals("f:a=2", show(fast.read(column("r"))));
        fast.orElseRegular(3).readModifyWrite(column("r"), row -> put("r", "a", Bytes.toString(row.value()) + "3"));
        assertEquals("f:a=23", show(fast.read(column("r"))));
        assertThrows(IllegalArgumentException.class, () -> fast.orElseRegular(0));
    }

    // ---- set-up

    private static void refused(Class<? extends Exception> type, String words, org.junit.jupiter.api.function.Executable call) {
        Exception e = assertThrows(type, call);
        assertTrue(e.getMessage().contains(words), e.getMessage());
        assertTrue(e.getMessage().endsWith("."), e.getMessage());
    }

    @Test
    void requestsThatAreNotOneColumn() throws Exception {
        FastTable fast = hbase.client().fastTable(hbase.fastTable(1));
        Class<IllegalArgumentException> bad = IllegalArgumentException.class;
        refused(bad, "one column of one row", () -> fast.read(Fixture.get("r")));
        refused(bad, "one column of one row", () -> fast.read(Fixture.get("r").addFamily(Fixture.F)));
        refused(bad, "one column of one row", () -> fast.read(column("r").addColumn(Fixture.F, Fixture.F)));
        refused(bad, "one column of one row", () -> fast.write(put("r", "a", "1", "b", "2")));
        refused(bad, "one column of one row", () -> fast.write(Fixture.delete("r")));
        refused(bad, "leave versions and time ranges out", () -> fast.read(column("r").readAllVersions()));
        refused(bad, "leave the timestamp", () -> fast.write(new org.apache.hadoop.hbase.client.Put(Fixture.F)
                .addColumn(Fixture.F, Fixture.F, 5L, Fixture.F)));
        refused(bad, "writes the column that it has read", () -> fast.readModifyWrite(column("r"), row -> put("s", "a", "1")));
        refused(bad, "is a Put or a Delete", () -> fast.readModifyWrite(column("r"),
                row -> new org.apache.hadoop.hbase.client.Increment(Fixture.F)));
    }

    @Test
    void tablesThatAreNotSetUp() throws Exception {
        TransactionClient client = hbase.client();
        refused(InvalidTableException.class, "add it with Tables.enableFastPath", () -> client.fastTable(hbase.table()));
        TableName name = hbase.fastTable(1);
        TransactionClient close = TransactionClient.open(hbase.conf, hbase.manager(70_000_000_000L));
        refused(InvalidTableException.class, "leaves no room", () -> close.fastTable(name));
        close.close();
        refused(IllegalArgumentException.class, "power of two", () -> Tables.enableFastPath(hbase.connection, name, 3));
        refused(InvalidTableException.class, "is not transactional", () -> Tables.fastPath(
                TableDescriptorBuilder.newBuilder(TableName.valueOf("x")).build(), 8));

        CellKey key = new CellKey(name, Fixture.F, Fixture.F, Fixture.F);
        refused(StoreException.class, "knows one of span 16", () -> Internals.fastPath(client).bwc(key, new Versions(16, 1), Write.of(Fixture.F)));
    }

    /** A regular transaction begun by a transaction manager without leaps is refused before it can do harm. */
    @Test
    void timestampsWithoutRoomAreRefusedByTheServer() throws Exception {
        TableName name = hbase.fastTable(1);
        TransactionClient dense = TransactionClient.open(hbase.conf, hbase.manager(70_000_000_000L));
        Transaction tx = dense.begin();
        refused(StoreException.class, "with a leap of 8", () -> dense.table(name).get(tx, column("r")));
        refused(StoreException.class, "with a leap of 8", () -> Fixture.scan(dense.table(name), tx, new Scan()));
        refused(StoreException.class, "no multiple of the span 8", () -> Internals.rows(dense).put(tx.startTimestamp(),
                java.util.Map.of(new CellKey(name, Fixture.F, Fixture.F, Fixture.F), Write.of(Fixture.F))));
        dense.close();
    }

    @Test
    void aServerThatCannotFindTheTransactionManagerSaysSo() throws Exception {
        hbase.conf.set(Settings.COMMIT_TABLE, hbase.commitTableOfNobody().getNameAsString());
        TableName name = hbase.tableOf(hbase.commitTableOfNobody());
        Tables.enableFastPath(hbase.connection, name, SPAN);
        FastTable fast = hbase.client().fastTable(name);
        refused(StoreException.class, "fencepost.tm.zookeeper", () -> fast.write(put("r", "a", "1")));
    }

    /** fencepost check-table. */
    @Test
    void aTableIsChecked() throws Exception {
        TransactionClient client = hbase.client();
        TableName name = hbase.fastTable(3);
        FastTable fast = client.fastTable(name);
        for (String row : List.of("0", "1", "2")) {
            writeAfter(FastAbortCause.CLOCK_NOT_BOOTSTRAPPED, fast, row);
        }
        List<String> before = hbase.stored(name);
        assertEquals(List.of(), check(name));
        assertEquals(before, hbase.stored(name), "nothing is changed");
        assertEquals(List.of(), check(hbase.table()));

        hbase.managerDown();
        hbase.move(name, "1");
        List<String> problems = check(name);
        assertEquals(1, problems.size(), problems.toString());
        assertTrue(problems.get(0).contains(name + ",1,") && problems.get(0).contains("check that the transaction manager is up"),
                problems.get(0));
        hbase.managerUp();
        writeAfter(FastAbortCause.CLOCK_NOT_BOOTSTRAPPED, fast, "1");

        problems = TableCheck.problems(hbase.connection, name, hbase.manager(70_000_000_000L));
        assertTrue(problems.size() == 1 && problems.get(0).contains("leaves no room"), problems.toString());
        problems = check(TableName.valueOf("nowhere"));
        assertTrue(problems.size() == 1 && problems.get(0).contains("There is no HBase table nowhere"), problems.toString());
        problems = check(hbase.commits);
        assertTrue(problems.size() == 1 && problems.get(0).contains("is not transactional"), problems.toString());
        TableName lost = hbase.tableOf(hbase.commitTableOfNobody());
        Tables.enableFastPath(hbase.connection, lost, SPAN);
        problems = TableCheck.problems(hbase.connection, lost, null);
        assertTrue(problems.size() == 1 && problems.get(0).contains("fencepost.tm.zookeeper"), problems.toString());
    }

    private List<String> check(TableName name) throws Exception {
        return TableCheck.problems(hbase.connection, name, hbase.manager);
    }

    /** An ordinary transactional table with data gets a fast path. */
    @Test
    void aTableIsConverted() throws Exception {
        TransactionClient client = hbase.client();
        TableName name = hbase.table();
        TransactionalTable table = client.table(name);
        try (Transaction tx = client.begin()) {
            table.put(tx, put("r", "a", "1"));
            tx.commit();
        }
        Tables.enableFastPath(hbase.connection, name, SPAN);
        FastTable fast = client.fastTable(name);
        assertEquals("f:a=1", show(fast.read(column("r"))));
        fast.readModifyWrite(column("r"), row -> put("r", "a", "2"));
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=2", show(client.table(name).get(tx, column("r"))));
        }
    }

    /** Their versions would be taken for fast-path ones. */
    @Test
    void aTableOfOtherTimestampsIsNotConverted() throws Exception {
        TableName name = hbase.table();
        hbase.manager = hbase.manager(70_000_000_000L);
        hbase.managerUp();
        TransactionClient dense = hbase.client();
        try (Transaction first = dense.begin(); Transaction tx = dense.begin()) {
            dense.table(name).put(tx.startTimestamp() % SPAN == 0 ? first : tx, put("r", "a", "1"));
            first.commit();
            tx.commit();
        }
        refused(InvalidTableException.class, "make a new table", () -> Tables.enableFastPath(hbase.connection, name, SPAN));
        refused(InvalidTableException.class, "of span " + SPAN + ": keep to that",
                () -> Tables.enableFastPath(hbase.connection, hbase.fastTable(1), 2 * SPAN));
    }

    /** It would take what the fast path has written for tentative. */
    @Test
    void aClientThatOpenedTheTableBeforeIsRefused() throws Exception {
        TransactionClient client = hbase.client();
        TableName name = hbase.table();
        TransactionalTable before = client.table(name);
        Tables.enableFastPath(hbase.connection, name, SPAN);
        try (Transaction tx = client.begin()) {
            refused(StoreException.class, "open the table again", () -> before.get(tx, column("r")));
            refused(StoreException.class, "open the table again", () -> Fixture.scan(before, tx, new Scan()));
            refused(StoreException.class, "open the table again", () -> Internals.rows(client).reread(
                    new CellKey(name, Fixture.F, Fixture.F, Fixture.F), 8));
            assertEquals("", show(client.table(name).get(tx, column("r"))));
        }
    }

    /** The region server sends what the reader needs, however many versions there are. */
    @Test
    void aReadOfManyVersionsIsOneRequest() throws Exception {
        TransactionClient client = hbase.client();
        TableName name = hbase.fastTable(1);
        TransactionalTable table = client.table(name);
        FastTable fast = client.fastTable(name);
        fast.write(put("r", "a", "old"));
        List<Transaction> pending = new ArrayList<>();
        for (int i = 0; i < 3 * Layout.PAGE; i++) {
            pending.add(Fixture.pending(client, table, "r", "new" + i));
        }
        Requests requests = Internals.requests(table);
        try (Transaction tx = client.begin();
                org.apache.hadoop.hbase.client.Table raw = hbase.connection.getTable(name)) {
            int cells = raw.get(requests.widen(column("r"), tx.startTimestamp(), tx.startTimestamp() - 1)).size();
            assertEquals(pending.size() + 1, cells, "the pending values and the committed one");
            assertEquals("f:a=old", show(table.get(tx, column("r"))));
            try (ResultScanner rows = raw.getScanner(requests.widen(new Scan(), tx.startTimestamp(), tx.startTimestamp() - 1))) {
                assertEquals(cells, rows.next().size(), "and so is a row of a scan");
            }
            assertEquals(List.of("r{f:a=old}"), Fixture.scan(table, tx, new Scan().addFamily(Fixture.F)));
        }
        for (int i = 0; i < 20; i++) {
            writeAfter(FastAbortCause.SEQUENCE_EXHAUSTED, fast.orElseRegular(5), "s");
        }
        try (Transaction tx = client.begin();
                org.apache.hadoop.hbase.client.Table raw = hbase.connection.getTable(name)) {
            assertEquals(1, raw.get(requests.widen(column("s"), tx.startTimestamp(), tx.startTimestamp() - 1)).getColumnCells(Bytes.toBytes("f"),
                    Bytes.toBytes("a")).size(), "one record is enough");
        }
    }
}
