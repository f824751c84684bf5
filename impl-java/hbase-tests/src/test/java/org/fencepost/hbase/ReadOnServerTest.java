package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.commit;
import static org.fencepost.hbase.Fixture.delete;
import static org.fencepost.hbase.Fixture.pending;
import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.read;
import static org.fencepost.hbase.Fixture.scan;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.client.FastTable;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.client.Visibility;
import org.fencepost.hbase.layout.DecidedRows;
import org.fencepost.hbase.layout.FastRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What region servers decide of a read, and what they leave to its client. */
@ExtendWith(Fixture.Extension.class)
class ReadOnServerTest {

    private static final long SPAN = 1 << 10;
    private static final Filter IS_1 = new SingleColumnValueFilter(Fixture.F, Bytes.toBytes("a"), CompareOperator.EQUAL, Bytes.toBytes("1"));

    private Fixture hbase;
    private TransactionClient client;
    private TransactionalTable table;

    @BeforeEach
    void setUp(Fixture plain) throws Exception {
        hbase = plain.withSpan(SPAN);
        client = hbase.client();
        TableName name = hbase.table();
        Tables.enableCheckpoints(hbase.connection, name, SPAN);
        table = client.table(name);
    }

    /** What the servers answer to a transaction's scan. */
    private List<Result> sent(Transaction tx, Scan scan, Filter filter) throws IOException {
        Scan wide = Internals.requests(table).widen(scan, tx.startTimestamp(), Internals.state(tx).fetchPoint());
        DecidedRows.ask(wide, filter);
        List<Result> rows = new ArrayList<>();
        try (Table raw = hbase.connection.getTable(table.name()); ResultScanner scanner = raw.getScanner(wide)) {
            for (Result row = scanner.next(); row != null; row = scanner.next()) {
                rows.add(row);
            }
        }
        return rows;
    }

    private static List<String> reversed(List<String> rows) {
        List<String> reversed = new ArrayList<>(rows);
        Collections.reverse(reversed);
        return reversed;
    }

    private List<Result> sent(Transaction tx) throws IOException {
        return sent(tx, new Scan(), null);
    }

    /** Deletes, later versions, and a writer who began before the snapshot and committed after it: of all that, nothing is sent. */
    @Test
    void whatASnapshotDoesNotSeeIsNotSent() throws Exception {
        for (String row : List.of("a", "b", "c", "d")) {
            commit(client, table, row, "1");
        }
        try (Transaction tx = client.begin()) {
            table.delete(tx, delete("b", "a"));
            tx.commit();
        }
        Transaction late = pending(client, table, "c", "2");
        try (Transaction early = client.begin()) {
            late.commit();
            for (int i = 0; i < 10; i++) {
                commit(client, table, "d", "later" + i);
                commit(client, table, "e" + i, "1");
            }
            List<Result> rows = sent(early);
            assertEquals(List.of("f:a=1", "f:a=1", "f:a=1"), rows.stream().map(Fixture::show).toList());
            for (Result row : rows) {
                assertTrue(DecidedRows.isDecided(row));
                assertEquals(HConstants.LATEST_TIMESTAMP, row.rawCells()[0].getTimestamp());
            }
            assertEquals(List.of("a{f:a=1}", "c{f:a=1}", "d{f:a=1}"), scan(table, early, new Scan()));
            assertEquals(2, scan(table, early, new Scan().setLimit(2)).size());
            assertEquals("f:a=1", read(table, early, "d"));
            assertEquals("", read(table, early, "b"));
        }
    }

    /** Only those that may matter are. A limit and a filter are not to be held against them before they are decided. */
    @Test
    void aPendingRowIsHandedOverAndDecidedByItsReader() throws Exception {
        for (String row : List.of("a", "b", "c", "d", "e", "f")) {
            commit(client, table, row, "1");
        }
        pending(client, table, "a", "2");
        pending(client, table, "b", "2");
        Transaction done = pending(client, table, "d", "2");
        Internals.protocol(client).commit(Internals.state(done)); // and dies
        try (Transaction tx = client.begin()) {
            Transaction later = pending(client, table, "e", "2"); // which is in nobody's way
            List<Result> rows = sent(tx, new Scan(), IS_1);
            assertEquals(List.of(false, false, true, false, true, true), rows.stream().map(DecidedRows::isDecided).toList());
            assertEquals(List.of("a{f:a=1}", "b{f:a=1}", "c{f:a=1}", "e{f:a=1}", "f{f:a=1}"), scan(table, tx, new Scan().setFilter(IS_1)));
            assertEquals("f:a=2", read(table, tx, "d"));
            later.rollback();
        }
        try (Transaction tx = client.begin()) {
            assertTrue(sent(tx).stream().filter(row -> !DecidedRows.isDecided(row)).count() <= 2, "d was healed, a and b are invalidated");
            for (int limit = 1; limit <= 5; limit++) {
                assertEquals(limit, scan(table, tx, new Scan().setFilter(IS_1).setLimit(limit)).size());
            }
        }
    }

    /** The servers' limit is reached before the rows that the client drops are made up for. */
    @Test
    void aLimitIsNotReachedByRowsThatTheClientDrops() throws Exception {
        for (int i = 0; i < 9; i++) {
            commit(client, table, "r" + i, "1");
        }
        for (int i = 0; i < 3; i++) {
            Transaction done = pending(client, table, "r" + i, "2");
            Internals.protocol(client).commit(Internals.state(done));
        }
        try (Transaction tx = client.begin()) {
            table.delete(tx, delete("r3", "a"));
            table.put(tx, put("r4", "a", "2"));
            table.put(tx, put("r45", "a", "1"));
            List<String> all = List.of("r45{f:a=1}", "r5{f:a=1}", "r6{f:a=1}", "r7{f:a=1}", "r8{f:a=1}");
            for (int limit = 1; limit <= 5; limit++) {
                Scan scan = new Scan().setFilter(IS_1).setLimit(limit);
                assertEquals(all.subList(0, limit), scan(table, tx, scan));
                assertEquals(reversed(all).subList(0, limit), scan(table, tx, new Scan(scan).setReversed(true)));
                assertEquals(all.subList(0, limit), scan(table, tx, new Scan(scan).setCaching(1)));
            }
        }
    }

    @Test
    void aFilterJudgesARowTogetherWithWhatTheTransactionHasWritten() throws Exception {
        try (Transaction tx = client.begin()) {
            table.put(tx, List.of(put("r", "a", "0", "b", "x"), put("s", "a", "1", "b", "x"), put("t", "a", "1", "b", "x")));
            tx.commit();
        }
        SingleColumnValueExcludeFilter is1 = new SingleColumnValueExcludeFilter(Fixture.F, Bytes.toBytes("a"), CompareOperator.EQUAL, Bytes.toBytes("1"));
        is1.setFilterIfMissing(true);
        try (Transaction tx = client.begin()) {
            table.put(tx, List.of(put("r", "a", "1"), put("s", "a", "2")));
            for (int i = 0; i < 2; i++) {
                assertEquals(List.of("r{f:b=x}", "t{f:b=x}"), scan(table, tx, new Scan().setFilter(is1)));
                for (String row : List.of("r", "t")) {
                    assertEquals("f:b=x", Fixture.show(table.get(tx, Fixture.get(row).setFilter(is1))));
                }
                assertEquals("", Fixture.show(table.get(tx, Fixture.get("s").setFilter(is1))));
                tx.flush();
            }
            try (ResultScanner scanner = table.getScanner(tx, new Scan().setFilter(is1))) {
                assertEquals("r", Bytes.toString(scanner.next().getRow()));
                tx.checkpoint();
                tx.visibility(Visibility.SNAPSHOT);
                table.put(tx, List.of(put("s", "a", "1"), put("t", "a", "2")));
                assertEquals("s", Bytes.toString(scanner.next().getRow()), "written meanwhile");
                assertEquals(null, scanner.next());
            }
        }
    }

    /** Whatever HBase's scanner goes through: pages of one row, long stretches of nothing, another server. */
    @Test
    void aScanGoesOnWhereItsScannerWas() throws Exception {
        List<String> expected = new ArrayList<>();
        for (int i = 10; i < 40; i++) {
            commit(client, table, "r" + i, i % 5 == 0 ? "1" : "0");
            if (i % 5 == 0) {
                expected.add("r" + i);
            }
        }
        try (Transaction tx = client.begin(); ResultScanner scanner = table.getScanner(tx, new Scan().setFilter(IS_1).setCaching(1))) {
            List<String> found = new ArrayList<>();
            for (Result row = scanner.next(); row != null; row = scanner.next()) {
                found.add(Bytes.toString(row.getRow()));
                if (found.size() == 2) {
                    commit(client, table, "r21", "1"); // in no snapshot of ours
                    hbase.flush(table.name());
                    hbase.move(table.name(), "r");
                }
            }
            assertEquals(expected, found);
        }
    }

    /** Of the fast path: what is written after the look is later than the snapshot. */
    @Test
    void aScanLiftsTheClockBeforeItLooks() throws Exception {
        TableName name = hbase.fastTable(1);
        TransactionalTable regular = client.table(name);
        FastTable fast = client.fastTable(name);
        fast.write(put("r", "a", "1"));
        try (Transaction tx = client.begin()) {
            assertEquals(List.of("r{f:a=1}"), scan(regular, tx, new Scan()));
            fast.write(put("r", "a", "2"));
            fast.write(put("s", "a", "2"));
            assertEquals(List.of("r{f:a=1}"), scan(regular, tx, new Scan()));
            assertEquals("f:a=1", read(regular, tx, "r"));
        }
    }

    /** A server stops at the first filter that is none of HBase's for single rows, before it makes anything of it. */
    @Test
    void requestsThatMakeNoSenseAreRefused() throws Exception {
        commit(client, table, "r", "1");
        Filter deep = IS_1;
        for (int i = 0; i < 2_000; i++) {
            deep = new FilterList(deep);
        }
        try (Transaction tx = client.begin(); Table raw = hbase.connection.getTable(table.name())) {
            for (Filter filter : List.of(new PageFilter(1), new FilterList(new FilterList(new PageFilter(1))), deep)) {
                assertTrue(assertThrows(DoNotRetryIOException.class, () -> sent(tx, new Scan(), filter)).getMessage().contains("judge each row"));
                assertEquals(List.of("r{f:a=1}"), scan(table, tx, new Scan().setFilter(new FilterList(new PageFilter(1)))));
            }
            for (byte[] wrong : List.of(new byte[] {1}, new byte[100], Bytes.toBytes("org.apache.hadoop.hbase.filter.PrefixFilter"))) {
                Get get = FastRequest.withSpan(new Get(Bytes.toBytes("r")).setTimeRange(0, tx.startTimestamp()), SPAN);
                FastRequest.setSnapshot(get, tx.startTimestamp());
                get.setAttribute("fencepost.decide", wrong);
                assertTrue(assertThrows(DoNotRetryIOException.class, () -> raw.get(get)).getMessage().contains("judge each row"));
            }
            Get without = new Get(Bytes.toBytes("r"));
            DecidedRows.ask(without, null);
            assertTrue(assertThrows(DoNotRetryIOException.class, () -> raw.get(without)).getMessage().contains("goes with a snapshot"));
            assertEquals("f:a=1", read(table, tx, "r"));
        }
    }

    @Test
    void filtersThatChangeCellsDoSoOnce() throws Exception {
        commit(client, table, "r", "1");
        try (Transaction tx = client.begin()) {
            Filter lengths = new FilterList(new PrefixFilter(Bytes.toBytes("r")), new KeyOnlyFilter(true));
            for (Result row : List.of(table.get(tx, Fixture.get("r").setFilter(lengths)),
                    table.getScanner(tx, new Scan().setFilter(lengths)).next())) {
                Cell cell = row.rawCells()[0];
                assertEquals(1, Bytes.toInt(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength()));
                assertFalse(row.size() > 1);
            }
        }
    }
}
