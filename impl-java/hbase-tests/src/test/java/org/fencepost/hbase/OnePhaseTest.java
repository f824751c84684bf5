package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.delete;
import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.scan;
import static org.fencepost.hbase.Fixture.show;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.client.CommitCounts;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.BatchRequest;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.OmidWrites;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.store.Write;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The guards of specs/OnePhase.tla, one by one, on a real HBase of two region servers. */
class OnePhaseTest extends OnePhaseTable {

    private Transaction begin(String row, String value) {
        Transaction tx = client.begin();
        table.put(tx, put(row, "a", value));
        return tx;
    }

    private String readNow(String row) {
        try (Transaction tx = client.begin()) {
            return read(tx, row);
        }
    }

    @Test
    void oneBatchIsTheCommit() throws Exception {
        try (Transaction tx = client.begin()) {
            table.put(tx, put("r", "a", "1", "b", "2"));
            table.delete(tx, delete("r", "c"));
            assertEquals("f:a=1 f:b=2", read(tx, "r"));
            tx.commit();
            assertTrue(hbase.stored(name).contains("r/a!" + tx.startTimestamp() + "=" + tx.commitTimestamp()));
            assertEquals(6 + 2, hbase.stored(name).size(), "three records with their commit cells, and the first ones");
        }
        assertEquals(List.of(), hbase.entries());
        assertEquals("f:a=1 f:b=2", readNow("r"));
        assertEquals("f:a=1", show(fast.read(Fixture.get("r").addColumn(Fixture.F, Bytes.toBytes("a")))));
        assertCounts(1, 0, 0);
    }

    /** One request that writes, and so one log entry with one sync; two to the transaction manager; nothing after. */
    @Test
    void aSingleWriteIsOneRequest() throws Exception {
        Transaction tx = begin("r", "1");
        long before = writeRequests();
        manager.asked.set(1);
        tx.commit();
        client.close();
        assertEquals(1, writeRequests() - before);
        assertEquals(2, manager.asked.get());
    }

    /** To the table and the commit table. */
    private long writeRequests() throws IOException {
        long sum = 0;
        try (Admin admin = hbase.connection.getAdmin()) {
            for (ServerName server : admin.getRegionServers()) {
                for (TableName each : List.of(name, hbase.commits)) {
                    sum += admin.getRegionMetrics(server, each).stream().mapToLong(RegionMetrics::getWriteRequestCount).sum();
                }
            }
        }
        return sum;
    }

    @Test
    void whatLiesInSeveralRegionsGoesTheLongWay() {
        try (Transaction tx = begin("r", "1")) {
            table.put(tx, put("0s", "a", "1"));
            tx.commit();
        }
        try (Transaction tx = begin("r", "2")) {
            tx.flush();
            tx.commit();
        }
        assertEquals("f:a=2", readNow("r"));
        assertCounts(0, 2, 0);
    }

    /** PutBeside: reads that come in between are what the servers' clocks tell. */
    @Test
    void whatLiesInSeveralRegionsIsCertifiedWhileItIsPut() throws Exception {
        Transaction tx = begin("r", "1");
        table.put(tx, put("0s", "a", "1"));
        manager.asked.set(0);
        tx.commit();
        assertEquals(1, manager.asked.get());
        assertEquals("f:a=1", readNow("0s"));
        assertEquals(new CommitCounts(0, 1, 0, 0), client.commitCounts());
    }

    /** Guard (WasReadLater). */
    @Test
    void aReaderInBetweenCostsAnotherTimestamp() throws Exception {
        Transaction tx = begin("r", "1");
        table.put(tx, put("0s", "a", "1"));
        TransactionClient other = hbase.client();
        Transaction[] late = new Transaction[1];
        manager.afterCertification(() -> {
            late[0] = other.begin();
            assertEquals("", show(other.table(name).get(late[0], Fixture.get("0s"))));
        });
        manager.asked.set(0);
        tx.commit();
        assertEquals(2, manager.asked.get());
        assertTrue(tx.commitTimestamp() > late[0].startTimestamp());
        assertEquals("", show(other.table(name).get(late[0], Fixture.get("r"))));
        late[0].close();
        assertEquals("f:a=1", readNow("0s"));
        assertEquals(new CommitCounts(0, 1, 0, 1), client.commitCounts());
    }

    /** Guards (TellsOfReads, OpenedLater): the server that has the region now did not see the reader. */
    @Test
    void aRegionThatMovesInBetweenCostsAnotherTimestamp() throws Exception {
        Transaction tx = begin("r", "1");
        table.put(tx, put("0s", "a", "1"));
        manager.afterCertification(() -> {
            move("r");
            fast.write(put("first", "a", "1")); // by now the new server knows the time
        });
        tx.commit();
        assertEquals("f:a=1", readNow("0s"));
        assertEquals(new CommitCounts(0, 1, 0, 1), client.commitCounts());
    }

    private void move(String row) {
        try {
            hbase.move(name, row);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whatLiesInTwoTablesIsCertifiedWhileItIsPut() throws Exception {
        TableName second = hbase.fastTable(1);
        TransactionalTable other = client.table(second);
        client.fastTable(second).write(put("first", "a", "0"));
        Transaction tx = begin("r", "1");
        other.put(tx, put("s", "a", "1"));
        manager.asked.set(0);
        manager.afterCertification(() -> assertTrue(stored().stream().noneMatch(cell -> cell.startsWith("r/")), "all is put before it is certified"));
        tx.commit();
        assertEquals(1, manager.asked.get());
        assertEquals("f:a=1", readNow("r"));
        assertEquals("f:a=1", show(other.get(client.begin(), Fixture.get("s"))));
    }

    /** Of which the manager knows nothing: the row that was not refused is cleaned as well. */
    @Test
    void oneRowThatIsRefusedAbortsAll() throws Exception {
        Transaction tx = begin("r", "1");
        assertEquals("", read(tx, "0s")); // what is written there from now on is later
        table.put(tx, put("0s", "a", "1"));
        fast.write(put("0s", "a", "2"));
        assertEquals(AbortCause.REFUSED, assertThrows(TransactionAbortedException.class, tx::commit).abortCause());
        assertEquals("", readNow("r"));
        assertEquals("f:a=2", readNow("0s"));
        assertTrue(hbase.stored(name).stream().noneMatch(cell -> cell.startsWith("r/")), () -> "left: " + stored());
        assertEquals(List.of(), hbase.entries());
    }

    private List<String> stored() {
        try {
            return hbase.stored(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theLongWayCanBeAskedFor() throws Exception {
        hbase.conf.set(Settings.COMMIT, "long");
        TransactionClient other = hbase.closing(TransactionClient.open(hbase.conf, manager));
        Fixture.commit(other, other.table(name), "r", "1");
        Transaction tx = other.begin();
        other.table(name).put(tx, put("r", "a", "2"));
        other.table(name).put(tx, put("0s", "a", "2"));
        int before = manager.asked.get();
        manager.afterCertification(() -> assertTrue(stored().stream().anyMatch(cell -> cell.startsWith("0s/")), "it is certified before all is put"));
        tx.commit();
        assertEquals(1, manager.asked.get() - before);
        assertEquals(new CommitCounts(0, 2, 0, 0), other.commitCounts());
    }

    @Test
    void aBatchBelowAReadGoesTheLongWay() {
        Transaction tx = begin("r", "1");
        Transaction[] reader = new Transaction[1];
        manager.afterCertification(() -> {
            reader[0] = client.begin();
            assertEquals("", read(reader[0], "r"));
        });
        tx.commit();
        assertEquals("", read(reader[0], "r"), "it has another commit timestamp");
        assertEquals("f:a=1", readNow("r"));
        assertCounts(0, 1, 1);
    }

    @Test
    void aBatchBelowAScanGoesTheLongWay() {
        Transaction tx = begin("r", "1");
        manager.afterCertification(() -> {
            try (ResultScanner rows = table.getScanner(client.begin(), new Scan().withStartRow(Bytes.toBytes("q")))) {
                assertNull(rows.next());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        tx.commit();
        assertEquals("f:a=1", readNow("r"));
        assertCounts(0, 1, 1);
    }

    @Test
    void aBatchPassesWhereOthersReadAndCommitInOtherRows() {
        Transaction tx = begin("r", "1");
        manager.afterCertification(() -> {
            read(client.begin(), "s");
            begin("t", "1").commit();
        });
        tx.commit();
        assertCounts(2, 0, 0);
    }

    @Test
    void aBatchOverANewerVersionIsRefused() {
        Transaction tx = begin("r", "1");
        read(tx, "s"); // the next fast-path write comes after the snapshot
        fast.write(put("r", "a", "2"));
        assertEquals(AbortCause.REFUSED, assertThrows(TransactionAbortedException.class, tx::commit).abortCause());
        assertEquals("f:a=2", readNow("r"));
        assertCounts(0, 0, 1);
    }

    @Test
    void readersAndFastWritesWaitForABatchInFlight() throws Exception {
        try (Stall.Point stalled = Stall.next()) {
            Future<?> commit = threads.submit(() -> begin("r", "1").commit());
            stalled.awaitReached();
            Transaction reader = client.begin();
            Future<String> read = threads.submit(() -> read(reader, "r"));
            Future<List<String>> scanned = threads.submit(() -> scan(table, reader, new Scan().withStartRow(Bytes.toBytes("r"))));
            Future<Long> write = threads.submit(() -> fast.write(put("r", "a", "2")));
            Thread.sleep(500); // they have every chance to go wrong
            assertFalse(read.isDone() || scanned.isDone() || write.isDone(), "they must wait for the batch in flight");
            stalled.close();
            commit.get();
            assertEquals("f:a=1", read.get());
            assertEquals(List.of("r{f:a=1}"), scanned.get());
            write.get();
        }
        assertCounts(1, 0, 0);
    }

    @Test
    void aBatchWhoseAnswerIsLostIsFound() {
        Transaction tx = begin("r", "1");
        Stall.loseNextAnswer();
        tx.commit();
        assertEquals("f:a=1", readNow("r"));
        assertCounts(1, 0, 0);
    }

    @Test
    void aBatchThatIsNotStoredGoesTheLongWay() {
        Transaction tx = begin("r", "1");
        Stall.loseOneIn(1);
        tx.commit();
        Stall.loseOneIn(0);
        assertEquals("f:a=1", readNow("r"));
        assertCounts(0, 1, 1);
    }

    /** What its new server does not know may have been read, or collected, at the old one. */
    @Test
    void aRegionThatWasMovedTakesBatchesOfWhoBeganLater() throws Exception {
        Transaction tx = begin("r", "1");
        hbase.move(name, "r");
        fast.write(put("first", "a", "1"));
        tx.commit();
        assertCounts(0, 1, 1);
        begin("r", "2").commit();
        assertCounts(1, 1, 1);
        assertEquals("f:a=2", readNow("r"));
    }

    @Test
    void theClientOfACrashedServerIsAnsweredAllTheSame() throws Exception {
        hbase.managerDown();
        hbase.move(name, "r");
        begin("r", "1").commit(); // the region does not know the time
        assertCounts(0, 1, 1);
        hbase.managerUp();
        assertEquals("f:a=1", readNow("r"));
    }

    // ---- blind transactions

    private Transaction beginBlind(String row, String value) {
        Transaction tx = client.beginBlind();
        table.put(tx, put(row, "a", value));
        return tx;
    }

    /** It begins and is certified by one request; then comes the batch. */
    @Test
    void aBlindWriteIsOneRequestToEach() throws Exception {
        manager.asked.set(0);
        long before = writeRequests();
        Transaction tx = beginBlind("r", "1");
        assertEquals(0, tx.startTimestamp());
        tx.commit();
        client.close();
        assertEquals(1, writeRequests() - before);
        assertEquals(1, manager.asked.get());
        assertTrue(tx.startTimestamp() > 0);
        assertEquals(tx.startTimestamp(), tx.commitTimestamp());
        assertTrue(hbase.stored(name).contains("r/a!" + tx.startTimestamp() + "=" + tx.commitTimestamp()));
    }

    @Test
    void aBlindWriteReplacesWhatWasCommittedAndIsAConflictForWhoBeganBefore() {
        Transaction blind = beginBlind("r", "3");
        begin("r", "1").commit();
        Transaction before = begin("r", "2");
        assertEquals("f:a=2", read(before, "r"));
        blind.commit();
        assertEquals(AbortCause.CONFLICT, assertThrows(TransactionAbortedException.class, before::commit).abortCause());
        assertEquals("f:a=3", readNow("r"));
        try (Transaction tx = client.beginBlind()) {
            table.delete(tx, delete("r", "a"));
            tx.commit();
        }
        assertEquals("", readNow("r"));
        assertCounts(3, 0, 0);
    }

    @Test
    void aBlindTransactionOfSeveralRegionsAndOneBelowAReadGoTheLongWay() {
        try (Transaction tx = beginBlind("r", "1")) {
            table.put(tx, put("0s", "a", "1"));
            tx.commit();
            assertTrue(tx.commitTimestamp() > tx.startTimestamp());
        }
        assertCounts(0, 1, 0);
        Transaction[] reader = new Transaction[1];
        manager.afterCertification(() -> {
            reader[0] = client.begin();
            assertEquals("f:a=1", read(reader[0], "r"));
        });
        beginBlind("r", "2").commit();
        assertEquals("f:a=1", read(reader[0], "r"));
        assertEquals("f:a=2", readNow("r"));
        assertCounts(0, 2, 1);
    }

    /** What fails in the log may be there when the region is opened from it: so nobody finds out that it is not. */
    @Test
    void aCommitThatFailsInTheLogIsUnderWay() throws Exception {
        failing(() -> begin("r", "1").commit(), () -> readNow("r"), "f:a=1");
        assertCounts(1, 0, 0);
    }

    @Test
    void rowsThatFailInTheLogAreUnderWay() throws Exception {
        failing(() -> {
            Transaction tx = begin("r", "1");
            table.put(tx, put("s", "a", "1"));
            tx.commit();
        }, () -> readNow("s"), "f:a=1");
        assertEquals("f:a=1", readNow("r"));
        assertCounts(1, 0, 0);
    }

    /** HBase tries nothing for a client whose time is over: the server repeats the put all the same, and the row is free again. */
    @Test
    void aCommitThatFailsInTheLogForLongerThanItsClientWaitsIsStoredInTheEnd() throws Exception {
        hbase.conf.setInt(Settings.TIMEOUT, 1_000);
        hbase.conf.setInt(Settings.COMMIT_ATTEMPTS, 1);
        TransactionClient hasty = hbase.client();
        try (Admin admin = hbase.connection.getAdmin()) {
            FailingLog.in(admin, name);
        }
        fast.write(put("first", "a", "1")); // the region was opened again: its server knows the time
        Transaction tx = hasty.begin();
        hasty.table(name).put(tx, put("r", "a", "1"));
        FailingLog.fails(true);
        assertThrows(OutcomeUnknownException.class, tx::commit);
        Thread.sleep(1_000); // the server's time for this request is over as well
        FailingLog.fails(false);
        assertEquals("f:a=1", readNow("r"));
        Fixture.commit(client, table, "r", "2");
        assertEquals("f:a=2", readNow("r"));
    }

    @Test
    void aFastPathWriteThatFailsInTheLogIsUnderWay() throws Exception {
        failing(() -> fast.write(put("r", "a", "1")), () -> readNow("r"), "f:a=1");
    }

    /** The log fails during the write, and works again while somebody reads. */
    private void failing(Executable write, Callable<String> read, String expected) throws Exception {
        try (Admin admin = hbase.connection.getAdmin()) {
            FailingLog.in(admin, name);
        }
        fast.write(put("first", "a", "1")); // the region was opened again: its server knows the time
        FailingLog.fails(true);
        Future<Void> writing = threads.submit(() -> {
            try {
                write.execute();
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
            return null;
        });
        while (FailingLog.failed() < 2) {
            assertFalse(writing.isDone(), "it is answered");
            Thread.sleep(10);
        }
        Future<String> reading = threads.submit(read);
        assertThrows(TimeoutException.class, () -> reading.get(500, TimeUnit.MILLISECONDS), "it reads what may yet be there");
        FailingLog.fails(false);
        writing.get();
        assertEquals(expected, reading.get());
    }

    @Test
    void aBlindTransactionReadsNothing() throws Exception {
        try (Transaction tx = beginBlind("r", "1")) {
            for (Executable read : List.<Executable>of(() -> read(tx, "r"), () -> read(tx, "s"), () -> scan(table, tx, new Scan()), tx::flush, tx::checkpoint,
                    () -> tx.renew())) {
                assertTrue(assertThrows(TransactionException.class, read).getMessage().startsWith("A blind transaction"));
            }
            assertThrows(TransactionException.class, () -> table.delete(tx, new Delete(Bytes.toBytes("r"))), "it looks for the columns");
            TransactionalTable plain = client.table(hbase.table("f"));
            for (Executable write : List.<Executable>of(() -> plain.put(tx, put("r", "a", "1")), () -> plain.delete(tx, delete("r", "a")),
                    () -> plain.putConflictFree(tx, List.of(put("r", "a", "1"))))) {
                assertTrue(assertThrows(TransactionException.class, write).getMessage().contains("has no fast path"), "no fence would bind it");
            }
            tx.commit();
        }
        assertEquals("f:a=1", readNow("r"));
        manager.asked.set(0);
        client.beginBlind().commit();
        beginBlind("r", "2").rollback();
        assertEquals(0, manager.asked.get(), "there was nothing to ask");
        assertEquals("f:a=1", readNow("r"));
    }

    @Test
    void malformedBatchesAreAnsweredInOneSentence() throws Exception {
        long startTs = client.begin().startTimestamp();
        byte[] r = Bytes.toBytes("r");
        byte[] a = Bytes.toBytes("a");
        assertRefused(BatchRequest.put(value(r, startTs), Map.of(), SPAN, startTs - SPAN), "a commit timestamp that is not before the start");
        assertRefused(BatchRequest.put(value(r, startTs), Map.of(), SPAN, startTs + SPAN + 1), "a commit timestamp that is not before the start");
        assertRefused(BatchRequest.put(value(r, startTs), Map.of(), SPAN, startTs + (1 << 30) * SPAN), "was not given by the transaction manager");
        assertRefused(BatchRequest.put(value(r, startTs), Map.of(), 2 * SPAN, startTs + SPAN), "the client knows one of span");
        assertRefused(BatchRequest.put(value(r, startTs + 1), Map.of(), SPAN, startTs + SPAN), "values of one transaction");
        assertRefused(BatchRequest.put(value(r, startTs).addColumn(Fixture.F, Bytes.toBytes("b"), startTs - SPAN, r), Map.of(), SPAN, startTs + SPAN),
                "values of one transaction");
        assertRefused(BatchRequest.put(value(r, startTs).addColumn(Fixture.F, Layout.commitQualifier(a), startTs, Bytes.toBytes(startTs + SPAN)),
                Map.of(), SPAN, startTs + SPAN), "values of one transaction");
        Put odd = value(r, startTs);
        CheckAndMutate request = BatchRequest.put(odd, Map.of(), SPAN, startTs + SPAN);
        odd.setAttribute("fencepost.batch", new byte[3]);
        assertRefused(request, "holds two numbers of 8 bytes");
        odd = value(r, startTs);
        request = BatchRequest.put(odd, Map.of(cell(name, "s"), Write.of(r)), SPAN, startTs + SPAN);
        odd.setAttribute("fencepost.batch.rows", Arrays.copyOf(odd.getAttribute("fencepost.batch.rows"), 30));
        assertRefused(request, "other rows that can be read");
        odd.setAttribute("fencepost.batch.rows", Bytes.add(Arrays.copyOf(odd.getAttribute("fencepost.batch.rows"), 17), new byte[] {0, 0, 0, 1, 0, 1, '/', -1, -1, -1, -1}));
        assertRefused(request, "other rows that can be read");
        assertRefused(BatchRequest.put(value(r, startTs), Map.of(cell(name, "r"), Write.of(r)), SPAN, startTs + SPAN), "each row once");
        assertRefused(BatchRequest.put(value(r, startTs), Map.of(cell(hbase.commits, "s"), Write.of(r)), SPAN, startTs + SPAN), "rows of one table");
        CellKey commitCell = new CellKey(name, Bytes.toBytes("s"), Fixture.F, Layout.commitQualifier(a));
        assertRefused(BatchRequest.put(value(r, startTs), Map.of(commitCell, Write.of(r)), SPAN, startTs + SPAN), "commit cell without");
        Map<CellKey, Write<byte[]>> many = new HashMap<>();
        for (int i = 0; i < BatchRequest.MAX_ROWS; i++) {
            many.put(cell(name, "s" + i), Write.of(r));
        }
        assertRefused(BatchRequest.put(value(r, startTs), Map.of(new CellKey(name, new byte[0], Fixture.F, a), Write.of(r)), SPAN, startTs + SPAN), "other rows that can be read");
        assertRefused(BatchRequest.put(value(r, startTs), Map.of(cell(name, "s"), Write.of(new byte[BatchRequest.MAX_BYTES])), SPAN, startTs + SPAN), "at most");
        assertRefused(BatchRequest.put(value(r, startTs), many, SPAN, startTs + SPAN), "at most 100 rows");
        assertRefused(BatchRequest.put(value(r, startTs), Map.of(new CellKey(name, Bytes.toBytes("s"), r, a), Write.of(r)), SPAN, startTs + SPAN), "amily");
        assertEquals("", readNow("r"));
    }

    private static CellKey cell(TableName table, String row) {
        return new CellKey(table, Bytes.toBytes(row), Fixture.F, Bytes.toBytes("a"));
    }

    private static Put value(byte[] row, long version) {
        return OmidWrites.mark(new Put(row).addColumn(Fixture.F, Bytes.toBytes("a"), version, row));
    }

    private void assertRefused(CheckAndMutate request, String reason) throws IOException {
        try (Table raw = hbase.connection.getTable(name)) {
            IOException refused = assertThrows(IOException.class, () -> raw.checkAndMutate(request));
            assertTrue(refused.getMessage().contains(reason), refused.getMessage());
        }
    }
}
