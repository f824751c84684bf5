package org.fencepost.hbase;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.admin.IndexBuilder;
import org.fencepost.hbase.admin.IndexBuilder.Pace;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.client.Index;
import org.fencepost.hbase.client.IndexedTable;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.hbase.layout.TableAttributes;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A secondary index of column f:a is built while its table is written (specs/IndexFence.tla). */
@ExtendWith(Fixture.Extension.class)
class IndexBuilderTest {

    private static final byte[] A = Bytes.toBytes("a");

    private static byte[] bytes(String text) {
        return Bytes.toBytes(text);
    }

    private static Index index(TableName table) {
        return new Index(table, Fixture.F, A, TableName.valueOf(table + "_by_a"), (row, value) -> Bytes.add(value, bytes("/"), row));
    }

    /** With its table. */
    private static Index create(Fixture hbase, TableName table) throws Exception {
        Index index = index(table);
        try (Admin admin = hbase.connection.getAdmin()) {
            TableDescriptor plain = TableDescriptorBuilder.newBuilder(index.name()).setColumnFamily(ColumnFamilyDescriptorBuilder.of(Index.FAMILY)).build();
            admin.createTable(index.describe(Tables.transactional(plain, hbase.commits)));
        }
        return index;
    }

    private static void put(TransactionClient client, IndexedTable table, String row, String value) {
        try (Transaction tx = client.begin()) {
            if (value == null) {
                table.delete(tx, bytes(row));
            } else {
                table.put(tx, bytes(row), bytes(value));
            }
            tx.commit();
        }
    }

    /** "value/row" of each row, by the index. */
    private static List<String> byIndex(IndexedTable table, Transaction tx) throws Exception {
        List<String> found = new ArrayList<>();
        try (ResultScanner scanner = table.getScanner(tx, new Scan())) {
            for (Result entry = scanner.next(); entry != null; entry = scanner.next()) {
                found.add(Bytes.toString(entry.getRow()));
                assertTrue(Bytes.toString(entry.getRow()).endsWith("/" + Bytes.toString(entry.getValue(Index.FAMILY, Index.ROW))));
            }
        }
        return found;
    }

    /** The same by the table. */
    private static List<String> byTable(IndexedTable table, Transaction tx) throws Exception {
        TreeSet<String> found = new TreeSet<>();
        try (ResultScanner scanner = table.table().getScanner(tx, new Scan().addColumn(Fixture.F, A))) {
            for (Result row = scanner.next(); row != null; row = scanner.next()) {
                found.add(Bytes.toString(row.getValue(Fixture.F, A)) + "/" + Bytes.toString(row.getRow()));
            }
        }
        return List.copyOf(found);
    }

    private static void requireSame(TransactionClient client, IndexedTable table, String... expected) throws Exception {
        try (Transaction tx = client.begin()) {
            assertEquals(byTable(table, tx), byIndex(table, tx));
            assertEquals(List.of(expected), byIndex(table, tx));
        }
    }

    @Test
    void itIsTheFunctionOfTheTableFromItsBuildOn(Fixture hbase) throws Exception {
        TransactionClient client = hbase.client();
        TransactionalTable plain = client.table(hbase.table());
        for (String row : List.of("r1", "r2", "r3")) {
            Fixture.commit(client, plain, row, "red");
        }
        Index index = create(hbase, plain.name());
        IndexedTable table = client.indexed(index);
        Transaction unindexed = client.begin();
        plain.put(unindexed, Fixture.put("r3", "a", "grey"));
        put(client, table, "r2", "blue");
        put(client, table, "r2", "red");
        put(client, table, "r2", "green");
        Transaction early = client.begin();
        assertTrue(assertThrows(TransactionException.class, () -> table.getScanner(early, new Scan())).getMessage().contains("is not built"));
        Transaction across = client.begin();
        List<IndexBuilder.Progress> told = new ArrayList<>();
        long readyFrom = IndexBuilder.build(client, index, null, told::add);
        assertEquals(AbortCause.FENCED, assertThrows(TransactionAbortedException.class, unindexed::commit).abortCause());
        assertArrayEquals(bytes("r3"), told.get(told.size() - 1).lastRow());
        assertEquals(3, told.get(told.size() - 1).rows());
        assertTrue(assertThrows(TransactionException.class, () -> table.getScanner(early, new Scan())).getMessage().contains("from " + readyFrom));
        requireSame(client, table, "green/r2", "red/r1", "red/r3");
        table.put(across, bytes("r1"), bytes("blue"));
        assertEquals(AbortCause.FENCED, assertThrows(TransactionAbortedException.class, across::commit).abortCause());
        put(client, table, "r1", "red");
        put(client, table, "r3", null);
        put(client, table, "r4", "blue");
        requireSame(client, table, "blue/r4", "green/r2", "red/r1");
        try (Transaction tx = client.begin()) {
            table.put(tx, bytes("r1"), bytes("white"));
            table.put(tx, bytes("r1"), bytes("black"));
            assertEquals(List.of("black/r1", "blue/r4", "green/r2"), byIndex(table, tx));
            assertEquals(byTable(table, tx), byIndex(table, tx));
        }
        assertEquals(readyFrom, IndexBuilder.build(client, index, null, told::add), "it is ready");
    }

    /** The second one goes on behind what the first one has told before it died. */
    @Test
    void itIsBuiltWhileItsTableIsWrittenAndAfterADeath(Fixture hbase) throws Exception {
        TransactionClient client = hbase.client();
        TransactionalTable plain = client.table(hbase.table());
        try (Transaction tx = client.begin()) {
            for (int i = 0; i < 2_500; i++) {
                plain.put(tx, Fixture.put(String.format("r%04d", i), "a", "v" + i % 7));
            }
            tx.commit();
        }
        Index index = create(hbase, plain.name());
        IndexedTable table = client.indexed(index);
        AtomicInteger changes = new AtomicInteger();
        List<byte[]> last = new ArrayList<>();
        RuntimeException death = new RuntimeException("dies");
        assertEquals(death, assertThrows(RuntimeException.class, () -> IndexBuilder.build(client, index, null, Pace.FULL, progress -> {
            change(client, table, changes);
            last.add(progress.lastRow());
            if (last.size() == 2) {
                throw death;
            }
        })));
        assertArrayEquals(bytes("r1999"), last.get(1));
        long[] rows = {0};
        IndexBuilder.build(client, index, last.get(1), new Pace(50, 1), progress -> {
            change(client, table, changes);
            rows[0] = progress.rows();
        });
        assertEquals(499, rows[0], "one of the 500 was deleted");
        try (Transaction tx = client.begin()) {
            assertEquals(byTable(table, tx), byIndex(table, tx));
        }
        hbase.expireAll();
        hbase.janitor(client).pass();
        hbase.compact(index.name());
        try (Transaction tx = client.begin()) {
            assertEquals(byTable(table, tx), byIndex(table, tx));
        }
    }

    /** Behind the build and before it. */
    private static void change(TransactionClient client, IndexedTable table, AtomicInteger changes) {
        for (String row : List.of("r0003", "r1500", "r2400")) {
            put(client, table, row, changes.incrementAndGet() % 3 == 0 ? null : "w" + changes.get());
        }
    }

    /** A transaction manager's timestamps have 19 digits, those of these tests fewer. */
    @Test
    void fromWhenOnItIsReadyMayBeAnyTimestamp(Fixture hbase) throws Exception {
        TransactionClient client = hbase.client();
        Index index = create(hbase, hbase.table());
        IndexedTable table = client.indexed(index);
        try (Admin admin = hbase.connection.getAdmin(); Transaction tx = client.begin()) {
            for (String[] each : new String[][] {{Long.toString(Long.MAX_VALUE), "for snapshots from " + Long.MAX_VALUE}, {"-1", "is not built"},
                    {"99999999999999999999", "is not built"}, {"", "is not built"}, {"soon", "is not built"}}) {
                admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(index.name())).setValue(TableAttributes.INDEX_READY, each[0]).build());
                String refusal = assertThrows(TransactionException.class, () -> table.getScanner(tx, new Scan())).getMessage();
                assertTrue(refusal.contains(each[1]), refusal);
            }
        }
    }

    @Test
    void whatNoModelCoversIsRefused(Fixture hbase) throws Exception {
        TransactionClient client = hbase.client();
        TableName name = hbase.table();
        assertRefused(client, index(TableName.valueOf("no-such-table")), "no-such-table");
        assertRefused(client, index(name), name + "_by_a");
        Index index = create(hbase, name);
        Index other = new Index(name, Fixture.F, bytes("b"), index.name(), index.keys());
        assertRefused(client, other, "is no index of");
        Index ofIndex = new Index(index.name(), Index.FAMILY, Index.ROW, TableName.valueOf(index.name() + "_again"), index.keys());
        try (Admin admin = hbase.connection.getAdmin()) {
            TableDescriptor plain = TableDescriptorBuilder.newBuilder(ofIndex.name()).setColumnFamily(ColumnFamilyDescriptorBuilder.of(Index.FAMILY)).build();
            admin.createTable(ofIndex.describe(Tables.transactional(plain, hbase.commits)));
        }
        assertRefused(client, ofIndex, "an index of an index is not supported");
        TableName native_ = TableName.valueOf(name + "_native");
        try (Admin admin = hbase.connection.getAdmin()) {
            admin.createTable(TableDescriptorBuilder.newBuilder(native_).setColumnFamily(ColumnFamilyDescriptorBuilder.of(Fixture.F)).build());
        }
        assertRefused(client, create(hbase, native_), "is not a transactional table");
        TableName levelled = hbase.table();
        Tables.enableCheckpoints(hbase.connection, levelled, 1 << 10);
        assertRefused(client, create(hbase, levelled), "the fast path or checkpoints");
    }

    @Test
    void aPaceThatMakesNoSenseIsRefused() {
        for (double rest : new double[] {-1, Double.NaN, 1_001}) {
            assertThrows(IllegalArgumentException.class, () -> new Pace(100, rest));
        }
        assertThrows(IllegalArgumentException.class, () -> new Pace(0, 1));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> new Pace(10_001, 1)).getMessage().contains("1 to 10000 rows in a batch"));
    }

    private static void assertRefused(TransactionClient client, Index index, String sentence) {
        String refusal = assertThrows(InvalidTableException.class, () -> IndexBuilder.build(client, index, null, progress -> {})).getMessage();
        assertTrue(refusal.contains(sentence), refusal);
    }

    @Test
    void conflictFreePutsAreCommittedAndRemovedLikeOthers(Fixture hbase) throws Exception {
        TransactionClient client = hbase.client();
        TransactionalTable table = client.table(hbase.table());
        Transaction one = client.begin();
        Transaction two = client.begin();
        table.putConflictFree(one, List.of(Fixture.put("r", "a", "1")));
        table.putConflictFree(two, List.of(Fixture.put("r", "a", "2")));
        one.commit();
        two.commit();
        Transaction fenced = client.begin();
        table.putConflictFree(fenced, List.of(Fixture.put("s", "a", "1")));
        client.fence(table.name());
        assertEquals(AbortCause.FENCED, assertThrows(TransactionAbortedException.class, fenced::commit).abortCause());
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=2", Fixture.read(table, tx, "r"));
            assertEquals("", Fixture.read(table, tx, "s"));
            table.putConflictFree(tx, List.of(Fixture.put("r", "a", "3")));
            assertTrue(assertThrows(TransactionException.class, tx::checkpoint).getMessage().contains("conflict-free"));
        }
    }
}
