package org.fencepost.clustertest.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SessionJudgeTest {

    private final List<Op> history = new ArrayList<>();

    private static List<Object> r(long key, Long tag) {
        return Arrays.asList("r", key, tag);
    }

    private static List<Object> w(long key, long tag) {
        return List.of("w", key, tag);
    }

    /** One after the other. */
    @SafeVarargs
    private Map<String, Object> op(long process, Op.Type type, long start, long commit, List<Object>... micro) {
        Map<String, Object> more = new LinkedHashMap<>(Map.of(Op.TXN, List.of(micro), Op.START, start, Op.COMMIT, commit));
        history.add(new Op(history.size(), history.size(), Op.Type.invoke, process, "txn", null, Map.of()));
        history.add(new Op(history.size(), history.size(), type, process, "txn", null, more));
        return more;
    }

    private void assertFound(String... axioms) {
        assertEquals(List.of(axioms), SessionJudge.violations(history).stream().map(each -> each.substring(0, each.indexOf(':'))).toList());
    }

    @Test
    void aHistoryThatKeepsAllIsValid() {
        op(1, Op.Type.ok, 1, 10, r(1, null), w(1, 1));
        op(1, Op.Type.ok, 11, 20, r(1, 1L), w(1, 2), r(1, 2L));
        op(2, Op.Type.ok, 11, 0, r(1, 1L)); // the same snapshot, and another session's commit is behind a flush
        op(2, Op.Type.ok, 20, 0, r(1, 1L)); // it sees what was committed below it
        op(2, Op.Type.fail, 21, 0, r(1, 2L), w(1, 3));
        op(3, Op.Type.info, 21, 30, w(1, 4)).put(Op.RESOLVED, "COMMITTED");
        op(2, Op.Type.ok, 31, 0, r(1, 4L));
        assertFound();
    }

    @Test
    void violationsAreFound() {
        op(1, Op.Type.ok, 1, 10, w(1, 1));
        op(2, Op.Type.ok, 5, 15, w(1, 2));
        assertFound("FirstCommitterWins");
        op(3, Op.Type.ok, 16, 0, r(1, 1L));
        assertFound("Snapshot", "FirstCommitterWins");
        op(3, Op.Type.fail, 16, 0, w(2, 7));
        op(3, Op.Type.ok, 16, 0, r(2, 7L));
        assertFound("Snapshot", "NoDirtyRead", "FirstCommitterWins");
    }

    @Test
    void aSessionSeesWhatItHasCommitted() {
        op(1, Op.Type.ok, 1, 10, w(1, 1));
        op(1, Op.Type.ok, 10, 0, r(1, null));
        assertFound("StrongSI");
    }

    @Test
    void commitTimestampsAreGivenOnceAndAfterTheSnapshot() {
        op(1, Op.Type.ok, 1, 10, w(1, 1));
        op(2, Op.Type.ok, 2, 10, w(2, 2));
        op(3, Op.Type.ok, 12, 11, w(3, 3));
        assertFound("NoTies", "Snapshot");
    }

    @Test
    void ownWritesAreRead() {
        op(1, Op.Type.ok, 1, 10, w(1, 1), r(1, null));
        assertFound("OwnWrites");
    }

    @Test
    void nobodyLosesAVersionWithoutAFault() {
        op(1, Op.Type.ok, 1, 10, w(1, 1));
        op(2, Op.Type.fail, 5, 0, r(2, null)).put(Op.ERROR, "UNREADABLE");
        assertFound("AbortsHaveReason");
        history.add(new Op(history.size(), history.size(), Op.Type.info, Op.NEMESIS, "start-kill-ph1", "kill ph1 n3", Map.of()));
        assertFound();
    }

    @Test
    void whatNobodyKnowsIsUnknown() {
        assertThrows(IllegalArgumentException.class, () -> SessionJudge.violations(history));
        op(1, Op.Type.info, 1, 0, w(1, 1));
        assertThrows(IllegalArgumentException.class, () -> SessionJudge.violations(history));
    }
}
