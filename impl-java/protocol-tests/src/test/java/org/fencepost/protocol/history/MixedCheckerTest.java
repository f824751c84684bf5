package org.fencepost.protocol.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.history.Violation.Axiom;
import org.junit.jupiter.api.Test;

/** Histories with native operations: one planted violation each, and what is allowed. Timestamps of transactions in tens. */
class MixedCheckerTest {

    private final History history = new History();
    private long clock;

    /** @param shorthand see {@link Shorthand}, with the versions' timestamps */
    private HistoryTransaction transaction(String process, long startTs, long commitTs, String... shorthand) {
        return end(new HistoryTransaction(++clock, startTs).by(process), Outcome.COMMITTED, commitTs, shorthand);
    }

    private HistoryTransaction put(String process, String key, long stamp) {
        return end(HistoryTransaction.nativeOperation(++clock).by(process), Outcome.COMMITTED, stamp, "w " + key);
    }

    private HistoryTransaction get(String process, String key, long version) {
        return end(HistoryTransaction.nativeOperation(++clock).by(process), Outcome.COMMITTED, 0, "r " + key + " " + version);
    }

    private HistoryTransaction end(HistoryTransaction o, Outcome outcome, long commitTs, String... shorthand) {
        history.add(Shorthand.does(o, shorthand).end(outcome, commitTs, ++clock));
        return o;
    }

    private void assertClean() {
        assertEquals(List.of(), MixedChecker.checkSnapshotIsolation(history));
        assertEquals(List.of(), MixedChecker.checkSerializability(history));
    }

    private void assertSnapshot(Axiom axiom, HistoryTransaction... shown) {
        Shorthand.assertViolation(MixedChecker.checkSnapshotIsolation(history), axiom, shown);
    }

    private void assertSerial(Axiom axiom, HistoryTransaction... shown) {
        Shorthand.assertViolation(MixedChecker.checkSerializability(history), axiom, shown);
    }

    @Test
    void ordinaryHistory() {
        put("p", "a", 1);
        transaction("p", 10, 20, "r a 1", "w a", "w b");
        get("q", "a", 20);
        put("q", "a", 21);
        transaction("q", 30, 40, "r a 21", "r b 20", "w b");
        get("p", "b", 40);
        transaction("p", 50, 50, "r b 40");
        assertClean();
    }

    /** Figure 2a: the status that a user has posted is overwritten by one computed before. */
    @Test
    void aLostNativePut() {
        HistoryTransaction tx = new HistoryTransaction(++clock, 10).by("p");
        HistoryTransaction op = put("q", "z", 11);
        end(tx, Outcome.COMMITTED, 20, "r z 0", "w z");
        assertSnapshot(Axiom.DisjointWrites, op, tx);
        assertSerial(Axiom.SerialLegal, op, tx);
    }

    /** Figure 2c. */
    @Test
    void aNativePutAfterTheTransaction() {
        HistoryTransaction tx = new HistoryTransaction(++clock, 10).by("p");
        put("q", "z", 21);
        end(tx, Outcome.COMMITTED, 20, "r z 0", "w z");
        assertClean();
    }

    @Test
    void writeSkewIsAllowedUnderSnapshotIsolationOnly() {
        HistoryTransaction one = new HistoryTransaction(++clock, 10).by("p");
        HistoryTransaction two = new HistoryTransaction(++clock, 20).by("q");
        end(one, Outcome.COMMITTED, 30, "r a 0", "r b 0", "w a");
        end(two, Outcome.COMMITTED, 40, "r a 0", "r b 0", "w b");
        assertEquals(List.of(), MixedChecker.checkSnapshotIsolation(history));
        assertSerial(Axiom.SerialLegal, one, two);
    }

    @Test
    void blindWritesDoNotConflict() {
        HistoryTransaction one = new HistoryTransaction(++clock, 10).by("p");
        HistoryTransaction two = new HistoryTransaction(++clock, 20).by("q");
        end(one, Outcome.COMMITTED, 30, "w a", "w b");
        end(two, Outcome.COMMITTED, 40, "w a", "w b");
        assertClean();
    }

    @Test
    void aNativePutThatASnapshotMisses() {
        HistoryTransaction put = put("p", "a", 1);
        assertSnapshot(Axiom.SnapshotLegal, put, transaction("q", 10, 0, "r a 0"));
    }

    @Test
    void anAbortedTransactionReadsItsSnapshotToo() {
        HistoryTransaction put = put("p", "a", 1);
        HistoryTransaction tx = end(new HistoryTransaction(++clock, 10).by("q"), Outcome.ABORTED, 0, "r a 0");
        assertSnapshot(Axiom.SnapshotLegal, put, tx);
        assertEquals(List.of(), MixedChecker.checkSerializability(history));
    }

    @Test
    void twoReadsOfAKeyThatDiffer() {
        put("p", "a", 1);
        HistoryTransaction tx = transaction("q", 10, 20, "r a 1", "r a 0");
        assertSnapshot(Axiom.SnapshotLegal, tx);
        assertSerial(Axiom.SerialLegal, tx);
    }

    @Test
    void ownWritesAreNotJudged() {
        transaction("p", 10, 20, "w a", "r a 10", "w b");
        assertClean();
    }

    @Test
    void dirtyReads() {
        end(new HistoryTransaction(++clock, 10).by("p"), Outcome.ABORTED, 20, "w a", "w b");
        HistoryTransaction get = get("q", "a", 20);
        assertSnapshot(Axiom.NoDirtyRead, get);
        assertSerial(Axiom.NoDirtyRead, get);
    }

    @Test
    void tiesOfAKeyAreNotAllowed() {
        put("p", "b", 1);
        HistoryTransaction one = put("p", "a", 1);
        assertSnapshot(Axiom.NoTies, one, put("q", "a", 1));
    }

    // ---- order

    @Test
    void aUserWhoDoesNotFindWhatHeHasWritten() {
        HistoryTransaction put = put("p", "a", 11);
        HistoryTransaction get = get("p", "a", 0);
        assertSnapshot(Axiom.SnapshotItemOrder, put, get);
        assertSerial(Axiom.SerialItemOrder, put, get);
    }

    @Test
    void aPutThatIsLostInThePast() {
        HistoryTransaction tx = transaction("p", 10, 20, "w a", "w b");
        HistoryTransaction put = put("p", "a", 15);
        assertSnapshot(Axiom.SnapshotItemOrder, tx, put);
        assertSerial(Axiom.SerialItemOrder, tx, put);
    }

    /** What a process puts while its own transaction is open, that need not see. */
    @Test
    void aPutInTheMiddleOfOnesOwnTransaction() {
        HistoryTransaction tx = new HistoryTransaction(++clock, 10).by("p");
        HistoryTransaction put = put("p", "a", 11);
        tx.readsFrom(++clock);
        assertSnapshot(Axiom.SnapshotItemOrder, put, end(tx, Outcome.COMMITTED, 0, "r a 0"));
    }

    @Test
    void aPutThatIsLostInTheFuture() {
        HistoryTransaction put = put("p", "a", 11);
        assertSnapshot(Axiom.SnapshotItemOrder, put, transaction("p", 10, 10, "r a 0"));
    }

    @Test
    void othersMayBeInThePast() {
        transaction("p", 10, 20, "r a 0", "w a", "w b");
        get("q", "a", 20);
        get("q", "b", 0);
        put("r", "a", 21);
        get("p", "a", 20);
        assertClean();
    }

    /** Witness GetAfterRead: a get is anywhere from its version up to the next one. */
    @Test
    void aGetOfTheVersionThatItsProcessHasReadBefore() {
        put("q", "a", 1);
        transaction("p", 10, 20, "r a 1", "w b");
        get("p", "a", 1);
        assertClean();
        HistoryTransaction put = put("q", "a", 5);
        assertEquals(5, put.commitTs());
        assertTrue(MixedChecker.checkSnapshotIsolation(history).stream().anyMatch(v -> v.axiom() == Axiom.SnapshotItemOrder));
    }

    @Test
    void transactionsKeepRealTimeUnderSnapshotIsolation() {
        HistoryTransaction first = transaction("p", 20, 30, "w a", "w b");
        HistoryTransaction second = transaction("q", 10, 40, "r c 0", "w c");
        assertSnapshot(Axiom.SnapshotRealTime, first, second);
        assertEquals(List.of(), MixedChecker.checkSerializability(history));
    }

    @Test
    void aProcessKeepsItsTransactionsInOrder() {
        HistoryTransaction first = transaction("p", 20, 30, "w a", "w b");
        assertSerial(Axiom.SerialTransactionOrder, first, transaction("p", 10, 15, "w c"));
    }

    // ---- unknown outcomes

    @Test
    void whatWasReadHasCommitted() {
        HistoryTransaction unknown = end(new HistoryTransaction(++clock, 10).by("p"), Outcome.UNKNOWN, 20, "w a", "w b");
        assertClean();
        get("q", "a", 20);
        assertClean();
        assertSnapshot(Axiom.SnapshotLegal, unknown, transaction("r", 30, 0, "r b 0"));
    }

    @Test
    void aNativePutOfUnknownStampThatNobodyRead() {
        end(HistoryTransaction.nativeOperation(++clock).by("p"), Outcome.UNKNOWN, 0, "w a");
        get("q", "a", 0);
        assertClean();
    }

    @Test
    void manyOperationsTakeLittleTime() {
        for (int i = 1; i <= 100_000; i++) {
            put("p" + i % 7, "k" + i % 100, 10L * i + 1);
            transaction("p" + i % 7, 10L * i + 10, 0, "r k" + i % 100 + " " + (10L * i + 1));
        }
        assertEquals(List.of(), MixedChecker.checkSnapshotIsolation(history));
    }
}
