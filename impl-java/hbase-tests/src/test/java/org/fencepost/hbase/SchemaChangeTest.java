package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.F;
import static org.fencepost.hbase.Fixture.commit;
import static org.fencepost.hbase.Fixture.get;
import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.admin.TableCheck;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.client.FastTable;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.MediatorClient;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.Descriptions;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.hbase.server.CommitTableGuard;
import org.fencepost.hbase.server.TransactionalRegionObserver;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.trace.Tracer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/** Somebody changes a table's description while clients have it open: they are told, and nothing is lost meanwhile. */
@ExtendWith(Fixture.Extension.class)
class SchemaChangeTest {

    private Fixture hbase;
    private TransactionClient client;

    @BeforeEach
    void setUp(Fixture hbase) {
        this.hbase = hbase;
        client = hbase.client();
    }

    private interface FamilyChange extends UnaryOperator<ColumnFamilyDescriptorBuilder> {
    }

    private static UnaryOperator<TableDescriptor> family(String name, FamilyChange change) {
        return table -> TableDescriptorBuilder.newBuilder(table).modifyColumnFamily(change.apply(
                ColumnFamilyDescriptorBuilder.newBuilder(table.getColumnFamily(Bytes.toBytes(name)))).build()).build();
    }

    private static UnaryOperator<TableDescriptor> durability(Durability durability) {
        return table -> TableDescriptorBuilder.newBuilder(table).setDurability(durability).build();
    }

    private static UnaryOperator<TableDescriptor> without(Class<?> coprocessor) {
        return table -> TableDescriptorBuilder.newBuilder(table).removeCoprocessor(coprocessor.getName()).build();
    }

    private static final Map<String, UnaryOperator<TableDescriptor>> LOSSY = Map.of(
            "set VERSIONS to 2147483647", family("f", f -> f.setMaxVersions(1)),
            "TTL to FOREVER", family("f", f -> f.setTimeToLive(1)),
            "KEEP_DELETED_CELLS to false", family("f", f -> f.setKeepDeletedCells(KeepDeletedCells.TRUE)),
            "NEW_VERSION_BEHAVIOR to false", family("f", f -> f.setNewVersionBehavior(true)),
            "set DURABILITY to SYNC_WAL, not SKIP_WAL", durability(Durability.SKIP_WAL),
            "set DURABILITY to SYNC_WAL, not ASYNC_WAL", durability(Durability.ASYNC_WAL));

    private interface Step {
        void run() throws Exception;
    }

    /** While the table has the other description. */
    private void changed(TableName name, UnaryOperator<TableDescriptor> change, Step meanwhile) throws Exception {
        TableDescriptor before = Descriptions.read(hbase.connection, name);
        try (Admin admin = hbase.connection.getAdmin()) {
            admin.modifyTable(change.apply(before));
            try {
                meanwhile.run();
            } finally {
                admin.modifyTable(before);
            }
        }
    }

    private static void refused(Class<? extends Exception> type, String words, Executable call) {
        Exception e = assertThrows(type, call, words);
        assertTrue(e.getMessage().contains(words), e.getMessage());
        assertFalse(e.getMessage().contains("\n"), e.getMessage());
    }

    @Test
    void aTableThatWouldLoseSomethingIsRefusedToClientsThatHaveItOpenAndLosesNothing() throws Exception {
        for (Map.Entry<String, UnaryOperator<TableDescriptor>> lossy : LOSSY.entrySet()) {
            String words = lossy.getKey();
            TransactionalTable table = client.table(hbase.table());
            commit(client, table, "r", "1");
            hbase.flush(table.name());
            Transaction old = client.begin();
            commit(client, table, "r", "2");
            hbase.flush(table.name());
            commit(client, table, "r", "3");
            Transaction writer = client.begin();
            table.put(writer, put("r", "a", "4"));
            changed(table.name(), lossy.getValue(), () -> {
                refused(StoreException.class, words, () -> read(table, old, "r"));
                refused(StoreException.class, words, () -> Fixture.scan(table, old, new Scan()));
                refused(StoreException.class, words, writer::commit);
                refused(StoreException.class, words, () -> hbase.janitor(client).leftovers());
                refused(InvalidTableException.class, words, () -> client.table(table.name()));
                hbase.compact(table.name());
                hbase.compact(table.name());
            });
            assertEquals("f:a=1", read(table, old, "r"), words);
            writer.commit();
            try (Transaction now = client.begin()) {
                assertEquals("f:a=4", read(table, now, "r"), words);
            }
        }
    }

    @Test
    void soIsOneWithAFastPath() throws Exception {
        hbase.withSpan(8);
        TransactionClient fast = hbase.client();
        TransactionalTable table = fast.table(hbase.fastTable(1));
        FastTable direct = fast.fastTable(table.name());
        direct.write(put("r", "a", "1"));
        changed(table.name(), durability(Durability.SKIP_WAL), () -> {
            Transaction tx = fast.begin();
            refused(StoreException.class, "set DURABILITY", () -> read(table, tx, "r"));
            refused(StoreException.class, "set DURABILITY", () -> Fixture.scan(table, tx, new Scan()));
            refused(StoreException.class, "set DURABILITY", () -> direct.read(get("r").addColumn(F, Bytes.toBytes("a"))));
            assertThrows(RuntimeException.class, () -> direct.write(put("r", "a", "2")));
        });
        try (Transaction now = fast.begin()) {
            assertEquals("f:a=1", read(table, now, "r"));
        }
    }

    @Test
    void soIsOneOfMediator() throws Exception {
        MediatorWorld world = new MediatorWorld(hbase, 8, Tracer.OFF);
        MediatorClient mediator = world.client("snapshot");
        TransactionalTable table = mediator.table(hbase.mediatedTable(1));
        world.put(table.name(), "r", "a", "1");
        hbase.flush(table.name());
        Transaction old = mediator.begin();
        assertEquals("f:a=1", Fixture.show(table.get(old, get("r").addColumn(F, Bytes.toBytes("a")))));
        world.put(table.name(), "r", "a", "2");
        for (UnaryOperator<TableDescriptor> lossy : List.of(family("f", f -> f.setMaxVersions(1)), family("f", f -> f.setTimeToLive(1)),
                durability(Durability.SKIP_WAL))) {
            changed(table.name(), lossy, () -> {
                Transaction tx = mediator.begin();
                assertThrows(StoreException.class, () -> table.get(tx, get("r").addColumn(F, Bytes.toBytes("a"))));
                assertThrows(IOException.class, () -> world.put(table.name(), "r", "a", "3"));
                assertThrows(InvalidTableException.class, () -> mediator.table(table.name()));
                hbase.compact(table.name());
                hbase.compact(table.name());
            });
        }
        assertEquals("f:a=1", Fixture.show(table.get(old, get("r").addColumn(F, Bytes.toBytes("a")))));
        assertEquals("f:a=2", world.get(table.name(), "r"));
    }

    /** Readers would take commits for pending, and the collector would clean up after them. */
    @Test
    void aCommitTableThatWouldLoseEntriesIsRefused() throws Exception {
        TransactionalTable table = client.table(hbase.table());
        Map<String, UnaryOperator<TableDescriptor>> lossy = Map.of("TTL to FOREVER", family("c", c -> c.setTimeToLive(1)),
                "set VERSIONS", family("c", c -> c.setMaxVersions(2)), "set DURABILITY", durability(Durability.SKIP_WAL),
                "set REPLICATION_SCOPE to 0", family("c", c -> c.setScope(1)),
                "has lost its coprocessor", without(CommitTableGuard.class));
        for (Map.Entry<String, UnaryOperator<TableDescriptor>> change : lossy.entrySet()) {
            String words = change.getKey();
            Transaction committed = client.begin();
            table.put(committed, put("r", "a", words));
            Internals.protocol(client).commit(Internals.state(committed)); // and not post-committed
            Transaction late = client.begin();
            table.put(late, put("s", "a", words));
            Transaction reader = client.begin();
            changed(hbase.commits, change.getValue(), () -> {
                OutcomeUnknownException unknown = assertThrows(OutcomeUnknownException.class, late::commit);
                assertTrue(unknown.getCause().getMessage().contains(words), unknown.getCause().getMessage());
                refused(InvalidTableException.class, words, () -> hbase.client());
                assertEquals(List.of(), TableCheck.problems(hbase.connection, table.name(), null).stream()
                        .filter(problem -> !problem.contains(words)).toList());
                assertEquals(1, TableCheck.problems(hbase.connection, table.name(), null).size());
                if (!words.contains("coprocessor")) {
                    refused(StoreException.class, words, () -> read(table, reader, "r"));
                    assertThrows(StoreException.class, () -> hbase.janitor(client).pass());
                }
                hbase.compact(hbase.commits);
            });
            assertEquals("f:a=" + words, read(table, reader, "r"));
            assertEquals(TransactionStatus.COMMITTED, client.resolve(late.startTimestamp(), late.commitTimestamp()));
        }
    }

    @Test
    void tablesThatAreReplicatedOrHaveLostTheirCoprocessorAreNotOpened() throws Exception {
        TableName name = hbase.table();
        Map<String, UnaryOperator<TableDescriptor>> changes = Map.of("set REPLICATION_SCOPE to 0", family("f", f -> f.setScope(1)),
                "has lost its coprocessor", without(TransactionalRegionObserver.class));
        for (Map.Entry<String, UnaryOperator<TableDescriptor>> change : changes.entrySet()) {
            changed(name, change.getValue(), () -> {
                refused(InvalidTableException.class, change.getKey(), () -> client.table(name));
                List<String> problems = TableCheck.problems(hbase.connection, name, null);
                assertEquals(1, problems.size());
                assertTrue(problems.get(0).contains(change.getKey()), problems.get(0));
            });
        }
        TableDescriptor replicated = TableDescriptorBuilder.newBuilder(TableName.valueOf("elsewhere"))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F).setScope(1).build()).build();
        refused(InvalidTableException.class, "set REPLICATION_SCOPE to 0", () -> Tables.transactional(replicated, hbase.commits));
        refused(InvalidTableException.class, "set REPLICATION_SCOPE to 0", () -> Tables.mediated(replicated, 8));
    }

    @Test
    void aPutCannotBeLessDurableThanItsTable() throws Exception {
        TransactionalTable table = client.table(hbase.table());
        try (Transaction tx = client.begin()) {
            for (Durability durability : List.of(Durability.SKIP_WAL, Durability.ASYNC_WAL)) {
                Put put = put("r", "a", "1").setDurability(durability);
                refused(IllegalArgumentException.class, "leave " + durability + " out", () -> table.put(tx, put));
            }
            table.put(tx, put("r", "a", "1").setDurability(Durability.SYNC_WAL));
            tx.commit();
        }
    }
}
