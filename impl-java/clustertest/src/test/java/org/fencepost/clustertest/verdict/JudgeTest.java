package org.fencepost.clustertest.verdict;

import static org.fencepost.clustertest.verdict.Histories.txn;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.fencepost.clustertest.verdict.Op.Type;
import org.junit.jupiter.api.Test;

/** From tags to versions. What the checkers make of versions has tests of its own. */
class JudgeTest {

    private static Histories regular(Histories to, Type type, long process, long start, long commit, Object... tagged) {
        return to.op(type, process, txn(), txn(), Op.PATH, Op.REGULAR, Op.START, start, Op.COMMIT, commit, Op.TXN, txn(tagged));
    }

    private static Histories fast(Histories to, Type type, long process, long version, Object... tagged) {
        return to.op(type, process, txn(), txn(), Op.PATH, Op.FAST, version == 0 ? "none" : Op.COMMIT, version, Op.TXN, txn(tagged));
    }

    private static List<String> axioms(Histories history) {
        return Judge.violations(history.all()).stream().map(violation -> violation.axiom().name()).distinct().toList();
    }

    private static Histories written() {
        return regular(new Histories(), Type.ok, 0, 64, 128, "w", 1, 10);
    }

    @Test
    void aReadOfTheLastCommittedValue() {
        assertEquals(List.of(), axioms(regular(written(), Type.ok, 1, 192, 0, "r", 1, 10)));
    }

    @Test
    void aReadThatMissesWhatWasCommitted() {
        assertEquals(List.of("Snapshot"), axioms(regular(written(), Type.ok, 1, 192, 0, "r", 1, null)));
    }

    @Test
    void aReadOfWhatFailed() {
        assertEquals(List.of("NoDirtyRead"), axioms(regular(regular(written(), Type.fail, 1, 192, 0, "w", 1, 20), Type.ok, 0, 256, 0, "r", 1, 20)));
    }

    @Test
    void aReadOfWhatNobodyWrote() {
        assertEquals(List.of("NoDirtyRead"), axioms(regular(written(), Type.ok, 1, 192, 0, "r", 1, 99)));
    }

    @Test
    void anUnknownOutcomeThatWasReadHasCommitted() {
        Histories unknown = regular(written(), Type.info, 1, 192, 256, "w", 1, 20);
        assertEquals(List.of(), axioms(regular(unknown, Type.ok, 0, 320, 0, "r", 1, 20)));
        assertEquals(List.of("Snapshot"), axioms(regular(unknown, Type.ok, 2, 384, 0, "r", 1, 10)));
    }

    @Test
    void anUpdateThatWasLost() {
        Histories both = regular(regular(written(), Type.ok, 1, 192, 320, "r", 1, 10, "w", 1, 20), Type.ok, 2, 256, 384, "r", 1, 10, "w", 1, 30);
        assertEquals(List.of("FirstCommitterWins", "StrongSI"), axioms(both), "and one came after the other, too");
    }

    @Test
    void theFastPath() {
        Histories good = fast(fast(written(), Type.ok, 1, 129, "r", 1, 10, "w", 1, 20), Type.ok, 1, 0, "r", 1, 10);
        assertEquals(List.of(), axioms(good), "a read may be of the past");
        assertEquals(List.of("Snapshot"), axioms(fast(written(), Type.ok, 1, 129, "r", 1, null, "w", 1, 20)));
        assertEquals(List.of("SameKeyOrder"), axioms(fast(written(), Type.ok, 1, 1, "w", 1, 20)));
    }

    @Test
    void aFastWriteWithoutAnswerIsWhereItWasFound() {
        Histories found = written().op(Type.info, 1, txn(), txn(), Op.PATH, Op.FAST, Op.FOUND, 130L, Op.TXN, txn("w", 1, 20));
        assertEquals(List.of(), axioms(regular(found, Type.ok, 0, 192, 0, "r", 1, 20)));
        Histories nowhere = written().op(Type.info, 1, txn(), txn(), Op.PATH, Op.FAST, Op.FOUND, Op.FOUND_NOWHERE, Op.TXN, txn("w", 1, 20));
        assertEquals(List.of(), axioms(regular(nowhere, Type.ok, 0, 192, 0, "r", 1, 10)));
        Histories unseen = written().op(Type.info, 1, txn(), txn(), Op.PATH, Op.FAST, Op.FOUND, Op.NOT_READ, Op.TXN, txn("w", 1, 20));
        assertThrows(IllegalArgumentException.class, () -> Judge.violations(unseen.all()), "it may be anywhere");
        Histories raw = written().op(Type.info, 1, txn(), txn(), Op.PATH, Op.FAST, Op.TXN, txn("w", 1, 20));
        assertThrows(IllegalArgumentException.class, () -> Judge.violations(raw.all()), "nobody has looked");
    }

    @Test
    void aHistoryWithoutTimestamps() {
        Histories other = new Histories().op(Type.ok, 0, txn("w", 1, 1), txn("w", 1, 1));
        assertThrows(IllegalArgumentException.class, () -> Judge.violations(other.all()));
    }
}
