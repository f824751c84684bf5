package org.fencepost.clustertest.verdict;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.fencepost.protocol.history.History;
import org.fencepost.protocol.history.HistoryTransaction;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.history.RelaxedChecker;
import org.fencepost.protocol.history.TimestampChecker;
import org.fencepost.protocol.history.Violation;

/**
 * Judges a history by the timestamps that its clients know: {@link TimestampChecker} where all transactions are regular,
 * {@link RelaxedChecker} where some are of the fast path.
 *
 * <p>Each value carries a tag that tells who wrote it, so what a read found tells which version it found: the start timestamp of
 * the writer, or the version of a fast-path write. For a fast-path write without an answer that is where its value was found in HBase in
 * the end; if it was found nowhere it was not stored, since nothing is collected during a run. A scan is a read of every key of its range, as far as
 * its limit let it come. What a delete did shows in no value; so if its transaction had no answer, it must be known how that has ended.
 */
public final class Judge {

    /** What a read found, or a write left. */
    record Tagged(Object key, Object tag) {
    }

    private final Map<Tagged, Long> versions = new HashMap<>();

    private Judge() {
    }

    /** An operation with its completion, which the history must have. */
    public record Pair(Op invoked, Op completed) {

        public static List<Pair> of(List<Op> history) {
            Map<Object, Op> open = new HashMap<>();
            List<Pair> pairs = new ArrayList<>();
            for (Op op : history) {
                if (!op.isClient()) {
                    continue;
                }
                if (op.type() == Op.Type.invoke) {
                    open.put(op.process(), op);
                } else if (open.containsKey(op.process())) {
                    pairs.add(new Pair(open.remove(op.process()), op));
                }
            }
            return pairs;
        }
    }

    /**
     * The violations; none for a history that keeps what the protocols promise.
     *
     * @throws IllegalArgumentException if the history has no timestamps: another client has recorded it, or the cluster did not serve again
     */
    public static List<Violation> violations(List<Op> history) {
        List<Pair> pairs = Pair.of(history).stream().filter(pair -> !pair.completed().tagged().isEmpty()).toList();
        if (pairs.isEmpty() || pairs.stream().noneMatch(pair -> version(pair.completed()) != 0)) {
            throw new IllegalArgumentException("The history has no timestamps.");
        }
        if (pairs.stream().anyMatch(pair -> pair.completed().number(Op.FOUND) == Op.NOT_READ)) {
            throw new IllegalArgumentException("Nobody could look where fast-path writes without an answer are.");
        }
        if (pairs.stream().map(Pair::completed).anyMatch(Judge::isNotLookedFor)) {
            throw new IllegalArgumentException("The history does not tell where fast-path writes without an answer are: judge the one that was completed after the run,"
                    + " which Jepsen's store has in judge/.");
        }
        if (pairs.stream().map(Pair::completed).anyMatch(Judge::isDeleteInDoubt)) {
            throw new IllegalArgumentException("Nobody could tell whether deletes without an answer have committed.");
        }
        Judge judge = new Judge();
        pairs.forEach(pair -> judge.index(pair.completed()));
        History judged = new History();
        pairs.stream().filter(pair -> pair.completed().isFast() || version(pair.completed()) != 0).forEach(pair -> judged.add(judge.judged(pair)));
        boolean anyFast = pairs.stream().anyMatch(pair -> pair.completed().isFast());
        return anyFast ? RelaxedChecker.check(judged) : TimestampChecker.check(judged);
    }

    /** Where its writes are, or would be. */
    private static long version(Op completed) {
        return completed.isFast() ? fastVersion(completed) : completed.number(Op.START);
    }

    private static long fastVersion(Op completed) {
        return completed.number(Op.COMMIT) != 0 ? completed.number(Op.COMMIT) : completed.number(Op.FOUND);
    }

    private static boolean isWrite(List<Object> micro) {
        return micro.get(0).equals("w") || micro.get(0).equals("put");
    }

    private static boolean isNotLookedFor(Op end) {
        return end.type() == Op.Type.info && end.isFast() && end.number(Op.COMMIT) == 0 && !end.more().containsKey(Op.FOUND)
                && end.tagged().stream().anyMatch(Judge::isWrite);
    }

    private static boolean isDeleteInDoubt(Op end) {
        return outcome(end) == Outcome.UNKNOWN && end.number(Op.COMMIT) != 0 && end.tagged().stream().anyMatch(micro -> micro.get(0).equals("delete"));
    }

    private void index(Op completed) {
        for (List<Object> micro : completed.tagged()) {
            if (isWrite(micro) && version(completed) != 0) {
                versions.put(new Tagged(micro.get(1), micro.get(2)), version(completed));
            }
        }
    }

    private HistoryTransaction judged(Pair pair) {
        Op end = pair.completed();
        HistoryTransaction judged = end.isFast() ? HistoryTransaction.fast(pair.invoked().time())
                : pair.invoked().isBlind() ? HistoryTransaction.blind(pair.invoked().time())
                : new HistoryTransaction(pair.invoked().time(), end.number(Op.START));
        if (pair.invoked().isBlind()) {
            judged.startsAt(end.number(Op.START));
        }
        for (List<Object> micro : end.tagged()) {
            switch (micro.get(0).toString()) {
                case "w", "put" -> judged.write(micro.get(1));
                case "delete" -> judged.delete(micro.get(1));
                case "scan" -> scan(judged, (List<?>) micro.get(1), (List<?>) micro.get(2));
                case "index" -> {} // by RangeJudge
                default -> judged.read(micro.get(1), version(micro.get(1), micro.get(2)));
            }
        }
        return end.isFast() ? fast(judged, end) : judged.end(outcome(end), end.number(Op.COMMIT), end.type() == Op.Type.info ? Long.MAX_VALUE : end.time());
    }

    private long version(Object key, Object tag) {
        return Objects.isNull(tag) ? 0 : versions.getOrDefault(new Tagged(key, tag), Long.MAX_VALUE);
    }

    /** At its limit it has come to the last key that it found, and no further. */
    private void scan(HistoryTransaction judged, List<?> range, List<?> rows) {
        long from = (Long) range.get(0);
        long to = (Long) range.get(1);
        Map<Object, Long> found = new LinkedHashMap<>();
        Long last = null;
        for (Object each : rows) {
            List<?> row = (List<?>) each;
            last = (Long) row.get(0);
            found.put(last, version(last, row.get(1)));
        }
        if (last != null && rows.size() == (Long) range.get(2)) {
            from = (Boolean) range.get(3) ? last : from;
            to = (Boolean) range.get(3) ? to : last + 1;
        }
        judged.range(from, to, found);
    }

    private static HistoryTransaction fast(HistoryTransaction judged, Op end) {
        long version = fastVersion(end);
        if (end.type() == Op.Type.info) { // what was stored has committed, although when it would have been answered is unknown
            return version == 0 ? judged.end(Outcome.ABORTED, 0, 0) : judged.end(Outcome.COMMITTED, version, Long.MAX_VALUE);
        }
        return judged.end(outcome(end), version, end.time());
    }

    /** As far as it is known. */
    static Outcome outcome(Op end) {
        return switch (end.type()) {
            case ok -> Outcome.COMMITTED;
            case fail -> Outcome.ABORTED;
            default -> switch (String.valueOf(end.more().get(Op.RESOLVED))) {
                    case "COMMITTED" -> Outcome.COMMITTED;
                    case "ABORTED" -> Outcome.ABORTED;
                    default -> Outcome.UNKNOWN;
                };
        };
    }
}
