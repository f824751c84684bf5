package org.fencepost.clustertest.verdict;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.fencepost.clustertest.verdict.Judge.Pair;
import org.fencepost.clustertest.verdict.Judge.Tagged;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;

/**
 * Judges a history of pH1 by the timestamps that its clients know. Several transactions may have one snapshot there, so a version has the name of its writer's commit
 * timestamp, and a snapshot sees those below it. Besides, each process is a session, whose next transaction sees what it has committed; and nobody is aborted for
 * want of an old version where no fault has struck. What became of transactions without an answer must be known.
 */
public final class SessionJudge {

    private static final String UNREADABLE = "UNREADABLE";

    private final List<String> violations = new ArrayList<>();
    /** Of what was committed, its commit timestamp. */
    private final Map<Tagged, Long> versions = new HashMap<>();
    /** By key, when it was committed. */
    private final Map<Object, TreeSet<Long>> commits = new HashMap<>();

    /** All commit timestamps. */
    private final Set<Long> given = new HashSet<>();

    private SessionJudge() {
    }

    /**
     * A sentence for each violation.
     *
     * @throws IllegalArgumentException if nobody could tell how a transaction without an answer has ended, or there are no timestamps
     */
    public static List<String> violations(List<Op> history) {
        List<Pair> pairs = Pair.of(history).stream().filter(pair -> !pair.completed().tagged().isEmpty()).toList();
        if (pairs.stream().noneMatch(pair -> pair.completed().number(Op.START) != 0)) {
            throw new IllegalArgumentException("The history has no timestamps.");
        }
        if (pairs.stream().map(Pair::completed).anyMatch(end -> end.type() == Op.Type.info && writes(end) && !end.more().containsKey(Op.RESOLVED))) {
            throw new IllegalArgumentException("Nobody could tell how transactions without an answer have ended.");
        }
        SessionJudge judge = new SessionJudge();
        List<Op> ends = pairs.stream().map(Pair::completed).toList();
        ends.forEach(judge::index);
        ends.forEach(judge::snapshot);
        ends.stream().filter(SessionJudge::isCommitted).forEach(judge::firstCommitter);
        judge.sessions(ends);
        if (history.stream().noneMatch(op -> !op.isClient() && op.f().startsWith("start-"))) {
            Pair.of(history).stream().map(Pair::completed).filter(end -> UNREADABLE.equals(end.more().get(Op.ERROR)))
                    .forEach(end -> judge.add("AbortsHaveReason", end, "was aborted for want of an old version, and no instance was lost"));
        }
        return judge.violations;
    }

    private void add(String axiom, Op end, String what) {
        violations.add(axiom + ": the transaction of line " + end.index() + ", with the snapshot " + end.number(Op.START) + ", " + what + ".");
    }

    private static boolean writes(Op end) {
        return end.tagged().stream().anyMatch(micro -> micro.get(0).equals("w"));
    }

    private static boolean isCommitted(Op end) {
        return writes(end) && Judge.outcome(end) == Outcome.COMMITTED;
    }

    private void index(Op end) {
        if (!isCommitted(end)) {
            return;
        }
        Map<Object, Object> last = new HashMap<>();
        end.tagged().stream().filter(micro -> micro.get(0).equals("w")).forEach(micro -> last.put(micro.get(1), micro.get(2)));
        if (!given.add(end.number(Op.COMMIT))) {
            add("NoTies", end, "has the commit timestamp of another one");
        }
        if (end.number(Op.COMMIT) < end.number(Op.START)) {
            add("Snapshot", end, "committed at " + end.number(Op.COMMIT) + ", in its own past");
        }
        last.forEach((key, tag) -> {
            versions.put(new Tagged(key, tag), end.number(Op.COMMIT));
            commits.computeIfAbsent(key, k -> new TreeSet<>()).add(end.number(Op.COMMIT));
        });
    }

    private void snapshot(Op end) {
        Map<Object, Object> own = new HashMap<>();
        for (List<Object> micro : end.tagged()) {
            Object key = micro.get(1);
            Object tag = micro.get(2);
            if (micro.get(0).equals("w")) {
                own.put(key, tag);
            } else if (own.containsKey(key)) {
                if (!own.get(key).equals(tag)) {
                    add("OwnWrites", end, "read " + tag + " in " + key + " after it had written " + own.get(key));
                }
            } else {
                read(end, key, tag);
            }
        }
    }

    private void read(Op end, Object key, Object tag) {
        Long due = commits.getOrDefault(key, new TreeSet<>()).lower(end.number(Op.START));
        Long found = tag == null ? null : versions.get(new Tagged(key, tag));
        if (tag != null && found == null) {
            add("NoDirtyRead", end, "read " + tag + " in " + key + ", which nobody has committed");
        } else if (found == null ? due != null : !found.equals(due)) {
            add("Snapshot", end, "read the version " + found + " of " + key + ", and its snapshot has " + due);
        }
    }

    private void firstCommitter(Op end) {
        end.tagged().stream().filter(micro -> micro.get(0).equals("w")).map(micro -> micro.get(1)).distinct().forEach(key -> {
            Long other = commits.get(key).lower(end.number(Op.COMMIT));
            if (other != null && other >= end.number(Op.START)) {
                add("FirstCommitterWins", end, "committed at " + end.number(Op.COMMIT) + " over a version of " + key + " that was committed at " + other);
            }
        });
    }

    /** Processes end with their sessions. */
    private void sessions(List<Op> ends) {
        Map<Object, Long> last = new HashMap<>();
        for (Op end : ends) {
            Long before = last.get(end.process());
            if (before != null && end.number(Op.START) != 0 && end.number(Op.START) <= before) {
                add("StrongSI", end, "does not see what its session had committed at " + before);
            }
            if (end.type() == Op.Type.ok && isCommitted(end)) {
                last.put(end.process(), end.number(Op.COMMIT));
            }
        }
    }
}
