package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.F;
import static org.fencepost.hbase.Fixture.commit;
import static org.fencepost.hbase.Fixture.pending;
import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.client.FastTable;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.CommitRows;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.store.HBaseCommitTable;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.UnreadableRecordException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stored cells that make no sense, which somebody has written past the coprocessors: who reads them gets a sentence and no data,
 * nobody else is concerned, nothing is dropped, and no region server is lost.
 */
@ExtendWith(Fixture.Extension.class)
class UnreadableCellsTest {

    private static final byte[] A = Bytes.toBytes("a");
    private static final long SPAN = 8;

    private Fixture hbase;
    private TransactionClient client;
    private int servers;

    @BeforeEach
    void setUp(Fixture fixture) throws IOException {
        hbase = fixture.withSpan(SPAN);
        client = hbase.client();
        servers = servers();
    }

    @AfterEach
    void noServerIsLost() throws IOException {
        assertEquals(servers, servers());
    }

    private int servers() throws IOException {
        try (Admin admin = hbase.connection.getAdmin()) {
            return admin.getRegionServers().size();
        }
    }

    private void unreadable(String words, Executable read) {
        StoreException e = assertThrows(StoreException.class, read);
        assertTrue(e.getMessage().contains(words) && e.getMessage().endsWith("."), e.getMessage());
        assertTrue(e.getMessage().contains("somebody has written past Fencepost"), e.getMessage());
    }

    /** A commit cell that is too short, too long, or older than its record. */
    @ParameterizedTest
    @ValueSource(strings = {"", "x", "1234567", "123456789", "\0\0\0\0\0\0\0\0", "\0\0\0\0\0\0\0\1"})
    void aCommitCell(String content) throws Exception {
        boolean fast = content.length() % 2 == 1; // both kinds of tables
        TableName name = fast ? hbase.fastTable(1) : hbase.table();
        TransactionalTable table = client.table(name);
        commit(client, table, "good", "1");
        long version = commit(client, table, "bad", "1").startTimestamp();
        hbase.writePast(name, raw -> raw.put(new Put(Bytes.toBytes("bad"))
                .addColumn(F, Layout.commitQualifier(A), version, Bytes.toBytes(content))));
        String where = name + ", row bad, column f:a\\x00fpc at " + version;
        try (Transaction tx = client.begin()) {
            unreadable(where, () -> read(table, tx, "bad"));
            unreadable(where, () -> Fixture.scan(table, tx, new Scan()));
            assertEquals("f:a=1", read(table, tx, "good"));
            assertEquals(List.of("good{f:a=1}"), Fixture.scan(table, tx, new Scan().withStartRow(Bytes.toBytes("c"))));
        }
        if (fast) {
            FastTable single = client.fastTable(name);
            unreadable(where, () -> single.read(Fixture.get("bad").addColumn(F, A)));
            unreadable(where, () -> single.write(put("bad", "a", "2")));
            single.write(put("good", "a", "2"));
        }
        hbase.expireAll();
        pending(client, table, "good", "3");
        pending(client, table, "bad", "3"); // a leftover, for which the collector must read the row
        hbase.expireAll();
        unreadable(where, () -> hbase.janitor(client).pass());
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=" + (fast ? "2" : "1"), read(table, tx, "good"));
            unreadable(where, () -> read(table, tx, "bad"));
        }
        assertEquals(1, hbase.janitor(client).leftovers(), "the collector went on with the other row");
        hbase.compact(name);
        try (Transaction tx = client.begin()) {
            unreadable(where, () -> read(table, tx, "bad")); // still there
        }
    }

    @Test
    void theCommitTable() throws Exception {
        TransactionalTable table = client.table(hbase.table());
        HBaseCommitTable commitTable = hbase.commitTable();
        long bad = client.begin().startTimestamp();
        Transaction dead = pending(client, table, "r", "1");
        CommitRows rows = new CommitRows(3);
        hbase.writePast(hbase.commits, raw -> {
            raw.put(new Put(rows.entryRow(bad)).addColumn(CommitRows.FAMILY, CommitRows.COLUMN, bad, A));
            raw.put(new Put(rows.entryRow(dead.startTimestamp())).addColumn(CommitRows.FAMILY, CommitRows.COLUMN, new byte[8]));
            raw.put(new Put(new byte[] {0, 0, 0, 0, 0, 0, 0, 0}).addColumn(CommitRows.FAMILY, CommitRows.COLUMN, A));
            raw.put(new Put(new byte[] {1, 0, 0, 0, 0, 0, 0, 0, 0, 9}).addColumn(CommitRows.FAMILY, CommitRows.COLUMN, A));
        });
        unreadable("holds 1 bytes that are no commit entry", () -> commitTable.get(bad));
        unreadable("holds 1 bytes that are no commit entry", () -> commitTable.checkAndMutate(bad, bad + SPAN));
        try (Transaction tx = client.begin()) {
            unreadable("holds 8 bytes that are no commit entry", () -> read(table, tx, "r"));
        }
        commit(client, table, "s", "1");
        hbase.expireAll();
        assertThrows(UnreadableRecordException.class, () -> hbase.janitor(client).pass());
        for (java.util.PrimitiveIterator.OfLong entries = commitTable.entriesBelow(Long.MAX_VALUE); entries.hasNext();) {
            assertTrue(List.of(bad, dead.startTimestamp()).contains(entries.nextLong()), "rows that are no entries are left out");
        }
    }
}
