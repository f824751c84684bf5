package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.client.FastTable;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.client.Visibility;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.TransactionFinishedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Transactions with several write points, on tables with a fast path and without (specs/Checkpoints.tla). */
@ExtendWith(Fixture.Extension.class)
class CheckpointTest {

    private static final long SPAN = 1 << 10;

    private static Delete delete(String row) {
        return new Delete(Bytes.toBytes(row)).addColumns(Fixture.F, Bytes.toBytes("a"));
    }

    /** Rows and values. */
    private static List<String> scan(TransactionalTable table, Transaction tx) throws Exception {
        List<String> rows = new ArrayList<>();
        try (ResultScanner scanner = table.getScanner(tx, new Scan())) {
            for (Result row = scanner.next(); row != null; row = scanner.next()) {
                rows.add(Bytes.toString(row.getRow()) + "=" + Bytes.toString(row.value()));
            }
        }
        return rows;
    }

    private static TransactionalTable levelled(Fixture hbase, TransactionClient client) throws Exception {
        TableName name = hbase.table();
        Tables.enableCheckpoints(hbase.connection, name, SPAN);
        return client.table(name);
    }

    @Test
    void aStatementThatInsertsWhatItSelectsComesToAnEnd(Fixture plain) throws Exception {
        Fixture hbase = plain.withSpan(SPAN);
        TransactionClient client = hbase.client();
        TransactionalTable table = levelled(hbase, client);
        Fixture.commit(client, table, "r", "0");
        Transaction tx = client.begin();
        for (int i = 1; i <= 3; i++) {
            tx.checkpoint();
            assertEquals(Visibility.EXCLUDE_CURRENT, tx.visibility());
            List<String> before = scan(table, tx);
            try (ResultScanner scanner = table.getScanner(tx, new Scan())) {
                for (Result row = scanner.next(); row != null; row = scanner.next()) {
                    table.put(tx, put(Bytes.toString(row.getRow()) + i, "a", "" + i));
                    table.put(tx, put("r", "a", "" + i));
                    if (i == 2) {
                        break;
                    }
                }
            }
            assertEquals(before, scan(table, tx), "it does not see what it writes");
            if (i == 3) {
                tx.flush();
                assertEquals(before, scan(table, tx), "nor when that is stored");
            }
            tx.visibility(Visibility.SNAPSHOT);
            assertEquals("f:a=" + i, read(table, tx, "r"));
        }
        List<String> own = scan(table, tx);
        assertEquals(Set.of("r=3", "r1=1", "r2=2", "r3=3", "r13=3", "r23=3"), Set.copyOf(own));
        tx.commit();
        try (Transaction later = client.begin()) {
            assertEquals(own, scan(table, later));
        }
    }

    @Test
    void othersSeeTheLastLevelAlsoOnTheFastPathAndAfterCompactions(Fixture plain) throws Exception {
        Fixture hbase = plain.withSpan(SPAN);
        TransactionClient client = hbase.client();
        TableName name = hbase.fastTable(1);
        TransactionalTable table = client.table(name);
        FastTable fast = client.fastTable(name);
        fast.write(put("r", "a", "0"));
        Transaction tx = client.begin();
        Transaction before = client.begin();
        table.put(tx, put("r", "a", "1"));
        tx.checkpoint();
        table.put(tx, put("r", "a", "2"));
        table.put(tx, put("s", "a", "2"));
        tx.flush();
        assertEquals("f:a=0", Fixture.show(fast.read(new Get(Bytes.toBytes("r")).addColumn(Fixture.F, Bytes.toBytes("a")))));
        Internals.protocol(client).commit(Internals.state(tx)); // and dies
        assertEquals("f:a=0", read(table, before, "r"));
        before.commit();
        try (Transaction later = client.begin()) {
            assertEquals("f:a=2", read(table, later, "r"));
        }
        hbase.expireAll();
        hbase.janitor(client).pass();
        hbase.compact(name);
        assertEquals("f:a=2", Fixture.show(fast.read(new Get(Bytes.toBytes("r")).addColumn(Fixture.F, Bytes.toBytes("a")))));
        CellKey key = new CellKey(name, Bytes.toBytes("r"), Fixture.F, Bytes.toBytes("a"));
        assertEquals(null, Internals.rows(client).reread(key, tx.startTimestamp()), "the first level is gone");
        assertEquals(List.of(), hbase.entries());
        assertTrue(fast.write(put("r", "a", "3")) % SPAN >= 50, "the fast path's versions are no levels");
    }

    @Test
    void snapshotAllTellsEachVersionAndAnAbortLeavesNone(Fixture plain) throws Exception {
        Fixture hbase = plain.withSpan(SPAN);
        TransactionClient client = hbase.client();
        TransactionalTable table = levelled(hbase, client);
        Fixture.commit(client, table, "r", "0");
        Transaction tx = client.begin();
        table.put(tx, put("r", "a", "1"));
        tx.checkpoint();
        table.delete(tx, delete("r"));
        tx.checkpoint();
        table.put(tx, put("r", "a", "3"));
        tx.visibility(Visibility.ALL);
        List<String> all = new ArrayList<>();
        for (Cell cell : table.get(tx, new Get(Bytes.toBytes("r"))).rawCells()) {
            all.add(cell.getType() + " " + Bytes.toString(CellUtil.cloneValue(cell)));
        }
        assertEquals(List.of("Put 3", "Delete ", "Put 1", "Put 0"), all);
        tx.visibility(Visibility.EXCLUDE_CURRENT);
        assertEquals("", read(table, tx, "r"));
        tx.rollback();
        for (int level = 0; level < 3; level++) {
            CellKey key = new CellKey(table.name(), Bytes.toBytes("r"), Fixture.F, Bytes.toBytes("a"));
            assertEquals(null, Internals.rows(client).reread(key, tx.startTimestamp() + level));
        }
        try (Transaction later = client.begin()) {
            assertEquals("f:a=0", read(table, later, "r"));
        }
    }

    @Test
    void whatHasNoRoomOrNoModelIsRefused(Fixture plain) throws Exception {
        Fixture hbase = plain.withSpan(SPAN);
        TransactionClient client = hbase.client();
        TransactionalTable table = levelled(hbase, client);
        TransactionalTable dense = client.table(hbase.table());
        Transaction tx = client.begin();
        assertThrows(TransactionException.class, () -> tx.visibility(Visibility.EXCLUDE_CURRENT));
        for (int i = 1; i < 50; i++) {
            tx.checkpoint();
        }
        assertTrue(assertThrows(TransactionException.class, tx::checkpoint).getMessage().contains("has made 49 checkpoints"));
        assertTrue(assertThrows(TransactionException.class, () -> dense.put(tx, put("r", "a", "1"))).getMessage().contains("has versions for 1"));
        table.put(tx, put("r", "a", "49"));
        tx.commit();
        assertThrows(TransactionFinishedException.class, tx::checkpoint);
        assertThrows(TransactionFinishedException.class, tx::flush);
        assertThrows(TransactionFinishedException.class, () -> tx.visibility(Visibility.ALL));
        try (Transaction later = client.begin()) {
            assertEquals("f:a=49", read(table, later, "r"));
        }
        assertThrows(IllegalArgumentException.class, () -> Tables.enableCheckpoints(hbase.connection, hbase.table(), 64));
        assertThrows(InvalidTableException.class, () -> Tables.enableCheckpoints(hbase.connection, TableName.valueOf("no-such-table"), SPAN));
        Fixture narrow = plain.withSpan(16);
        TransactionClient close = narrow.client();
        TableName name = narrow.table();
        Tables.enableCheckpoints(narrow.connection, name, SPAN);
        assertTrue(assertThrows(InvalidTableException.class, () -> close.table(name)).getMessage().contains("start that with a leap of " + SPAN));
    }
}
