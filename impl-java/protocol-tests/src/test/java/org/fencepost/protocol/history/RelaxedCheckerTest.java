package org.fencepost.protocol.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.history.Violation.Axiom;
import org.junit.jupiter.api.Test;

/** Histories with a fast path: one planted violation each, and what the relaxed promise allows. Timestamps in tens. */
class RelaxedCheckerTest {

    private final History history = new History();
    private long clock;

    private HistoryTransaction regular(long startTs, long commitTs, String... operations) {
        return end(new HistoryTransaction(++clock, startTs), Outcome.COMMITTED, commitTs, operations);
    }

    private HistoryTransaction fast(long version, String... operations) {
        return end(HistoryTransaction.fast(++clock), Outcome.COMMITTED, version, operations);
    }

    private HistoryTransaction end(HistoryTransaction t, Outcome outcome, long commitTs, String... operations) {
        Shorthand.does(t, operations);
        history.add(t.end(outcome, commitTs, ++clock));
        return t;
    }

    private void assertClean() {
        assertEquals(List.of(), RelaxedChecker.check(history));
    }

    private void assertViolation(Axiom axiom, HistoryTransaction... shown) {
        Shorthand.assertViolation(RelaxedChecker.check(history), axiom, shown);
    }

    @Test
    void ordinaryHistory() {
        regular(10, 20, "w a", "w b");
        fast(21, "r a 10", "w a");
        fast(0, "r a 21");
        regular(30, 40, "r a 21", "r b 10", "d a");
        fast(0, "r a 0");
        fast(0, "r a 30");
        fast(41, "r a 0", "w a");
        fast(42, "r a 41", "d a");
        regular(50, 0, "r a 0", "r a 42");
        assertClean();
    }

    /** VLDB'18 section 2.2: what a fast-path transaction need not see. */
    @Test
    void aFastReadMayBeInThePast() {
        regular(10, 20, "w a");
        regular(30, 40, "r a 10", "w a");
        fast(0, "r a 10");
        fast(0, "r a 0");
        assertClean();
    }

    @Test
    void aFastWriteMayBeInThePast() {
        regular(10, 20, "w a");
        regular(30, 0);
        fast(11, "w b");
        regular(40, 0, "r b 11");
        assertClean();
    }

    @Test
    void versionsOfDifferentKeysMayBeTheSame() {
        fast(11, "w a");
        fast(11, "w b");
        regular(20, 0, "r a 11", "r b 11");
        assertClean();
    }

    @Test
    void versionsOfAKeyMayNot() {
        assertViolation(Axiom.NoTies, fast(11, "w a"), fast(11, "w a"));
    }

    @Test
    void aVersionIsNoTimestamp() {
        assertViolation(Axiom.Timestamps, regular(10, 20, "w b"), fast(20, "w a"));
    }

    @Test
    void aTimestampIsGivenOnce() {
        assertViolation(Axiom.Timestamps, regular(10, 20, "w a"), regular(20, 0));
    }

    @Test
    void anUpdateThatGoesBelowAnAnsweredOne() {
        assertViolation(Axiom.SameKeyOrder, fast(12, "w a"), fast(11, "w a"));
    }

    @Test
    void aFastUpdateBelowAnAnsweredCommit() {
        HistoryTransaction first = regular(10, 20, "w a");
        HistoryTransaction below = fast(15, "w a");
        List<Violation> found = RelaxedChecker.check(history);
        assertEquals(List.of(Axiom.FirstCommitterWins, Axiom.SameKeyOrder), found.stream().map(Violation::axiom).toList());
        found.forEach(violation -> assertEquals(Set.of(first, below), Set.copyOf(violation.transactions())));
    }

    /** VLDB'18 fig. 3. */
    @Test
    void aRegularWriterThatDidNotSeeTheFastOne() {
        HistoryTransaction slow = new HistoryTransaction(++clock, 10);
        HistoryTransaction fast = fast(11, "w a");
        assertViolation(Axiom.FirstCommitterWins, fast, end(slow, Outcome.COMMITTED, 20, "r a 0", "w a"));
    }

    @Test
    void aReadThatMissesAFastWriteOfItsSnapshot() {
        assertViolation(Axiom.Snapshot, fast(11, "w a"), regular(20, 0, "r a 0"));
    }

    @Test
    void aReadThatSeesALaterFastWrite() {
        HistoryTransaction reader = new HistoryTransaction(++clock, 10);
        HistoryTransaction later = fast(11, "w a");
        end(reader, Outcome.COMMITTED, 0, "r a 11");
        List<Violation> found = RelaxedChecker.check(history);
        assertEquals(1, found.size());
        assertEquals(Axiom.Snapshot, found.get(0).axiom());
        assertEquals(List.of(reader), found.get(0).transactions());
        assertEquals(11, later.startTs());
    }

    @Test
    void aFastUpdateThatLostAnother() {
        fast(11, "w a");
        assertViolation(Axiom.Snapshot, fast(12, "w a"), fast(13, "r a 11", "w a"));
    }

    @Test
    void aDirtyReadOfAFastWriteThatWasRefused() {
        HistoryTransaction aborted = end(new HistoryTransaction(++clock, 10), Outcome.ABORTED, 0, "w a");
        assertViolation(Axiom.NoDirtyRead, aborted, fast(0, "r a 10"));
    }

    @Test
    void aReadOfWhatNobodyWrote() {
        assertViolation(Axiom.NoDirtyRead, fast(0, "r a 10"));
    }

    @Test
    void anUnknownWriteThatWasReadHasCommitted() {
        end(HistoryTransaction.fast(++clock), Outcome.UNKNOWN, 11, "w a");
        fast(0, "r a 11");
        assertClean();
        assertViolation(Axiom.Snapshot, history.transactions().get(0), regular(20, 0, "r a 0"));
    }

    @Test
    void anUnknownWriteThatNobodyReadHasNot() {
        end(HistoryTransaction.fast(++clock), Outcome.UNKNOWN, 11, "w a");
        regular(20, 0, "r a 0");
        assertClean();
    }

    @Test
    void regularTransactionsKeepRealTime() {
        HistoryTransaction first = regular(20, 30, "w a");
        assertViolation(Axiom.StrongSI, first, regular(10, 0, "r b 0"));
    }

    @Test
    void aWriteThatWasAnsweredHasATimestamp() {
        assertViolation(Axiom.Timestamps, fast(0, "w a"));
    }
}
