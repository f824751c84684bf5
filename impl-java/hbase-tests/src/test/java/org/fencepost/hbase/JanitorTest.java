package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.fencepost.hbase.admin.Janitor;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.hbase.store.HBaseStore;
import org.fencepost.protocol.store.StoreException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Leftovers of dead clients, without any compaction. */
@ExtendWith(Fixture.Extension.class)
class JanitorTest {

    private Fixture hbase;
    private TransactionClient client;
    private TransactionalTable table;
    private TransactionalTable other;

    @BeforeEach
    void setUp(Fixture hbase) throws Exception {
        this.hbase = hbase;
        client = hbase.client();
        table = client.table(hbase.table());
        other = client.table(hbase.table());
    }

    private Transaction pendingInBoth() {
        Transaction tx = client.begin();
        table.put(tx, put("r", "a", "new"));
        other.put(tx, put("r", "a", "new"));
        Internals.protocol(client).write(Internals.state(tx));
        return tx;
    }

    @Test
    void allTablesOfTheCommitTableAreCleanedAndHealed() throws Exception {
        Transaction committed = pendingInBoth();
        Internals.protocol(client).commit(Internals.state(committed));
        pendingInBoth();
        hbase.expireAll();
        assertTrue(hbase.janitor(client).pass() > committed.startTimestamp());
        for (TransactionalTable each : List.of(table, other)) {
            assertEquals(List.of("r/a@" + committed.startTimestamp() + "=new",
                    "r/a!" + committed.startTimestamp() + "=" + committed.commitTimestamp()), hbase.stored(each.name()));
        }
        assertEquals(List.of(), hbase.entries());
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=new", read(other, tx, "r"));
        }
    }

    @Test
    void whatIsStillActiveIsLeftAlone() throws Exception {
        Transaction writer = pendingInBoth();
        assertEquals(writer.startTimestamp(), hbase.janitor(client).pass());
        writer.commit();
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=new", read(table, tx, "r"));
        }
    }

    @Test
    void theWatermarkIsAsOldAsTheGracePeriod() throws Exception {
        Janitor janitor = new Janitor(client, hbase.manager, Duration.ofMillis(500));
        long allowed = hbase.manager.collectableBelow();
        assertEquals(0, janitor.pass());
        hbase.manager.end(hbase.manager.begin());
        assertEquals(0, janitor.pass());
        Thread.sleep(600);
        hbase.manager.end(hbase.manager.begin());
        assertEquals(allowed + 1, janitor.pass());
    }

    /** Its records may refer to any entry; were the entries collected, what is committed there would be lost. */
    @Test
    void aDisabledTableStopsTheJanitor() throws Exception {
        Transaction committed = pendingInBoth();
        Internals.protocol(client).commit(Internals.state(committed));
        try (Admin admin = hbase.connection.getAdmin()) {
            admin.disableTable(other.name());
            InvalidTableException e = assertThrows(InvalidTableException.class, () -> hbase.janitor(client).pass());
            assertTrue(e.getMessage().contains(other.name() + " is disabled"), e.getMessage());
            assertEquals(1, hbase.entries().size());
            admin.enableTable(other.name());
        }
        hbase.janitor(client).pass();
        assertEquals(List.of(), hbase.entries());
    }

    /** An entry must not go before the last record that refers to it has its commit cell. */
    @Test
    void anIncompletePassCollectsNoEntries() throws Exception {
        Transaction committed = pendingInBoth();
        Internals.protocol(client).commit(Internals.state(committed));
        TransactionClient unlucky = hbase.client(Tap.onceAfter("store.putCommitCells", () -> {
            throw new StoreException("the first record is healed, then HBase is gone");
        }).seams());
        assertThrows(StoreException.class, () -> hbase.janitor(unlucky).pass());
        assertEquals(List.of(committed.startTimestamp() + "=" + committed.commitTimestamp()), hbase.entries());
        hbase.janitor(unlucky).pass();
        assertEquals(List.of(), hbase.entries());
    }

    @Test
    void tablesOfOtherCommitTablesAreNotTouched() throws Exception {
        TableName foreign = TableName.valueOf("foreign" + hbase.commits);
        try (Admin admin = hbase.connection.getAdmin()) {
            Tables.create(admin, foreign, TableName.valueOf("another"), "f");
            pendingInBoth();
            new HBaseStore(hbase.connection).put(1, java.util.Map.of(new CellKey(foreign, Fixture.F, Fixture.F, Fixture.F),
                    org.fencepost.protocol.store.Write.of(Fixture.F)));
            hbase.expireAll();
            hbase.janitor(client).pass();
            assertEquals(1, hbase.stored(foreign).size());
            assertEquals(0, hbase.stored(table.name()).size());
        }
    }
}
