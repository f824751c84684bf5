package org.fencepost.clustertest.verdict;

import static org.fencepost.clustertest.verdict.Histories.list;
import static org.fencepost.clustertest.verdict.Histories.txn;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.fencepost.clustertest.verdict.Op.Type;
import org.junit.jupiter.api.Test;

/** From what is stored to versions. What the checker makes of versions has tests of its own. */
class MixedJudgeTest {

    private static Histories put(Histories to, Type type, long process, long stored, long key, long value) {
        return to.op(type, process, txn(), txn(), Op.PATH, Op.NATIVE, Op.TXN, txn("w", key, value), Op.STORED, list(stored));
    }

    private static Histories get(Histories to, long process, long key, Object found) {
        return to.op(Type.ok, process, txn(), txn(), Op.PATH, Op.NATIVE, Op.TXN, txn("r", key, found), Op.STORED, list());
    }

    private static Histories transaction(Histories to, Type type, long process, long start, long commit, List<Object> stored, Object... tagged) {
        return to.op(type, process, txn(), txn(), Op.PATH, Op.MEDIATOR, Op.START, start, Op.COMMIT, commit, Op.TXN, txn(tagged), Op.STORED, stored);
    }

    private static Histories natives() {
        return put(put(new Histories(), Type.ok, 0, 65, 1, 10), Type.ok, 1, 66, 2, 10);
    }

    /** The first words of each violation, or its axiom. */
    private static List<String> snapshot(Histories history) {
        return words(MixedJudge.violations(history.all(), false));
    }

    private static List<String> serializable(Histories history) {
        return words(MixedJudge.violations(history.all(), true));
    }

    private static List<String> words(List<String> violations) {
        return violations.stream().map(violation -> violation.replaceFirst("Operation \\d+ ", "").replaceFirst("[:,] ?.*(?s:.*)", "")).distinct().toList();
    }

    @Test
    void nativeOperationsAndTransactionsThatFit() {
        Histories history = transaction(natives(), Type.ok, 2, 128, 192, list(192), "r", 1, 10, "w", 2, 20);
        get(get(history, 0, 2, 20), 1, 1, 10);
        assertEquals(List.of(), snapshot(history));
        assertEquals(List.of(), serializable(history));
    }

    @Test
    void aNativePutBetweenReadAndWrite() {
        Histories history = put(natives(), Type.ok, 0, 130, 1, 20);
        transaction(history, Type.ok, 2, 128, 192, list(192), "r", 1, 10, "w", 1, 30);
        assertEquals(List.of("DisjointWrites"), snapshot(history));
        assertEquals(List.of("SerialLegal"), serializable(history));
    }

    @Test
    void aReadOfWhatIsNotStored() {
        assertEquals(List.of("NoDirtyRead"), snapshot(get(natives(), 2, 1, 99)));
        assertEquals(List.of("NoDirtyRead"), snapshot(get(put(natives(), Type.info, 2, 0, 1, 20), 3, 1, 20)));
    }

    @Test
    void whatNobodyLearnedIsWhereItIsStored() {
        Histories history = put(natives(), Type.info, 2, 67, 1, 20);
        transaction(history, Type.info, 3, 128, 0, list(192, 192), "w", 1, 30, "w", 2, 30);
        assertEquals(List.of(), snapshot(get(history, 4, 1, 30)));
        assertEquals(List.of("SnapshotLegal"), snapshot(transaction(history, Type.ok, 5, 256, 0, list(), "r", 2, 10)));
    }

    @Test
    void whatWasToldMustBeStored() {
        assertEquals(List.of("was answered"), snapshot(put(natives(), Type.ok, 2, 0, 1, 20)));
        assertEquals(List.of("failed"), snapshot(transaction(natives(), Type.fail, 2, 128, 0, list(192), "w", 1, 20)));
        assertEquals(List.of("was stored in part"), snapshot(transaction(natives(), Type.info, 2, 128, 0, list(192, 0), "w", 1, 20, "w", 2, 20)));
        assertEquals(List.of("committed at 192"), snapshot(transaction(natives(), Type.ok, 2, 128, 192, list(256), "w", 1, 20)));
    }

    @Test
    void ofTwoWritesOfAKeyTheLastCounts() {
        assertEquals(List.of(), snapshot(transaction(natives(), Type.ok, 2, 128, 192, list(0, 192), "w", 1, 20, "w", 1, 21)));
    }

    @Test
    void aHistoryThatDoesNotTell() {
        Histories other = new Histories().op(Type.ok, 0, txn(), txn(), Op.PATH, Op.NATIVE, Op.TXN, txn("w", 1, 10));
        assertThrows(IllegalArgumentException.class, () -> MixedJudge.violations(other.all(), false));
    }
}
