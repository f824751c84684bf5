package org.fencepost.protocol.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.history.Violation.Axiom;
import org.junit.jupiter.api.Test;

/** Histories with one planted violation each, and the borders where there is none. */
class TimestampCheckerTest {

    private final History history = new History();
    private long clock;

    /** A transaction that began and ended later, on the wall clock, than all before it. Operations as "r k v", "w k", "d k". */
    private HistoryTransaction add(long startTs, long commitTs, Outcome outcome, String... operations) {
        return add(startTs, commitTs, outcome, ++clock, ++clock, operations);
    }

    private HistoryTransaction committed(long startTs, long commitTs, String... operations) {
        return add(startTs, commitTs, Outcome.COMMITTED, operations);
    }

    private HistoryTransaction add(long startTs, long commitTs, Outcome outcome, long begun, long answered, String... operations) {
        HistoryTransaction t = new HistoryTransaction(begun, startTs);
        Shorthand.does(t, operations);
        history.add(t.end(outcome, commitTs, answered));
        return t;
    }

    private void assertClean() {
        assertEquals(List.of(), TimestampChecker.check(history));
    }

    private void assertViolation(Axiom axiom, HistoryTransaction... shown) {
        Shorthand.assertViolation(TimestampChecker.check(history), axiom, shown);
    }

    @Test
    void whoWasNeverAnsweredIsToldWithoutATime() {
        assertEquals("[1, 2] UNKNOWN [] begun 5 answered 6", add(1, 2, Outcome.UNKNOWN, 5, 6).toString());
        assertEquals("[1, 2] UNKNOWN [] begun 5 not answered", add(1, 2, Outcome.UNKNOWN, 5, Long.MAX_VALUE).toString());
    }

    @Test
    void emptyHistory() {
        assertClean();
    }

    @Test
    void ordinaryHistory() {
        committed(1, 2, "w a", "w b");
        add(3, 0, Outcome.COMMITTED, 10, 20, "r a 1", "r b 1", "r c 0");
        add(4, 5, Outcome.COMMITTED, 10, 20, "r a 1", "w a", "r a 4", "d b", "r b 0", "r b 4");
        add(6, 0, Outcome.COMMITTED, 30, 40, "r a 4", "r b 4");
        add(7, 0, Outcome.ABORTED, 30, 40, "r a 4", "r b 0", "w a");
        assertClean();
    }

    // ---- Snapshot

    @Test
    void staleRead() {
        HistoryTransaction old = committed(1, 2, "w a");
        HistoryTransaction missed = committed(3, 4, "r a 1", "w a");
        assertViolation(Axiom.Snapshot, committed(5, 0, "r a 1"), old, missed);
    }

    @Test
    void readOfACommitAfterTheSnapshot() {
        HistoryTransaction old = committed(1, 2, "w a");
        HistoryTransaction newer = add(3, 5, Outcome.COMMITTED, 10, 30, "w a");
        assertViolation(Axiom.Snapshot, add(4, 0, Outcome.COMMITTED, 10, 20, "r a 3"), old, newer);
    }

    @Test
    void readOfNothingWhereThereIsSomething() {
        HistoryTransaction missed = committed(1, 2, "w a");
        assertViolation(Axiom.Snapshot, committed(3, 0, "r a 0"), missed);
    }

    @Test
    void readOfADeletedValue() {
        HistoryTransaction old = committed(1, 2, "w a");
        HistoryTransaction delete = committed(3, 4, "d a");
        assertViolation(Axiom.Snapshot, committed(5, 0, "r a 1"), old, delete);
    }

    @Test
    void deleteAndWriteInOneTransactionIsTheLastOfThem() {
        HistoryTransaction writer = committed(1, 2, "d a", "w a");
        committed(3, 4, "w b", "d b");
        assertViolation(Axiom.Snapshot, committed(5, 0, "r b 0", "r b 3", "r a 0"), writer);
    }

    @Test
    void ownWriteNotRead() {
        committed(1, 2, "w a");
        assertViolation(Axiom.Snapshot, committed(3, 4, "r a 1", "w a", "r a 1"));
    }

    @Test
    void ownDeleteNotRead() {
        committed(1, 2, "w a");
        assertViolation(Axiom.Snapshot, committed(3, 4, "d a", "r a 1"));
    }

    @Test
    void readsOfAbortedTransactionsAreJudgedToo() {
        HistoryTransaction missed = committed(1, 2, "w a");
        assertViolation(Axiom.Snapshot, add(3, 0, Outcome.ABORTED, "r a 0"), missed);
    }

    @Test
    void fracturedRead() {
        HistoryTransaction old = committed(1, 2, "w a", "w b");
        HistoryTransaction missed = committed(3, 4, "w a", "w b");
        assertViolation(Axiom.Snapshot, committed(5, 0, "r a 3", "r b 1"), old, missed);
    }

    // ---- FirstCommitterWins

    @Test
    void lostUpdate() {
        committed(1, 2, "w a");
        HistoryTransaction first = add(3, 5, Outcome.COMMITTED, 10, 20, "r a 1", "w a");
        HistoryTransaction second = add(4, 6, Outcome.COMMITTED, 10, 20, "r a 1", "w a");
        assertViolation(Axiom.FirstCommitterWins, first, second);
    }

    @Test
    void overlapWithOneThatCommittedLongAgoIsFoundThroughItsSuccessor() {
        add(1, 10, Outcome.COMMITTED, 10, 20, "w a");
        HistoryTransaction between = add(11, 12, Outcome.COMMITTED, 10, 20, "w a");
        HistoryTransaction wide = add(2, 13, Outcome.COMMITTED, 10, 20, "w a");
        assertViolation(Axiom.FirstCommitterWins, between, wide);
    }

    @Test
    void writeSkewIsNoViolation() {
        committed(1, 2, "w a", "w b");
        add(3, 5, Outcome.COMMITTED, 10, 20, "r a 1", "r b 1", "w a");
        add(4, 6, Outcome.COMMITTED, 10, 20, "r a 1", "r b 1", "w b");
        assertClean();
    }

    @Test
    void overlapWithAnAbortedWriterIsNoViolation() {
        add(1, 3, Outcome.COMMITTED, 10, 20, "w a");
        add(2, 4, Outcome.ABORTED, 10, 20, "w a");
        assertClean();
    }

    // ---- NoDirtyRead

    @Test
    void readOfAnAbortedWrite() {
        HistoryTransaction aborted = add(1, 2, Outcome.ABORTED, "w a");
        assertViolation(Axiom.NoDirtyRead, committed(3, 0, "r a 1"), aborted);
    }

    @Test
    void readOfAnUnknownTransactionThatNeverHadACommitTimestamp() {
        HistoryTransaction died = add(1, 0, Outcome.UNKNOWN, "w a");
        assertViolation(Axiom.NoDirtyRead, committed(3, 0, "r a 1"), died);
    }

    @Test
    void readOfAVersionThatNobodyWrote() {
        committed(1, 2, "w a");
        assertViolation(Axiom.NoDirtyRead, committed(5, 0, "r a 4"));
    }

    @Test
    void readOfAnotherKeysVersion() {
        HistoryTransaction writer = committed(1, 2, "w a");
        assertViolation(Axiom.NoDirtyRead, committed(3, 0, "r b 1"), writer);
    }

    @Test
    void readOfOnesOwnLaterWrite() {
        assertViolation(Axiom.Snapshot, committed(1, 2, "r a 1", "w a"));
    }

    // ---- unknown outcomes

    @Test
    void unknownThatNobodyReadDidNotCommit() {
        committed(1, 2, "w a");
        add(3, 4, Outcome.UNKNOWN, "r a 1", "w a");
        committed(5, 6, "r a 1", "w a");
        assertClean();
    }

    @Test
    void unknownThatSomeoneReadCommittedForEveryone() {
        committed(1, 2, "w a");
        HistoryTransaction unknown = add(3, 4, Outcome.UNKNOWN, "r a 1", "w a");
        committed(5, 0, "r a 3");
        assertClean();
        HistoryTransaction late = committed(6, 0, "r a 1");
        assertViolation(Axiom.Snapshot, late, unknown, history.transactions().get(0));
    }

    // ---- StrongSI

    @Test
    void beginAfterTheAnswerOfALaterCommit() {
        HistoryTransaction a = add(1, 10, Outcome.COMMITTED, 1, 4, "w a");
        add(2, 3, Outcome.COMMITTED, 1, 5, "w b");
        HistoryTransaction b = add(7, 0, Outcome.COMMITTED, 6, 8, "r b 2");
        assertViolation(Axiom.StrongSI, a, b);
    }

    @Test
    void beginBeforeTheAnswerIsConcurrent() {
        add(1, 10, Outcome.COMMITTED, 1, 5, "w a");
        add(7, 0, Outcome.COMMITTED, 5, 8);
        add(8, 0, Outcome.COMMITTED, 4, 8);
        assertClean();
    }

    // ---- Timestamps

    @Test
    void timestampGivenTwice() {
        HistoryTransaction a = add(1, 4, Outcome.COMMITTED, 1, 2, "w a");
        HistoryTransaction b = add(3, 4, Outcome.COMMITTED, 1, 2, "w b");
        assertViolation(Axiom.Timestamps, a, b);
    }

    @Test
    void commitNotAfterItsStart() {
        assertViolation(Axiom.Timestamps, add(5, 4, Outcome.COMMITTED, 1, 2, "w a"));
    }

    @Test
    void committedWriteWithoutATimestamp() {
        List<Violation> found = new ArrayList<>();
        add(5, 0, Outcome.COMMITTED, 1, 2, "w a");
        found.addAll(TimestampChecker.check(history));
        assertEquals(Axiom.Timestamps, found.get(0).axiom());
    }

    @Test
    void aFloodOfOneKindDoesNotHideAnother() {
        committed(1, 2, "w a");
        for (int i = 0; i < 1000; i++) {
            add(10 + i, 0, Outcome.COMMITTED, 1, 2, "r a 0");
        }
        add(5_000, 0, Outcome.COMMITTED, 1, 2, "r a 4444");
        List<Violation> found = TimestampChecker.check(history);
        assertEquals(TimestampChecker.MAX_VIOLATIONS + 1, found.size());
        assertEquals(Axiom.NoDirtyRead, found.get(found.size() - 1).axiom());
    }
}
