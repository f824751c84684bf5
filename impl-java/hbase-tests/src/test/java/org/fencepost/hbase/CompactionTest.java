package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.delete;
import static org.fencepost.hbase.Fixture.read;
import static org.fencepost.hbase.Fixture.scan;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.admin.Janitor;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.store.HBaseStore;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionFinishedException;
import org.fencepost.protocol.store.Write;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a major compaction drops, and what it must not. */
@ExtendWith(Fixture.Extension.class)
class CompactionTest {

    private Fixture hbase;
    private TransactionClient client;
    private TransactionalTable table;

    @BeforeEach
    void setUp(Fixture hbase) throws Exception {
        this.hbase = hbase;
        client = hbase.client();
        table = client.table(hbase.table());
    }

    private Transaction commit(String row, String value) {
        return Fixture.commit(client, table, row, value);
    }

    private Transaction commitDelete(String row) {
        try (Transaction tx = client.begin()) {
            table.delete(tx, delete(row, "a"));
            tx.commit();
            return tx;
        }
    }

    private Transaction pending(String row, String value) {
        return Fixture.pending(client, table, row, value);
    }

    private CellKey key(String row) {
        return new CellKey(table.name(), Bytes.toBytes(row), Fixture.F, Bytes.toBytes("a"));
    }

    private String readNow(String row) {
        try (Transaction tx = client.begin()) {
            return read(table, tx, row);
        }
    }

    private List<String> stored() throws Exception {
        return hbase.stored(table.name());
    }

    /** As far up as the transaction manager allows, and no other work of the janitor. */
    private void raiseWatermark() throws Exception {
        hbase.commitTable().raiseWatermark(hbase.manager.collectableBelow());
    }

    private static List<String> record(String row, Transaction tx, String value) {
        return List.of(row + "/a@" + tx.startTimestamp() + "=" + value,
                row + "/a!" + tx.startTimestamp() + "=" + tx.commitTimestamp());
    }

    @Test
    void onlyTheNewestVersionStays() throws Exception {
        commit("r", "1");
        commit("r", "2");
        Transaction last = commit("r", "3");
        raiseWatermark();
        hbase.flush(table.name());
        assertEquals(6, stored().size(), "a flush keeps everything");
        hbase.compact(table.name());
        assertEquals(record("r", last, "3"), stored());
        assertEquals("f:a=3", readNow("r"));
    }

    /**
     * A reader that began before a flush, overwrites, a delete and a compaction reads on, whatever the janitor does. And
     * the watermark is what it owes this to: once it is raised past the reader by force, the same compaction ruins it.
     */
    @Test
    void aLongReaderKeepsItsSnapshot() throws Exception {
        commit("deleted", "1");
        commit("overwritten", "1");
        hbase.flush(table.name());
        try (Transaction reader = client.begin()) {
            commitDelete("deleted");
            commit("overwritten", "2");
            commit("overwritten", "3");
            Janitor janitor = hbase.janitor(client);
            for (int i = 0; i < 2; i++) {
                assertEquals(reader.startTimestamp(), janitor.pass());
                hbase.compact(table.name());
                assertEquals("f:a=1", read(table, reader, "deleted"));
                assertEquals(List.of("deleted{f:a=1}", "overwritten{f:a=1}"), scan(table, reader, new Scan()));
            }
            hbase.expireAll();
            raiseWatermark();
            hbase.compact(table.name());
            assertNotEquals(List.of("deleted{f:a=1}", "overwritten{f:a=1}"), scan(table, reader, new Scan()));
        }
    }

    /** So that the reader above cannot be ruined: its transaction ends before the watermark may pass it. */
    @Test
    void aReaderThatOutlivesItsLifetimeIsTold() throws Exception {
        commit("r", "1");
        hbase.conf.setInt(Settings.LIFETIME, 300);
        TransactionClient hasty = hbase.client();
        Transaction reader = hasty.begin();
        Transaction emptyHanded = hasty.begin();
        Transaction scanning = hasty.begin();
        TransactionalTable same = hasty.table(table.name());
        Thread.sleep(400);
        for (Runnable late : List.<Runnable>of(() -> read(same, reader, "r"), () -> read(same, emptyHanded, "none"),
                () -> assertEquals("", Fixture.show(next(same, scanning))))) {
            TransactionAbortedException e = assertThrows(TransactionAbortedException.class, late::run);
            assertEquals(AbortCause.EXPIRED, e.abortCause());
        }
    }

    @Test
    void aReaderThatIsRenewedOutlivesItsLifetime() throws Exception {
        commit("r", "1");
        hbase.conf.setInt(Settings.LIFETIME, 2_000);
        TransactionClient hasty = hbase.client();
        Transaction reader = hasty.begin();
        Transaction other = hasty.begin();
        TransactionalTable same = hasty.table(table.name());
        commit("r", "2");
        hbase.janitor(client).pass();
        for (int i = 0; i < 4; i++) {
            Thread.sleep(600);
            assertTrue(reader.renew());
        }
        assertEquals("f:a=1", read(same, reader, "r"));
        assertEquals(AbortCause.EXPIRED, assertThrows(TransactionAbortedException.class, () -> read(same, other, "r")).abortCause());
        assertThrows(TransactionFinishedException.class, other::renew);
        hbase.expireAll();
        assertFalse(reader.renew(), "the manager has given it up");
    }

    private static org.apache.hadoop.hbase.client.Result next(TransactionalTable table, Transaction tx) {
        try {
            return table.getScanner(tx, new Scan().withStartRow(Bytes.toBytes("z"))).next();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void aTombstoneGoesOnceItCoversNothing() throws Exception {
        commit("r", "1");
        Transaction deletion = commitDelete("r");
        raiseWatermark();
        hbase.compact(table.name());
        assertEquals(record("r", deletion, "TOMBSTONE"), stored());
        hbase.compact(table.name());
        assertEquals(List.of(), stored());
        commit("r", "2");
        assertEquals("f:a=2", readNow("r"));
    }

    @Test
    void aTombstoneStaysWhileAReaderMayNeedIt() throws Exception {
        commit("r", "1");
        try (Transaction reader = client.begin()) {
            commitDelete("r");
            raiseWatermark();
            hbase.compact(table.name());
            hbase.compact(table.name());
            assertEquals(4, stored().size());
            assertEquals("f:a=1", read(table, reader, "r"));
        }
    }

    /** The older version is in memory, where this compaction does not reach: the tombstone must go on covering it. */
    @Test
    void aTombstoneStaysWhileSomethingOlderIsElsewhere() throws Exception {
        Transaction old = client.begin();
        Transaction deletion = commitDelete("r");
        hbase.flush(table.name());
        HBaseStore store = new HBaseStore(hbase.connection);
        store.put(old.startTimestamp(), Map.of(key("r"), Write.of(Bytes.toBytes("late"))));
        hbase.expireAll();
        raiseWatermark();
        hbase.compactFilesOnly(table.name());
        assertEquals(record("r", deletion, "TOMBSTONE").get(0), stored().get(0));
        assertEquals("", readNow("r"));
    }

    @Test
    void leftoversBelowTheWatermarkAreHealedOrCleaned() throws Exception {
        commit("aborted", "old");
        Transaction aborted = pending("aborted", "new");
        Transaction committed = pending("committed", "new");
        Internals.protocol(client).commit(Internals.state(committed)); // and no post-commit
        hbase.expireAll();
        raiseWatermark();
        hbase.compact(table.name());
        assertEquals("f:a=old", readNow("aborted"));
        List<String> cells = stored();
        assertEquals(record("committed", committed, "new"), cells.subList(2, 4));
        assertEquals(4, cells.size(), "and the record of " + aborted.startTimestamp() + " is gone: " + cells);
    }

    @Test
    void leftoversAboveTheWatermarkStay() throws Exception {
        Transaction writer = pending("r", "new");
        raiseWatermark();
        hbase.compact(table.name());
        assertEquals(List.of("r/a@" + writer.startTimestamp() + "=new"), stored());
        writer.commit();
        assertEquals("f:a=new", readNow("r"));
    }

    /** The commit cell is in memory, the entry removed: only the region can tell that the value is committed. */
    @Test
    void aValueIsNotCleanedWhenItsCommitCellIsInMemory() throws Exception {
        Transaction writer = pending("r", "new");
        hbase.flush(table.name());
        Internals.protocol(client).finishCommit(Internals.protocol(client).commit(Internals.state(writer)));
        assertEquals(List.of(), hbase.entries());
        raiseWatermark();
        hbase.compactFilesOnly(table.name());
        assertEquals(record("r", writer, "new"), stored());
        assertEquals("f:a=new", readNow("r"));
    }

    /** A copy of a put that arrives after the transaction was aborted and cleaned up. */
    @Test
    void anOrphanIsIgnoredAndCleaned() throws Exception {
        commit("r", "old");
        Transaction writer = pending("r", "new");
        assertEquals("f:a=old", readNow("r"));
        assertThrows(TransactionAbortedException.class, writer::commit);
        HBaseStore store = new HBaseStore(hbase.connection);
        Runnable lateCopy = () -> store.put(writer.startTimestamp(), Map.of(key("r"), Write.of(Bytes.toBytes("new"))));
        lateCopy.run();
        assertEquals(2, stored().size(), "hidden by the delete marker");
        hbase.expireAll();
        assertNotEquals(0, hbase.janitor(client).pass());
        hbase.compact(table.name());
        assertEquals(List.of(), hbase.entries(), "the marker of the abort is collected");
        lateCopy.run();
        assertEquals(3, stored().size(), "the delete marker went with the compaction");
        assertEquals("f:a=old", readNow("r"));
        assertEquals(List.of(), hbase.entries(), "below the watermark nothing is stored");
        hbase.compact(table.name());
        assertEquals(2, stored().size());
    }

    @Test
    void aCommitBelowTheWatermarkIsRefused() throws Exception {
        Transaction writer = pending("r", "new");
        hbase.expireAll();
        hbase.janitor(client).pass();
        assertEquals(List.of(), stored());
        TransactionAbortedException e = assertThrows(TransactionAbortedException.class, writer::commit);
        assertEquals(AbortCause.COLLECTED, e.abortCause());
        assertEquals("", readNow("r"));
        assertEquals(List.of(), hbase.entries());
    }

    @Test
    void commitCellsWithoutValueGo() throws Exception {
        HBaseStore store = new HBaseStore(hbase.connection);
        long below = hbase.manager.begin();
        Transaction last = commit("r", "1");
        hbase.expireAll();
        raiseWatermark();
        long above = hbase.manager.begin();
        store.putCommitCells(List.of(key("r")), below, below + 1);
        store.putCommitCells(List.of(key("r")), above, above + 1);
        assertEquals("f:a=1", readNow("r"));
        hbase.compact(table.name());
        List<String> expected = new java.util.ArrayList<>(record("r", last, "1"));
        expected.add(1, "r/a!" + above + "=" + (above + 1));
        assertEquals(expected, stored());
    }

    @Test
    void withoutTheCommitTableEverythingStays() throws Exception {
        commit("r", "1");
        commit("r", "2");
        pending("s", "1");
        hbase.expireAll();
        raiseWatermark();
        try (Admin admin = hbase.connection.getAdmin()) {
            admin.disableTable(hbase.commits);
            hbase.compact(table.name());
            assertEquals(5, stored().size());
            admin.enableTable(hbase.commits);
        }
        hbase.compact(table.name());
        assertEquals(2, stored().size());
    }
}
