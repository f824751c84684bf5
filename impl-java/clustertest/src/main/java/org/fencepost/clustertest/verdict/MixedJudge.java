package org.fencepost.clustertest.verdict;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fencepost.clustertest.verdict.Judge.Pair;
import org.fencepost.protocol.history.History;
import org.fencepost.protocol.history.HistoryTransaction;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.history.MixedChecker;

/**
 * Judges a history of native operations and Mediator's transactions by the timestamps at which HBase has their writes in the end: all versions
 * are kept. What a client was told must be what is stored, and a transaction is stored as a whole and at once, or not at all; the rest is
 * for {@link MixedChecker}.
 */
public final class MixedJudge {

    /** The last value that an operation wrote to a key, and where that is stored; 0: nowhere. */
    private record Written(Object tag, long ts) {
    }

    private record Value(Object key, Object tag) {
    }

    private final Map<Value, Long> versions = new HashMap<>();
    private final List<String> violations = new ArrayList<>();

    private MixedJudge() {
    }

    /**
     * The violations, of which the first line says all; none for a history that keeps what Mediator promises.
     *
     * @param serializable definition 1 of SYSTOR'14; otherwise definition 2
     * @throws IllegalArgumentException if the history does not tell what was stored: another client has recorded it
     */
    public static List<String> violations(List<Op> history, boolean serializable) {
        List<Pair> pairs = Pair.of(history).stream().filter(pair -> !pair.completed().tagged().isEmpty()).toList();
        if (pairs.isEmpty() || pairs.stream().anyMatch(pair -> !(pair.completed().more().get(Op.STORED) instanceof List))) {
            throw new IllegalArgumentException("The history does not tell at which timestamps its writes were stored.");
        }
        MixedJudge judge = new MixedJudge();
        pairs.forEach(pair -> written(pair.completed()).forEach((key, last) -> judge.versions.put(new Value(key, last.tag()), last.ts())));
        History judged = new History();
        pairs.forEach(pair -> judged.add(judge.judged(pair)));
        (serializable ? MixedChecker.checkSerializability(judged) : MixedChecker.checkSnapshotIsolation(judged))
                .forEach(violation -> judge.violations.add(violation.toString()));
        return judge.violations;
    }

    private static Map<Object, Written> written(Op end) {
        List<?> stored = (List<?>) end.more().get(Op.STORED);
        Map<Object, Written> written = new LinkedHashMap<>();
        int next = 0;
        for (List<Object> micro : end.tagged()) {
            if (micro.get(0).equals("w")) {
                written.put(micro.get(1), new Written(micro.get(2), (Long) stored.get(next++)));
            }
        }
        return written;
    }

    private HistoryTransaction judged(Pair pair) {
        Op end = pair.completed();
        HistoryTransaction judged = end.isNative() ? HistoryTransaction.nativeOperation(pair.invoked().time())
                : new HistoryTransaction(pair.invoked().time(), end.number(Op.START));
        for (List<Object> micro : end.tagged()) {
            if (micro.get(0).equals("w")) {
                judged.write(micro.get(1));
            } else {
                long found = micro.get(2) == null ? 0 : versions.getOrDefault(new Value(micro.get(1), micro.get(2)), 0L);
                judged.read(micro.get(1), micro.get(2) != null && found == 0 ? Long.MAX_VALUE : found);
            }
        }
        return end(judged.by(end.process()), end, written(end));
    }

    private HistoryTransaction end(HistoryTransaction judged, Op end, Map<Object, Written> written) {
        if (written.isEmpty()) {
            return judged.end(end.type() == Op.Type.ok ? Outcome.COMMITTED : Outcome.ABORTED, end.number(Op.COMMIT), end.time());
        }
        long ts = written.values().iterator().next().ts();
        if (written.values().stream().anyMatch(each -> each.ts() != ts)) {
            violate(end, "was stored in part, or at several timestamps");
        } else if (ts == 0 && end.type() == Op.Type.ok) {
            violate(end, "was answered, and is not stored");
        } else if (ts != 0 && end.type() == Op.Type.fail) {
            violate(end, "failed, and is stored at " + ts);
        } else if (ts != 0 && end.number(Op.COMMIT) != 0 && end.number(Op.COMMIT) != ts) {
            violate(end, "committed at " + end.number(Op.COMMIT) + ", and is stored at " + ts);
        }
        return ts == 0 ? judged.end(Outcome.ABORTED, 0, 0)
                : judged.end(Outcome.COMMITTED, ts, end.type() == Op.Type.ok ? end.time() : Long.MAX_VALUE);
    }

    private void violate(Op end, String what) {
        violations.add("Operation " + end.index() + " " + what + ": " + HistoryFile.edn(end.more().get(Op.TXN)) + " " + HistoryFile.edn(end.more().get(Op.STORED)) + ".");
    }
}
