package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.F;
import static org.fencepost.hbase.Fixture.commit;
import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.admin.TableCheck;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.client.Index;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.LeaderPointer;
import org.fencepost.hbase.layout.LeaderRequest;
import org.fencepost.hbase.layout.OmidWrites;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.layout.TableAttributes;
import org.fencepost.hbase.store.HBaseLeaderStore;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.UnreadableRecordException;
import org.fencepost.protocol.store.Write;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What tables with leaders and their clients refuse, each in a line that says what to do, with nothing stored and no server lost. */
@ExtendWith(Fixture.Extension.class)
class LeaderGuardsTest {

    private static final byte[] A = Bytes.toBytes("a");

    private Fixture hbase;
    private TransactionClient client;
    private TransactionalTable table;
    private TableName name;

    @BeforeEach
    void setUp(Fixture fixture) throws Exception {
        hbase = fixture.withLeaders();
        client = hbase.client();
        name = hbase.leaderTable();
        table = client.table(name);
    }

    private CellKey key(String row) {
        return new CellKey(name, Bytes.toBytes(row), F, A);
    }

    private HBaseLeaderStore store() {
        return (HBaseLeaderStore) Internals.rows(client);
    }

    private static void refused(Class<? extends Exception> type, String words, Executable request) {
        Exception e = assertThrows(type, request);
        String message = e.getMessage();
        assertTrue(message.contains(words), message);
    }

    // ---- what comes natively

    @Test
    void writesThatAreNoTransactions() throws Exception {
        Transaction tx = commit(client, table, "r", "1");
        List<String> before = hbase.stored(name);
        byte[] row = Bytes.toBytes("r");
        try (Table raw = hbase.connection.getTable(name)) {
            for (Executable write : List.<Executable>of(
                    () -> raw.put(new Put(row).addColumn(F, A, F)),
                    () -> raw.delete(new Delete(row)),
                    () -> raw.increment(new Increment(row).addColumn(F, A, 1)),
                    () -> raw.append(new Append(row).addColumn(F, A, F)),
                    () -> raw.checkAndMutate(CheckAndMutate.newBuilder(row).ifNotExists(F, F).build(new Put(row).addColumn(F, F, F))),
                    () -> raw.checkAndMutate(CheckAndMutate.newBuilder(row).ifNotExists(F, F).build(new Delete(row))),
                    () -> raw.put(OmidWrites.mark(new Put(row).addColumn(F, Layout.commitQualifier(A), tx.startTimestamp(), new byte[] {-1}))),
                    () -> raw.checkAndMutate(forged(row, tx.startTimestamp(), Bytes.toBytes(tx.startTimestamp()))),
                    () -> raw.checkAndMutate(forged(row, tx.startTimestamp(), new byte[] {1})))) {
                refused(IOException.class, "", write);
            }
            refused(IOException.class, "one column", () -> raw.get(LeaderRequest.lookUp(key("r"), 1).addColumn(F, F)));
            refused(IOException.class, "8 bytes", () -> raw.get((Get) new Get(row).setAttribute("fencepost.settled", new byte[3])));
        }
        assertEquals(before, hbase.stored(name));
    }

    private static CheckAndMutate forged(byte[] row, long version, byte[] entry) {
        return CheckAndMutate.newBuilder(row).ifNotExists(F, F).build(new Put(row).addColumn(F, Layout.commitQualifier(A), version, entry));
    }

    @Test
    void recordsWithoutPointerAndPointersWithoutRecord() throws Exception {
        byte[] row = Bytes.toBytes("r");
        byte[] pointer = LeaderPointer.encode(key("s"), key("r"));
        try (Table raw = hbase.connection.getTable(name)) {
            for (Put put : List.of(new Put(row).addColumn(F, A, 5, F),
                    new Put(row).addColumn(F, Layout.pointerQualifier(A), 5, pointer),
                    new Put(row).addColumn(F, A, 5, F).addColumn(F, Layout.pointerQualifier(A), 6, pointer),
                    new Put(row).addColumn(F, A, 5, F).addColumn(F, Layout.pointerQualifier(F), 5, pointer))) {
                refused(IOException.class, "pointer to their leader", () -> raw.put(OmidWrites.mark(put)));
            }
            for (int length = 1; length < pointer.length; length++) {
                byte[] torn = Bytes.head(pointer, length);
                boolean makesSense = length >= pointer.length - A.length; // the end may be that of a qualifier
                Put put = new Put(row).addColumn(F, A, 5, F).addColumn(F, Layout.pointerQualifier(A), 5, torn);
                if (!makesSense) {
                    refused(IOException.class, "pointer to their leader", () -> raw.put(OmidWrites.mark(put)));
                }
            }
        }
        assertEquals(List.of(), hbase.stored(name));
    }

    // ---- stored cells that make no sense

    @ParameterizedTest
    @ValueSource(strings = {"x", "\0\1", "\0\0\0\0\0\1f", "\177\377abc", "\0\3a b\0\1r\0\1fa", "\0\0\0\1r\0\1fa\0fpc"})
    void aPointerThatLeadsNowhere(String content) throws Exception {
        commit(client, table, "good", "1");
        Transaction dead = dead("bad");
        hbase.writePast(name, raw -> raw.put(new Put(Bytes.toBytes("bad"))
                .addColumn(F, Layout.pointerQualifier(A), dead.startTimestamp(), Bytes.toBytes(content))));
        String words = "bytes that are no pointer to a leader: somebody has written past Fencepost";
        try (Transaction tx = client.begin()) {
            refused(UnreadableRecordException.class, words, () -> read(table, tx, "bad"));
            refused(UnreadableRecordException.class, words, () -> Fixture.scan(table, tx, new Scan()));
            assertEquals("f:a=1", read(table, tx, "good"));
        }
        Transaction overwritten = commit(client, table, "leader", "2");
        hbase.expireAll();
        refused(UnreadableRecordException.class, words, () -> hbase.janitor(client).pass());
        hbase.compact(name);
        try (Transaction tx = client.begin()) {
            refused(UnreadableRecordException.class, words, () -> read(table, tx, "bad"));
        }
        hbase.writePast(name, raw -> raw.put(new Put(Bytes.toBytes("bad")).addColumn(F, Layout.pointerQualifier(A), dead.startTimestamp(),
                LeaderPointer.encode(key("bad"), key("leader")))));
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=1", read(table, tx, "bad"), "put right again: its leader was overwritten by " + overwritten.startTimestamp());
        }
    }

    private Transaction dead(String follower) {
        Transaction dead = client.begin();
        table.put(dead, List.of(put("leader", "a", "1"), put(follower, "a", "1")));
        Internals.protocol(client).commit(Internals.state(dead));
        try (Transaction tx = client.begin()) { // healed but for the follower
            assertEquals("f:a=1", read(table, tx, "leader"));
        }
        return dead;
    }

    /** A pointer that is lost makes a follower look like a leader, and one that leads to a follower makes two commit entries. */
    @Test
    void aPointerThatIsLostOrLeadsToAFollower() throws Exception {
        Transaction dead = client.begin();
        table.put(dead, List.of(put("leader", "a", "1"), put("x", "a", "1"), put("y", "a", "1")));
        Internals.protocol(client).write(Internals.state(dead));
        hbase.writePast(name, raw -> {
            raw.delete(new Delete(Bytes.toBytes("x")).addColumn(F, Layout.pointerQualifier(A), dead.startTimestamp()));
            raw.put(new Put(Bytes.toBytes("y")).addColumn(F, Layout.pointerQualifier(A), dead.startTimestamp(), LeaderPointer.encode(key("y"), key("x"))));
        });
        for (String row : List.of("x", "y")) {
            try (Transaction tx = client.begin()) {
                refused(StoreException.class, "is no leader", () -> read(table, tx, row));
            }
        }
        assertEquals(5, hbase.stored(name).size(), "nobody was marked");
    }

    @Test
    void aLeaderInATableThatHasNone() throws Exception {
        TableName plain = hbase.table();
        CellKey nowhere = new CellKey(plain, Bytes.toBytes("r"), F, A);
        store().put(5, nowhere, Map.of(key("r"), Write.of(A)));
        hbase.giveUpTo(10);
        try (Transaction tx = client.begin()) {
            refused(TransactionException.class, "leader", () -> read(table, tx, "r"));
        }
        store().put(6, new CellKey(TableName.valueOf("gone"), Bytes.toBytes("r"), F, A), Map.of(key("s"), Write.of(A)));
        try (Transaction tx = client.begin()) {
            refused(StoreException.class, "gone", () -> read(table, tx, "s"));
        }
    }

    // ---- what HBase would drop by itself: F4

    @Test
    void settingsThatDropLeaders() throws Exception {
        commit(client, table, "r", "1");
        for (ColumnFamilyDescriptorBuilder family : List.of(
                ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(3), ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(
                        Integer.MAX_VALUE).setTimeToLive(60), ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(Integer.MAX_VALUE)
                                .setKeepDeletedCells(KeepDeletedCells.TRUE))) {
            try (Admin admin = hbase.connection.getAdmin()) {
                TableDescriptor right = admin.getDescriptor(name);
                admin.modifyTable(TableDescriptorBuilder.newBuilder(right).modifyColumnFamily(family.build()).build());
                refused(InvalidTableException.class, "would lose versions", () -> client.table(name));
                try (Transaction tx = client.begin()) {
                    refused(StoreException.class, "would lose versions", () -> read(table, tx, "r")); // by the region server
                }
                assertTrue(TableCheck.problems(hbase.connection, name, hbase.manager).get(0).contains("would lose versions"));
                admin.modifyTable(right);
            }
        }
        assertEquals(List.of(), TableCheck.problems(hbase.connection, name, hbase.manager));
        assertTrue(TableCheck.hasLeaders(hbase.connection, name));
    }

    // ---- what no model covers

    @Test
    void otherProtocolsAndPlacements() throws Exception {
        TableName plain = hbase.table();
        refused(InvalidTableException.class, "no transaction uses it together", () -> client.table(plain));
        refused(InvalidTableException.class, "fast path", () -> client.fastTable(name));
        refused(InvalidTableException.class, "fences", () -> client.fence(name));
        refused(InvalidTableException.class, "indexes", () -> client.indexed(new Index(name, F, A, TableName.valueOf("i"), Bytes::add)));
        refused(InvalidTableException.class, "no model", () -> Tables.enableFastPath(hbase.connection, name, 8));
        refused(InvalidTableException.class, "no model", () -> Tables.enableCheckpoints(hbase.connection, name, 1024));
        refused(InvalidTableException.class, "no model", () -> Tables.withLeaders(hbase.connection.getTable(plain).getDescriptor(), hbase.manager));
        refused(InvalidTableException.class, "Tables.twoPhase", () -> Tables.twoPhase(hbase.connection.getTable(name).getDescriptor()));
        try (Transaction tx = client.begin()) {
            refused(TransactionException.class, "no checkpoints", tx::checkpoint);
            refused(TransactionException.class, "no flushes", tx::flush);
            refused(TransactionException.class, "no conflict-free writes", () -> table.putConflictFree(tx, List.of(put("r", "a", "1"))));
        }
        hbase.conf.set(Settings.PLACEMENT, "table");
        TransactionClient withTable = hbase.client();
        refused(InvalidTableException.class, Settings.PLACEMENT + " is " + TableAttributes.LEADER, () -> withTable.table(name));
        hbase.conf.set(Settings.PLACEMENT, "elsewhere");
        refused(IllegalArgumentException.class, Settings.PLACEMENT, hbase::client);
        assertEquals(Timestamps.NIL, hbase.entries().size());
    }
}
