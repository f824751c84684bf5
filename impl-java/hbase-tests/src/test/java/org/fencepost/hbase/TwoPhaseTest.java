package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.commit;
import static org.fencepost.hbase.Fixture.pending;
import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.TransactionAbortedException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Omid 2PC on HBase: conflicts are found by the region servers, and intents of the dead are in nobody's way. */
@ExtendWith(Fixture.Extension.class)
class TwoPhaseTest {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private Fixture hbase;
    private TransactionClient client;
    private TransactionalTable table;

    @BeforeEach
    void open(Fixture fixture) throws IOException {
        hbase = fixture;
        hbase.conf.set(Settings.PROTOCOL, "2pc");
        client = hbase.client();
        table = client.table(twoPhaseTable());
    }

    private TableName twoPhaseTable() throws IOException {
        TableName name = TableName.valueOf("intents" + NUMBER.incrementAndGet());
        try (Admin admin = hbase.connection.getAdmin()) {
            admin.createTable(Tables.twoPhase(Tables.transactional(TableDescriptorBuilder.newBuilder(name)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f")).build(), hbase.commits)));
        }
        return name;
    }

    /** The manager compares no keys of Omid 2PC's, but the tables. */
    @Test
    void aFenceBindsWhoBeganBefore() throws Exception {
        Transaction writer = client.begin();
        table.put(writer, put("r", "a", "1"));
        client.fence(table.name());
        assertEquals(AbortCause.FENCED, assertThrows(TransactionAbortedException.class, writer::commit).abortCause());
        assertEquals("", readNow("r"));
    }

    private String readNow(String row) {
        try (Transaction tx = client.begin()) {
            return read(table, tx, row);
        }
    }

    private static void assertConflict(Transaction tx) {
        assertEquals(AbortCause.CONFLICT, assertThrows(TransactionAbortedException.class, tx::commit).abortCause());
    }

    @Test
    void theSecondWriterOfACellAborts() throws IOException {
        Transaction first = client.begin();
        Transaction second = client.begin();
        table.put(first, List.of(put("q", "a", "1"), put("r", "a", "1"), put("s", "a", "1")));
        table.put(second, List.of(put("r", "a", "2", "b", "2")));
        second.commit();
        assertConflict(first);
        assertEquals("f:a=2 f:b=2", readNow("r"));
        assertEquals("", readNow("q"));
        assertEquals(4, hbase.stored(table.name()).size(), "the loser cleaned up");
        commit(client, table, "r", "3");
        assertEquals("f:a=3 f:b=2", readNow("r"));
        assertEquals(List.of(), hbase.entries());
    }

    @Test
    void anIntentOfTheDeadIsRemoved() throws IOException {
        Transaction dead = pending(client, table, "r", "dead");
        commit(client, table, "r", "1");
        assertEquals("f:a=1", readNow("r"));
        assertEquals(AbortCause.INVALIDATED, assertThrows(TransactionAbortedException.class, dead::commit).abortCause());
    }

    @Test
    void anIntentOfTheCommittedGetsItsCommitCell() throws IOException {
        Transaction dead = client.begin();
        table.put(dead, put("r", "a", "dead"));
        Internals.protocol(client).commit(Internals.state(dead)); // without post-commit
        Transaction overlapping = client.begin();
        commit(client, table, "r", "2");
        table.put(overlapping, put("r", "a", "1"));
        assertConflict(overlapping);
        assertEquals(4, hbase.stored(table.name()).size(), "two records and their commit cells");
        hbase.janitor(client).pass();
        assertEquals("f:a=2", readNow("r"));
    }

    @Test
    void theOlderGivesWay() {
        Transaction older = client.begin();
        table.put(older, put("r", "a", "older"));
        Transaction younger = pending(client, table, "r", "younger");
        assertConflict(older);
        younger.commit();
        assertEquals("f:a=younger", readNow("r"));
    }

    @Test
    void noUpdateIsLost() {
        commit(client, table, "r", "0");
        AtomicInteger committed = new AtomicInteger();
        IntStream.range(0, 8).parallel().forEach(i -> {
            for (int n = 0; n < 20; n++) {
                Transaction tx = client.begin();
                try {
                    int value = Integer.parseInt(read(table, tx, "r").substring(4));
                    table.put(tx, put("r", "a", Integer.toString(value + 1)));
                    tx.commit();
                    committed.incrementAndGet();
                } catch (TransactionAbortedException e) {
                    // another one was faster
                }
            }
        });
        assertTrue(committed.get() > 0);
        assertEquals("f:a=" + committed, readNow("r"));
    }

    @Test
    void theProtocolsDoNotMeet() throws IOException {
        TableName ll = hbase.table();
        assertEquals("HBase table " + ll + " is not for Omid 2PC: set fencepost.protocol to ll.",
                assertThrows(InvalidTableException.class, () -> client.table(ll)).getMessage());
        hbase.conf.set(Settings.PROTOCOL, "ll");
        TransactionClient other = hbase.client();
        assertEquals("HBase table " + table.name() + " is for Omid 2PC: set fencepost.protocol to 2pc.",
                assertThrows(InvalidTableException.class, () -> other.table(table.name())).getMessage());
        assertThrows(InvalidTableException.class, () -> Tables.enableFastPath(hbase.connection, table.name(), 2));
        hbase.conf.set(Settings.PROTOCOL, "x");
        assertEquals("fencepost.protocol is 2pc or ll, not x.",
                assertThrows(IllegalArgumentException.class, () -> hbase.client()).getMessage());
    }
}
