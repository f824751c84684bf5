package org.fencepost.protocol.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.fencepost.protocol.history.HistoryTransaction.Kind;
import org.fencepost.protocol.history.HistoryTransaction.Operation;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.history.Violation.Axiom;

/**
 * Judges a history of regular and fast-path transactions (VLDB'18 section 2.2, specs/RelaxedIsolation.tla).
 *
 * <p>Regular transactions are judged as {@link TimestampChecker} does: each read shows the last write that was committed
 * before the snapshot, fast-path writes among them; of two that overlap and write a key one commits; and what had
 * committed before a transaction began is in its snapshot, if both are regular. A fast-path write stands at its version,
 * and reads what is last before it. A fast-path read stands after the update that it saw, whenever that was: it only
 * must have been committed.
 *
 * <p>Fast-path writes of different keys may have the same version, since every server draws its own: nobody can tell
 * which was first. Those of a key may not, and none may have a timestamp of the transaction manager. Updates of a key are
 * ordered as they were answered, whoever made them.
 *
 * <p>A transaction of unknown outcome counts as committed if any read returned a write of it, and as aborted otherwise.
 */
public final class RelaxedChecker {

    /** Per axiom, so that a flood of one does not hide another. */
    static final int MAX_VIOLATIONS = 20;

    private final List<HistoryTransaction> transactions;
    /** The writers of each key by version, whatever became of them. Writers of the same version in a list of their own. */
    private final Map<Object, Map<Long, List<HistoryTransaction>>> byVersion = new HashMap<>();
    /** The committed writers of each key by commit timestamp. */
    private final Map<Object, TreeMap<Long, HistoryTransaction>> byCommit = new HashMap<>();
    private final Set<HistoryTransaction> committed = new HashSet<>();
    private final List<Violation> violations = new ArrayList<>();
    private final int[] reported = new int[Axiom.values().length];

    private RelaxedChecker(History history) {
        transactions = history.transactions();
    }

    /** The violations found, at most {@value #MAX_VIOLATIONS} per axiom; none means that the promises were kept. */
    public static List<Violation> check(History history) {
        return new RelaxedChecker(history).run();
    }

    private List<Violation> run() {
        checkTimestamps();
        indexVersions();
        findCommitted();
        indexCommits();
        checkFirstCommitterWins();
        transactions.forEach(this::checkReads);
        checkSameKeyOrder();
        checkStrongSI();
        return violations;
    }

    // ---- timestamps

    private void checkTimestamps() {
        Map<Long, HistoryTransaction> given = new HashMap<>();
        for (HistoryTransaction t : transactions) {
            boolean done = t.outcome() == Outcome.COMMITTED && isUpdate(t);
            if (done && t.commitTs() == 0 || !t.isFast() && t.commitTs() != 0 && !t.inOrder()) {
                report(Axiom.Timestamps, t.startTs() + " has commit timestamp " + t.commitTs(), t);
            }
            if (!t.isFast()) {
                give(given, t.startTs(), t);
                give(given, t.commitTs() == t.startTs() ? 0 : t.commitTs(), t);
            }
        }
        for (HistoryTransaction t : transactions) {
            if (t.isFast() && t.commitTs() != 0 && given.containsKey(t.commitTs())) {
                report(Axiom.Timestamps, "a fast-path write drew " + t.commitTs() + ", which the transaction manager gave",
                        t, given.get(t.commitTs()));
            }
        }
    }

    private void give(Map<Long, HistoryTransaction> given, long ts, HistoryTransaction to) {
        HistoryTransaction before = ts == 0 ? null : given.put(ts, to);
        if (before != null) {
            report(Axiom.Timestamps, "timestamp " + ts + " was given twice", before, to);
        }
    }

    // ---- who has committed

    private void indexVersions() {
        for (HistoryTransaction t : transactions) {
            for (Object key : keysWritten(t)) {
                byVersion.computeIfAbsent(key, k -> new HashMap<>()).computeIfAbsent(t.startTs(), v -> new ArrayList<>(1)).add(t);
            }
        }
    }

    private void findCommitted() {
        transactions.stream().filter(t -> t.outcome() == Outcome.COMMITTED).forEach(committed::add);
        for (HistoryTransaction reader : transactions) {
            for (Operation op : reader.operations()) {
                if (op.kind() == Kind.READ && op.version() != 0) {
                    writers(op).stream().filter(w -> w != reader && w.outcome() == Outcome.UNKNOWN && w.commitTs() != 0)
                            .forEach(committed::add);
                }
            }
        }
    }

    private List<HistoryTransaction> writers(Operation read) {
        return byVersion.getOrDefault(read.key(), Map.of()).getOrDefault(read.version(), List.of());
    }

    private void indexCommits() {
        for (HistoryTransaction t : transactions) {
            if (committed.contains(t)) {
                for (Object key : keysWritten(t)) {
                    HistoryTransaction tie = byCommit.computeIfAbsent(key, k -> new TreeMap<>()).put(t.commitTs(), t);
                    if (tie != null) {
                        report(Axiom.NoTies, "both updated " + key + " at " + t.commitTs(), tie, t);
                    }
                }
            }
        }
    }

    // ---- what they saw

    private void checkFirstCommitterWins() {
        byCommit.forEach((key, writers) -> {
            HistoryTransaction first = null;
            for (HistoryTransaction second : writers.values()) {
                if (first != null && second.startTs() < first.commitTs()) {
                    report(Axiom.FirstCommitterWins, "both wrote " + key + ", and " + second.startTs()
                            + " began before " + first.startTs() + " committed at " + first.commitTs(), first, second);
                }
                first = second;
            }
        });
    }

    private void checkReads(HistoryTransaction reader) {
        Map<Object, Kind> own = new HashMap<>(4);
        for (Operation op : reader.operations()) {
            if (op.kind() != Kind.READ) {
                own.put(op.key(), op.kind());
            } else if (!own.containsKey(op.key())) {
                checkRead(reader, op);
            } else if (op.version() != reader.startTs() && !(op.version() == 0 && own.get(op.key()) == Kind.DELETE)) {
                report(Axiom.Snapshot, reader.startTs() + " read " + op.key() + " at version " + op.version()
                        + " after it had written that key itself", reader);
            }
        }
    }

    private void checkRead(HistoryTransaction reader, Operation read) {
        HistoryTransaction found = null;
        if (read.version() != 0) {
            List<HistoryTransaction> writers = writers(read);
            found = writers.stream().filter(committed::contains).findFirst().orElse(null);
            if (found == null) {
                report(Axiom.NoDirtyRead, reader.startTs() + " read " + read.key() + " at version " + read.version()
                        + (writers.isEmpty() ? ", which nobody wrote" : ", whose writer did not commit"), with(reader, writers));
                return;
            }
        }
        boolean hasSnapshot = !reader.isFast() || reader.startTs() != 0 && committed.contains(reader);
        if (!hasSnapshot) {
            return; // it may have read in the past
        }
        Map.Entry<Long, HistoryTransaction> last = byCommit.getOrDefault(read.key(), new TreeMap<>()).lowerEntry(reader.startTs());
        HistoryTransaction expected = last == null ? null : last.getValue();
        boolean deleteReadAsNothing = found == null && expected != null && deletes(expected, read.key());
        if (found != expected && !deleteReadAsNothing) {
            report(Axiom.Snapshot, reader.startTs() + " read " + read.key() + " at version " + read.version()
                    + ", but its snapshot has " + (expected == null ? "none" : "version " + expected.startTs()),
                    with(reader, expected == null ? List.of() : List.of(expected)));
        }
    }

    private static HistoryTransaction[] with(HistoryTransaction first, List<HistoryTransaction> others) {
        List<HistoryTransaction> all = new ArrayList<>(List.of(first));
        all.addAll(others);
        return all.toArray(HistoryTransaction[]::new);
    }

    // ---- real time

    /** Going through the updates of a key as they began: none is below the highest that was answered by then. */
    private void checkSameKeyOrder() {
        byCommit.forEach((key, writers) -> checkRealTime(Axiom.SameKeyOrder, "updated " + key + " at ", List.copyOf(writers.values()),
                List.copyOf(writers.values()), HistoryTransaction::commitTs));
    }

    private void checkStrongSI() {
        List<HistoryTransaction> regular = transactions.stream().filter(t -> !t.isFast()).toList();
        checkRealTime(Axiom.StrongSI, "began at ", regular.stream().filter(t -> t.commitTs() != 0).toList(), regular,
                HistoryTransaction::startTs);
    }

    private void checkRealTime(Axiom axiom, String what, List<HistoryTransaction> earlier, List<HistoryTransaction> later,
            java.util.function.ToLongFunction<HistoryTransaction> place) {
        List<HistoryTransaction> answered = earlier.stream().filter(t -> t.outcome() == Outcome.COMMITTED)
                .sorted(Comparator.comparingLong(HistoryTransaction::answeredNanos)).toList();
        HistoryTransaction latest = null;
        int next = 0;
        for (HistoryTransaction t : later.stream().sorted(Comparator.comparingLong(HistoryTransaction::begunNanos)).toList()) {
            for (; next < answered.size() && answered.get(next).answeredNanos() < t.begunNanos(); next++) {
                HistoryTransaction candidate = answered.get(next);
                latest = latest == null || candidate.commitTs() > latest.commitTs() ? candidate : latest;
            }
            if (latest != null && latest.commitTs() > place.applyAsLong(t)) {
                report(axiom, what + place.applyAsLong(t) + ", after the commit at " + latest.commitTs() + " was answered",
                        latest, t);
            }
        }
    }

    // ---- operations

    private static boolean isUpdate(HistoryTransaction t) {
        return t.operations().stream().anyMatch(op -> op.kind() != Kind.READ);
    }

    private static Set<Object> keysWritten(HistoryTransaction t) {
        Set<Object> keys = new HashSet<>(4);
        t.operations().stream().filter(op -> op.kind() != Kind.READ).forEach(op -> keys.add(op.key()));
        return keys;
    }

    /** By its last write of the key. */
    private static boolean deletes(HistoryTransaction t, Object key) {
        return t.operations().stream().filter(op -> op.kind() != Kind.READ && op.key().equals(key))
                .reduce((first, second) -> second).orElseThrow().kind() == Kind.DELETE;
    }

    private void report(Axiom axiom, String what, HistoryTransaction... shown) {
        if (reported[axiom.ordinal()]++ < MAX_VIOLATIONS) {
            violations.add(new Violation(axiom, what, List.of(shown)));
        }
    }
}
