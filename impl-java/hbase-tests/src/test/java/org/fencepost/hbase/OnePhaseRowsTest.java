package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.delete;
import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.scan;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.store.HBaseStore;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.TransactionAbortedException;
import org.junit.jupiter.api.Test;

/** Guards of specs/OnePhase.tla where a batch has several rows: all of them are stored, or none. */
class OnePhaseRowsTest extends OnePhaseTable {

    private Transaction begin(List<String> rows, String value) {
        Transaction tx = client.begin();
        rows.forEach(row -> table.put(tx, put(row, "a", value)));
        return tx;
    }

    private List<String> readNow() {
        try (Transaction tx = client.begin()) {
            return scanned(tx);
        }
    }

    private CellKey cell(String row) {
        return new CellKey(name, Bytes.toBytes(row), Fixture.F, Bytes.toBytes("a"));
    }

    @Test
    void rowsOfOneRegionAreOneBatch() throws Exception {
        Transaction tx = begin(List.of("t", "r", "s"), "1");
        table.put(tx, put("s", "b", "2"));
        table.delete(tx, delete("s", "c"));
        manager.asked.set(1);
        tx.commit();
        assertEquals(2, manager.asked.get());
        assertEquals(List.of(), hbase.entries());
        assertEquals(10 + 2, hbase.stored(name).size(), "five records with their commit cells, and the first ones");
        assertCounts(1, 0, 0);
        assertEquals(List.of("r{f:a=1}", "s{f:a=1 f:b=2}", "t{f:a=1}"), readNow());
    }

    /** Guards (ClockAllows, NoNewerCommit): each of its rows may refuse it, and then none is stored. */
    @Test
    void eachRowMayRefuseABatch() {
        for (String read : List.of("r", "s", "t")) {
            Transaction tx = begin(List.of("r", "s", "t"), read);
            Transaction[] reader = new Transaction[1];
            List<String> before = readNow();
            manager.afterCertification(() -> {
                reader[0] = client.begin();
                read(reader[0], read);
            });
            tx.commit();
            assertTrue(tx.commitTimestamp() > reader[0].startTimestamp());
            assertEquals(before, scanned(reader[0]), "none of it is there for who has read one");
        }
        assertCounts(0, 3, 3);
        for (String written : List.of("r", "s", "t")) {
            Transaction tx = begin(List.of("r", "s", "t"), "lost");
            read(tx, "q"); // the next fast-path write comes after the snapshot
            fast.write(put(written, "a", "fast"));
            assertEquals(AbortCause.REFUSED, assertThrows(TransactionAbortedException.class, tx::commit).abortCause());
        }
        assertEquals(List.of("r{f:a=fast}", "s{f:a=fast}", "t{f:a=fast}"), readNow());
        assertCounts(0, 3, 6);
    }

    private List<String> scanned(Transaction tx) {
        try {
            return scan(table, tx, new Scan().withStartRow(Bytes.toBytes("r")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whoReadsAnyOfItsRowsWaitsForABatchInFlight() throws Exception {
        try (Stall.Point stalled = Stall.next()) {
            Future<?> commit = threads.submit(() -> begin(List.of("r", "s"), "1").commit());
            stalled.awaitReached();
            Transaction reader = client.begin();
            List<Future<String>> reads = Stream.of("r", "s").map(row -> threads.submit(() -> read(reader, row))).toList();
            Future<Long> write = threads.submit(() -> fast.write(put("s", "a", "2")));
            Thread.sleep(500); // they have every chance to go wrong
            assertFalse(reads.stream().anyMatch(Future::isDone) || write.isDone(), "they must wait for the batch in flight");
            stalled.close();
            commit.get();
            for (Future<String> read : reads) {
                assertEquals("f:a=1", read.get());
            }
            write.get();
        }
        assertCounts(1, 0, 0);
    }

    @Test
    void aBatchOfRowsWhoseAnswerIsLostIsFound() {
        Transaction tx = begin(List.of("r", "s"), "1");
        Stall.loseNextAnswer();
        tx.commit();
        assertEquals(List.of("r{f:a=1}", "s{f:a=1}"), readNow());
        assertCounts(1, 0, 0);
    }

    @Test
    void aBatchOfRowsThatIsNotStoredGoesTheLongWay() {
        Transaction tx = begin(List.of("r", "s"), "1");
        Stall.loseOneIn(1);
        tx.commit();
        Stall.loseOneIn(0);
        assertEquals(List.of("r{f:a=1}", "s{f:a=1}"), readNow());
        assertCounts(0, 1, 1);
    }

    /** Two that lock the same rows, named in another order, and puts of the long way between them. */
    @Test
    void batchesOfTheSameRowsEnd() throws Exception {
        List<Future<?>> all = new ArrayList<>();
        for (List<String> rows : List.of(List.of("r", "s", "t"), List.of("t", "s", "r"), List.of("s", "t", "0"))) {
            all.add(threads.submit(() -> {
                for (int i = 0; i < 50; i++) {
                    try {
                        begin(rows, "" + i).commit();
                    } catch (TransactionAbortedException e) {
                        // somebody else's turn
                    }
                }
            }));
        }
        for (Future<?> each : all) {
            each.get(20, TimeUnit.SECONDS);
        }
        assertTrue(client.commitCounts().inOnePhase() > 0);
    }

    /** Guard (InOneRegion), by the server: the client has looked before. */
    @Test
    void aRegionThatWasSplitMeanwhileTakesNoBatchOfBothHalves() throws Exception {
        Transaction tx = begin(List.of("r", "t"), "1");
        manager.afterCertification(() -> split("s"));
        tx.commit();
        assertCounts(0, 1, 1);
        assertEquals(List.of("r{f:a=1}", "t{f:a=1}"), readNow());
        begin(List.of("r", "t"), "2").commit();
        assertEquals(0, client.commitCounts().inOnePhase());
        assertEquals(List.of("r{f:a=2}", "t{f:a=2}"), readNow());
    }

    /** It is looked for in one half. */
    @Test
    void aBatchWhoseRegionWasSplitSinceIsFound() throws Exception {
        Transaction tx = begin(List.of("r", "t"), "1");
        tx.commit();
        split("s");
        HBaseStore store = new HBaseStore(hbase.connection, hbase.connection, 20_000);
        try (Admin admin = hbase.connection.getAdmin()) {
            store.opened(admin.getDescriptor(name));
        }
        List<CellKey> keys = List.of(cell("t"), cell("r"));
        assertTrue(store.batches().findsRecord(tx.startTimestamp(), tx.commitTimestamp(), keys));
        assertFalse(store.batches().findsRecord(tx.startTimestamp(), tx.commitTimestamp() + SPAN, keys));
    }

    private void split(String at) {
        try (Admin admin = hbase.connection.getAdmin()) {
            int before = admin.getRegions(name).size();
            admin.split(name, Bytes.toBytes(at));
            while (admin.getRegions(name).size() <= before) {
                Thread.sleep(50);
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void blindTransactionsOfOneRegionAreOneBatch() {
        try (Transaction tx = client.beginBlind()) {
            table.put(tx, put("r", "a", "1"));
            table.put(tx, put("s", "a", "1"));
            tx.commit();
            assertEquals(tx.startTimestamp(), tx.commitTimestamp());
        }
        assertEquals(List.of("r{f:a=1}", "s{f:a=1}"), readNow());
        assertCounts(1, 0, 0);
    }
}
