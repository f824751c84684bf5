package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.delete;
import static org.fencepost.hbase.Fixture.get;
import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.read;
import static org.fencepost.hbase.Fixture.scan;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.store.HBaseStore;
import org.fencepost.protocol.TransactionStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The table API as an HBase user knows it, in one transaction after the other. */
@ExtendWith(Fixture.Extension.class)
class TransactionalTableTest {

    private Fixture hbase;
    private TransactionClient client;
    private TransactionalTable table;

    @BeforeEach
    void setUp(Fixture hbase) throws Exception {
        this.hbase = hbase;
        client = hbase.client();
        table = client.table(hbase.table("f", "g"));
    }

    private void commit(Put... puts) {
        try (Transaction tx = client.begin()) {
            table.put(tx, List.of(puts));
            tx.commit();
        }
    }

    private String readNow(String row) {
        try (Transaction tx = client.begin()) {
            return read(table, tx, row);
        }
    }

    private List<String> scanNow(Scan scan) throws Exception {
        try (Transaction tx = client.begin()) {
            return scan(table, tx, scan);
        }
    }

    @Test
    void aTransactionReadsItsSnapshotAndItsOwnWrites() throws Exception {
        commit(put("r", "a", "1", "b", "1"));
        try (Transaction early = client.begin(); Transaction writer = client.begin()) {
            table.put(writer, put("r", "a", "2", "c", "2"));
            assertEquals("f:a=2 f:b=1 f:c=2", read(table, writer, "r"));
            assertEquals("f:a=1 f:b=1", read(table, early, "r"));
            writer.commit();
            assertEquals("f:a=1 f:b=1", read(table, early, "r"));
            early.commit();
            assertEquals(TransactionStatus.COMMITTED, early.status());
        }
        assertEquals("f:a=2 f:b=1 f:c=2", readNow("r"));
        assertEquals("", readNow("nothing"));
    }

    @Test
    void closeRollsBackWhatWasNotCommitted() throws Exception {
        Transaction tx = client.begin();
        try (tx) {
            table.put(tx, put("r", "a", "1"));
        }
        assertEquals(TransactionStatus.ABORTED, tx.status());
        assertEquals("", readNow("r"));
        assertEquals(List.of(), hbase.stored(table.name()));
    }

    @Test
    void resultsShowNeitherVersionsNorCommitCells() throws Exception {
        commit(put("r", "a", "1"), put("s", "a", "1"));
        try (Transaction tx = client.begin()) {
            for (Result result : List.of(table.get(tx, get("r")), table.getScanner(tx, new Scan()).next())) {
                assertEquals(1, result.size());
                Cell cell = result.rawCells()[0];
                assertEquals(HConstants.LATEST_TIMESTAMP, cell.getTimestamp());
                // So that a cell that was read can be written again as it is.
                table.put(tx, new Put(Bytes.toBytes("r")).add(cell));
            }
        }
    }

    @Test
    void getsReturnTheRequestedColumnsOnly() throws Exception {
        commit(put("r", "a", "1", "b", "2").addColumn(Bytes.toBytes("g"), Bytes.toBytes("a"), Bytes.toBytes("3")));
        try (Transaction tx = client.begin()) {
            table.put(tx, put("r", "c", "4").addColumn(Bytes.toBytes("g"), null, Bytes.toBytes("5")));
            assertEquals("f:b=2", Fixture.show(table.get(tx, get("r").addColumn(Fixture.F, Bytes.toBytes("b")))));
            assertEquals("f:c=4", Fixture.show(table.get(tx, get("r").addColumn(Fixture.F, Bytes.toBytes("c")))));
            assertEquals("g:=5 g:a=3", Fixture.show(table.get(tx, get("r").addFamily(Bytes.toBytes("g")))));
            assertEquals("f:a=1 g:=5 g:a=3", Fixture.show(table.get(tx,
                    get("r").addFamily(Bytes.toBytes("g")).addColumn(Fixture.F, Bytes.toBytes("a")))));
            List<Result> several = table.get(tx, List.of(get("none"), get("r").addColumn(Fixture.F, Bytes.toBytes("a"))));
            assertEquals(List.of("", "f:a=1"), several.stream().map(Fixture::show).toList());
        }
    }

    @Test
    void columnsFamiliesAndRowsAreDeleted() throws Exception {
        byte[] g = Bytes.toBytes("g");
        commit(put("r", "a", "1", "b", "1", "c", "1").addColumn(g, g, g));
        try (Transaction early = client.begin(); Transaction tx = client.begin()) {
            table.delete(tx, delete("r", "a"));
            assertEquals("f:b=1 f:c=1 g:g=g", read(table, tx, "r"));
            tx.commit();
            assertEquals("f:a=1 f:b=1 f:c=1 g:g=g", read(table, early, "r"));
        }
        assertEquals("f:b=1 f:c=1 g:g=g", readNow("r"));
        try (Transaction tx = client.begin()) {
            table.put(tx, put("r", "d", "own"));
            table.delete(tx, new Delete(Bytes.toBytes("r")).addFamily(Fixture.F));
            assertEquals("g:g=g", read(table, tx, "r"));
            table.put(tx, put("r", "a", "2"));
            tx.commit();
        }
        assertEquals("f:a=2 g:g=g", readNow("r"));
        try (Transaction tx = client.begin()) {
            table.delete(tx, new Delete(Bytes.toBytes("r")));
            assertEquals("", read(table, tx, "r"));
            assertEquals(List.of(), scan(table, tx, new Scan()));
            tx.commit();
        }
        assertEquals("", readNow("r"));
        commit(put("r", "a", "3"));
        assertEquals("f:a=3", readNow("r"));
    }

    /** Within a transaction the last of put and delete counts, whatever their order. */
    @Test
    void putAndDeleteOfOneColumnReplaceEachOther() throws Exception {
        commit(put("r", "a", "1"));
        try (Transaction tx = client.begin()) {
            table.put(tx, put("r", "a", "2"));
            table.delete(tx, delete("r", "a"));
            table.put(tx, put("r", "a", "3"));
            table.put(tx, put("s", "a", "3"));
            table.delete(tx, delete("s", "a"));
            tx.commit();
        }
        assertEquals(List.of("r{f:a=3}"), scanNow(new Scan()));
    }

    @Test
    void aDeletedColumnStaysDeletedForEmptyAndOddValues() throws Exception {
        commit(put("r", "a", "", "b", "\0fpc"));
        assertEquals("f:a= f:b=\0fpc", readNow("r"));
    }

    @Test
    void scansMergeStoredAndOwnRows() throws Exception {
        commit(put("b", "a", "1"), put("d", "a", "1"), put("f", "a", "1"), put("h", "a", "1"));
        try (Transaction tx = client.begin()) {
            table.put(tx, List.of(put("a", "a", "2"), put("d", "a", "2"), put("e", "b", "2"), put("i", "a", "2")));
            table.delete(tx, new Delete(Bytes.toBytes("f")));
            List<String> all = List.of("a{f:a=2}", "b{f:a=1}", "d{f:a=2}", "e{f:b=2}", "h{f:a=1}", "i{f:a=2}");
            assertEquals(all, scan(table, tx, new Scan()));
            assertEquals(all, scan(table, tx, new Scan().setCaching(1)));
            assertEquals(reversed(all), scan(table, tx, new Scan().setReversed(true)));
            assertEquals(all.subList(1, 4), scan(table, tx, range("b", "h")));
            assertEquals(all.subList(2, 5), scan(table, tx, new Scan().withStartRow(Bytes.toBytes("b"), false)
                    .withStopRow(Bytes.toBytes("h"), true)));
            assertEquals(reversed(all.subList(1, 4)), scan(table, tx, new Scan().withStartRow(Bytes.toBytes("e"))
                    .withStopRow(Bytes.toBytes("a")).setReversed(true)));
            assertEquals(all.subList(0, 3), scan(table, tx, new Scan().setLimit(3)));
            assertEquals(all.subList(3, 4), scan(table, tx, new Scan().addColumn(Fixture.F, Bytes.toBytes("b"))));
            assertEquals(List.of(), scan(table, tx, new Scan().addFamily(Bytes.toBytes("g"))));
            assertEquals(all.subList(3, 4), scan(table, tx, new Scan().withStartRow(Bytes.toBytes("e"), true)
                    .withStopRow(Bytes.toBytes("e"), true)));
        }
        assertEquals(List.of("b{f:a=1}", "d{f:a=1}", "f{f:a=1}", "h{f:a=1}"), scanNow(new Scan()));
    }

    private static Scan range(String start, String stop) {
        return new Scan().withStartRow(Bytes.toBytes(start)).withStopRow(Bytes.toBytes(stop));
    }

    private static List<String> reversed(List<String> rows) {
        List<String> reversed = new java.util.ArrayList<>(rows);
        java.util.Collections.reverse(reversed);
        return reversed;
    }

    @Test
    void aScanSeesOwnWritesThatComeWhileItRuns() throws Exception {
        commit(put("b", "a", "1"), put("d", "a", "1"));
        try (Transaction tx = client.begin(); ResultScanner scanner = table.getScanner(tx, new Scan())) {
            assertEquals("b", Bytes.toString(scanner.next().getRow()));
            table.put(tx, List.of(put("a", "a", "2"), put("c", "a", "2")));
            assertEquals("c", Bytes.toString(scanner.next().getRow()));
            assertEquals("d", Bytes.toString(scanner.next().getRow()));
            assertNull(scanner.next());
            assertNull(scanner.next());
        }
    }

    /** On a region server these filters would judge versions that are not in the snapshot. */
    @Test
    void filtersJudgeTheRowsOfTheSnapshot() throws Exception {
        commit(put("a", "v", "1"), put("b", "v", "2"), put("ba", "v", "1"), put("c", "v", "1", "w", "x"));
        try (Transaction early = client.begin()) {
            commit(put("a", "v", "2"), put("c", "v", "2"));
            SingleColumnValueFilter is1 =
                    new SingleColumnValueFilter(Fixture.F, Bytes.toBytes("v"), CompareOperator.EQUAL, Bytes.toBytes("1"));
            assertEquals(List.of("a{f:v=1}", "ba{f:v=1}", "c{f:v=1 f:w=x}"), scan(table, early, new Scan().setFilter(is1)));
            assertEquals(List.of("ba{f:v=1}"), scanNow(new Scan().setFilter(is1)));
            Scan page = new Scan().setFilter(new FilterList(is1, new PageFilter(2)));
            assertEquals(List.of("a{f:v=1}", "ba{f:v=1}"), scan(table, early, page));
            assertEquals(List.of("a{f:v=1}", "ba{f:v=1}"), scan(table, early, page), "a Scan can be used twice");
            assertEquals(List.of("b{f:v=2}", "ba{f:v=1}"),
                    scan(table, early, new Scan().setFilter(new PrefixFilter(Bytes.toBytes("b")))));
            assertEquals(List.of("ba{f:v=1}", "b{f:v=2}"),
                    scan(table, early, new Scan().setReversed(true).setFilter(new PrefixFilter(Bytes.toBytes("b")))));
            assertEquals(List.of("c{f:w=x}"), scan(table, early, new Scan().setFilter(
                    new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(Bytes.toBytes("x"))))));
            assertEquals("f:v=", Fixture.show(table.get(early, get("a").setFilter(new KeyOnlyFilter()))));
            assertEquals(1, scan(table, early, new Scan().setFilter(is1).setLimit(1)).size());
        }
    }

    @Test
    void aTransactionSpansTables() throws Exception {
        TableName other = hbase.table();
        TransactionalTable second = client.table(other);
        try (Transaction tx = client.begin()) {
            table.put(tx, put("r", "a", "1"));
            second.put(tx, put("r", "a", "2"));
            tx.commit();
        }
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=1", read(table, tx, "r"));
            assertEquals("f:a=2", read(second, tx, "r"));
        }
        assertEquals(List.of(), hbase.entries());
    }

    /** More versions of a column above the snapshot than one request fetches. */
    @Test
    void anOldSnapshotIsFoundBelowManyVersions() throws Exception {
        commit(put("r", "a", "old"));
        // The first rival begins before the snapshot, so that its version lies below it and its commit above.
        try (Transaction rival = client.begin(); Transaction early = client.begin()) {
            table.put(rival, put("r", "a", "rival"));
            rival.commit();
            for (int i = 0; i < 10; i++) {
                commit(put("r", "a", "new" + i));
            }
            assertEquals("f:a=old", read(table, early, "r"));
            assertEquals(List.of("r{f:a=old}"), scan(table, early, new Scan()));
        }
        assertEquals("f:a=new9", readNow("r"));
    }

    @Test
    void aSnapshotIsFoundBelowManyLeftovers() throws Exception {
        commit(put("r", "a", "good"));
        HBaseStore store = new HBaseStore(hbase.connection);
        CellKey key = new CellKey(table.name(), Bytes.toBytes("r"), Fixture.F, Bytes.toBytes("a"));
        for (int i = 0; i < 3 * Layout.PAGE; i++) {
            long dead = hbase.manager.begin();
            store.put(dead, java.util.Map.of(key, org.fencepost.protocol.store.Write.of(Bytes.toBytes("dead"))));
        }
        assertEquals("f:a=good", readNow("r"));
        assertEquals(List.of("r{f:a=good}"), scanNow(new Scan()));
    }

    @Test
    void postCommitInTheBackgroundIsFinishedByClose() throws Exception {
        hbase.conf.setInt(Settings.POST_COMMIT_THREADS, 2);
        hbase.conf.setInt(Settings.POST_COMMIT_QUEUE, 5);
        try (TransactionClient background = hbase.client()) {
            TransactionalTable sameTable = background.table(table.name());
            for (int i = 0; i < 50; i++) {
                try (Transaction tx = background.begin()) {
                    sameTable.put(tx, put("r" + i, "a", "1"));
                    tx.commit();
                }
            }
        }
        assertEquals(100, hbase.stored(table.name()).size(), "50 values and 50 commit cells");
        assertEquals(List.of(), hbase.entries());
        assertTrue(scanNow(new Scan()).size() == 50);
    }
}
