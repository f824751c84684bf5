package org.fencepost.clustertest.verdict;

import static org.fencepost.clustertest.verdict.Histories.list;
import static org.fencepost.clustertest.verdict.Histories.txn;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.fencepost.clustertest.verdict.Op.Type;
import org.junit.jupiter.api.Test;

/** Scans: each way in which one can be wrong, by timestamps and by itself. */
class RangeJudgeTest {

    private static final long ALL = RangeJudge.KEYS;

    private static Histories regular(Histories to, Type type, long process, long start, long commit, List<List<Object>> tagged, Object... more) {
        List<Object> all = new ArrayList<>(List.of(Op.PATH, Op.REGULAR, Op.START, start, Op.COMMIT, commit, Op.TXN, tagged));
        all.addAll(List.of(more));
        return to.op(type, process, txn(), txn(), all.toArray());
    }

    /** @param found key, tag, and so on */
    private static List<Object> scan(long from, long to, long limit, boolean reversed, Object... found) {
        List<Object> micro = new ArrayList<>(List.of("scan", List.of(from, to, limit, reversed)));
        micro.add(pairs(found));
        return micro;
    }

    private static List<Object> index(long from, long to, Object... found) {
        return new ArrayList<>(List.of("index", List.of(from, to), pairs(found)));
    }

    private static List<Object> pairs(Object... found) {
        List<Object> rows = new ArrayList<>();
        for (int i = 0; i < found.length; i += 2) {
            rows.add(list(found[i], found[i + 1]));
        }
        return rows;
    }

    private static List<String> axioms(Histories history) {
        return Judge.violations(history.all()).stream().map(violation -> violation.axiom().name()).distinct().toList();
    }

    /** Keys 1, 3 and 5; then 3 is deleted, and 1 overwritten. */
    private static Histories written() {
        Histories history = regular(new Histories(), Type.ok, 0, 64, 128, txn("put", 1, 10, "put", 3, 30, "put", 5, 50));
        return regular(history, Type.ok, 0, 192, 256, txn("delete", 3, null, "put", 1, 11));
    }

    private static List<String> after(long start, List<Object> scan) {
        return axioms(regular(written(), Type.ok, 1, start, 0, List.of(scan)));
    }

    // ---- by timestamps

    @Test
    void aScanOfWhatHadCommittedBelowIt() {
        assertEquals(List.of(), after(320, scan(0, ALL, 0, false, 1, 11, 5, 50)));
        assertEquals(List.of(), after(320, scan(2, 5, 0, false)));
    }

    @Test
    void aRowIsMissing() {
        assertEquals(List.of("Snapshot"), after(320, scan(0, ALL, 0, false, 1, 11)));
    }

    @Test
    void aRowThatWasDeletedIsThere() {
        assertEquals(List.of("Snapshot"), after(320, scan(0, ALL, 0, false, 1, 11, 3, 30, 5, 50)));
    }

    @Test
    void aRowThatNobodyWrote() {
        assertEquals(List.of("NoDirtyRead"), after(320, scan(0, ALL, 0, false, 1, 11, 4, 40, 5, 50)));
    }

    @Test
    void aRowOfATransactionThatAborted() {
        Histories history = regular(written(), Type.fail, 1, 320, 0, txn("put", 7, 70));
        assertEquals(List.of("NoDirtyRead"), axioms(regular(history, Type.ok, 2, 384, 0, List.of(scan(0, ALL, 0, false, 1, 11, 5, 50, 7, 70)))));
    }

    @Test
    void aValueIsStale() {
        assertEquals(List.of("Snapshot"), after(320, scan(0, ALL, 0, false, 1, 10, 5, 50)));
    }

    @Test
    void aRowIsOfTheFuture() {
        Histories early = new Histories().line(Type.invoke, 1L, txn()); // before the others
        written().all().forEach(op -> early.all().add(op));
        early.line(Type.ok, 1L, txn(), Op.PATH, Op.REGULAR, Op.START, 32L, Op.TXN, List.of(scan(0, ALL, 0, false, 5, 50)));
        assertEquals(List.of("Snapshot"), axioms(early));
    }

    @Test
    void aLimitEndsTheRangeWhereItWasReached() {
        assertEquals(List.of(), after(320, scan(0, ALL, 1, false, 1, 11)));
        assertEquals(List.of(), after(320, scan(0, ALL, 1, true, 5, 50)));
        assertEquals(List.of("Snapshot"), after(320, scan(0, ALL, 1, false, 5, 50)), "key 1 was passed over");
        assertEquals(List.of("Snapshot"), after(320, scan(0, ALL, 1, true, 1, 11)), "key 5 was passed over");
        assertEquals(List.of("Snapshot"), after(320, scan(0, ALL, 2, false, 1, 11)), "a limit that counts what is not visible");
    }

    @Test
    void ownWritesAreScanned() {
        List<List<Object>> own = new ArrayList<>(txn("put", 4, 40, "delete", 5, null));
        own.add(scan(0, ALL, 0, false, 1, 11, 4, 40));
        assertEquals(List.of(), axioms(regular(written(), Type.ok, 1, 320, 384, own)));
        own.set(2, scan(0, ALL, 0, false, 1, 11, 5, 50));
        assertEquals(List.of("Snapshot"), axioms(regular(written(), Type.ok, 1, 320, 384, own)));
    }

    // ---- outcomes that nobody was told

    private static Histories inDoubt(Object... resolved) {
        return regular(written(), Type.info, 1, 320, 384, txn("delete", 5, null, "put", 7, 70), resolved);
    }

    @Test
    void aDeleteInDoubtIsNoVerdictUntilItIsKnown() {
        List<Object> without = scan(0, ALL, 0, false, 1, 11, 7, 70);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Judge.violations(inDoubt().all())).getMessage().contains("deletes without an answer"));
        assertThrows(IllegalArgumentException.class, () -> Judge.violations(inDoubt(Op.RESOLVED, "UNKNOWN").all()));
        assertEquals(List.of(), axioms(regular(inDoubt(Op.RESOLVED, "COMMITTED"), Type.ok, 2, 448, 0, List.of(without))));
        assertEquals(List.of("NoDirtyRead", "Snapshot"), axioms(regular(inDoubt(Op.RESOLVED, "ABORTED"), Type.ok, 2, 448, 0, List.of(without))));
    }

    @Test
    void whatCommittedWithoutAnAnswerMayBeMissedInRealTimeAndNotByTimestamps() {
        List<Object> before = scan(0, ALL, 0, false, 1, 11, 5, 50);
        assertEquals(List.of("Snapshot"), axioms(regular(inDoubt(Op.RESOLVED, "COMMITTED"), Type.ok, 2, 448, 0, List.of(before))));
        assertEquals(List.of(), axioms(regular(inDoubt(Op.RESOLVED, "COMMITTED"), Type.ok, 2, 352, 0, List.of(before))));
        assertEquals(List.of(), axioms(regular(inDoubt(Op.RESOLVED, "ABORTED"), Type.ok, 2, 448, 0, List.of(before))));
    }

    // ---- by itself

    private static List<String> alone(Type type, List<Object>... micro) {
        return RangeJudge.violations(regular(new Histories(), type, 0, 64, 0, List.of(micro)).all());
    }

    private static void assertWrong(String what, List<Object>... micro) {
        for (Type type : List.of(Type.ok, Type.fail, Type.info)) {
            List<String> violations = alone(type, micro);
            assertEquals(1, violations.size(), violations::toString);
            assertTrue(violations.get(0).contains(what), violations::toString);
        }
    }

    @Test
    void theFormOfAScan() {
        assertEquals(List.of(), alone(Type.ok, scan(1, 6, 2, false, 1, 10, 5, 50), scan(1, 6, 2, true, 5, 50, 1, 10), scan(1, 6, 0, false)));
        assertWrong("twice", scan(0, ALL, 0, false, 1, 10, 1, 11));
        assertWrong("out of order", scan(0, ALL, 0, false, 5, 50, 1, 10));
        assertWrong("out of order", scan(0, ALL, 0, true, 1, 10, 5, 50));
        assertWrong("did not ask", scan(1, 5, 0, false, 1, 10, 5, 50));
        assertWrong("more than", scan(0, ALL, 1, false, 1, 10, 5, 50));
    }

    @Test
    void anIndexIsTheFunctionOfTheTable() {
        List<Object> table = scan(0, ALL, 0, false, 1, 10, 2, 6, 5, 51); // buckets 2, 2, 3
        assertEquals(List.of(), alone(Type.ok, table, index(0, 4, 2, 1, 2, 2, 3, 5)));
        assertEquals(List.of(), alone(Type.ok, table, index(3, 4, 3, 5)));
        assertWrong("without [2/02]", table, index(0, 4, 2, 1, 3, 5));
        assertWrong("with [1/04]", table, index(0, 4, 1, 4, 2, 1, 2, 2, 3, 5));
        assertWrong("without [3/05] and with [0/05]", table, index(0, 4, 0, 5, 2, 1, 2, 2));
        assertWrong("out of order", table, index(0, 4, 2, 2, 2, 1, 3, 5));
        assertWrong("twice", table, index(0, 4, 2, 1, 2, 2, 2, 2, 3, 5));
        assertWrong("nobody can judge", index(0, 4));
        assertWrong("nobody can judge", scan(1, ALL, 0, false), index(0, 4));
        List<Object> early = new ArrayList<>(List.of("index", List.of(0L, 4L)));
        early.add(null);
        assertEquals(List.of(), alone(Type.ok, early), "it was not ready");
    }
}
