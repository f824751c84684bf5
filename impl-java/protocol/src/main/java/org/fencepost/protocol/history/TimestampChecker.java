package org.fencepost.protocol.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.fencepost.protocol.history.HistoryTransaction.Kind;
import org.fencepost.protocol.history.HistoryTransaction.Operation;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.history.Violation.Axiom;

/**
 * Judges a history by snapshot isolation as timestamps define it (specs/Isolation.tla; {@link Axiom}).
 *
 * <p>The history says which version each read returned and when each transaction committed. So nothing has to be
 * searched: per key, the committed writers are sorted by commit timestamp, and the one that a snapshot must show is
 * found by bisection. The cost is that of sorting.
 *
 * <p>A transaction of unknown outcome counts as committed if any read returned a write of it, and as aborted otherwise;
 * a run in which some snapshot shows it and a later one does not is thereby found. Reads of transactions that aborted
 * are judged like all others.
 */
public final class TimestampChecker {

    /** Per axiom, so that a flood of one does not hide another. */
    static final int MAX_VIOLATIONS = 20;

    private final List<HistoryTransaction> transactions;
    /** Sorted; parallel to transactions. */
    private final long[] startTimestamps;
    private final boolean[] committed;
    private final Map<Object, Writers> writersOfKey = new HashMap<>();
    private final List<Violation> violations = new ArrayList<>();
    private final int[] reported = new int[Axiom.values().length];

    private TimestampChecker(History history) {
        transactions = history.judged();
        transactions.sort(Comparator.comparingLong(HistoryTransaction::startTs));
        startTimestamps = transactions.stream().mapToLong(HistoryTransaction::startTs).toArray();
        committed = new boolean[transactions.size()];
    }

    /** The violations found, at most {@value #MAX_VIOLATIONS} per axiom; none means that the history is snapshot isolated. */
    public static List<Violation> check(History history) {
        return new TimestampChecker(history).run();
    }

    private List<Violation> run() {
        checkTimestamps();
        findCommitted();
        indexWriters();
        checkFirstCommitterWins();
        for (HistoryTransaction reader : transactions) {
            checkReads(reader);
        }
        checkStrongSI();
        return violations;
    }

    private void checkTimestamps() {
        long[] all = new long[2 * transactions.size()];
        int count = 0;
        for (HistoryTransaction t : transactions) {
            all[count++] = t.startTs();
            if (t.commitTs() != 0) {
                if (t.commitTs() != t.startTs()) {
                    all[count++] = t.commitTs();
                }
                if (!t.inOrder()) {
                    report(Axiom.Timestamps, t.startTs() + " committed at " + t.commitTs() + ", not after its start", t);
                }
            } else if (t.outcome() == Outcome.COMMITTED && t.operations().stream().anyMatch(op -> op.kind() != Kind.READ)) {
                report(Axiom.Timestamps, t.startTs() + " committed writes without a commit timestamp", t);
            }
        }
        Arrays.sort(all, 0, count);
        for (int i = 1; i < count && !enough(Axiom.Timestamps); i++) {
            long twice = all[i];
            if (twice == all[i - 1]) {
                report(Axiom.Timestamps, "timestamp " + twice + " was given twice", transactions.stream()
                        .filter(t -> t.startTs() == twice || t.commitTs() == twice).toArray(HistoryTransaction[]::new));
            }
        }
    }

    private void findCommitted() {
        boolean anyUnknown = false;
        for (int i = 0; i < committed.length; i++) {
            committed[i] = transactions.get(i).outcome() == Outcome.COMMITTED;
            anyUnknown |= transactions.get(i).outcome() == Outcome.UNKNOWN;
        }
        if (anyUnknown) {
            transactions.forEach(this::findCommittedThroughReads);
        }
    }

    private void findCommittedThroughReads(HistoryTransaction reader) {
        for (Operation op : reader.operations()) {
            int writer = op.kind() == Kind.READ && op.version() != reader.startTs() ? find(op.version()) : -1;
            if (writer >= 0 && transactions.get(writer).outcome() == Outcome.UNKNOWN && transactions.get(writer).commitTs() != 0) {
                committed[writer] = true;
            }
        }
    }

    private void indexWriters() {
        for (int i = 0; i < committed.length; i++) {
            if (committed[i]) {
                for (Operation op : transactions.get(i).operations()) {
                    if (op.kind() != Kind.READ) {
                        writersOfKey.computeIfAbsent(op.key(), k -> new Writers()).add(i, op.kind() == Kind.DELETE);
                    }
                }
            }
        }
        writersOfKey.values().forEach(writers -> writers.sort(transactions));
    }

    /** Neighbours by commit timestamp suffice: if none of them overlap, no others do. */
    private void checkFirstCommitterWins() {
        writersOfKey.forEach((key, writers) -> {
            for (int i = 1; i < writers.count; i++) {
                HistoryTransaction first = transactions.get(writers.ids[i - 1]);
                HistoryTransaction second = transactions.get(writers.ids[i]);
                if (second.startTs() < first.commitTs()) {
                    report(Axiom.FirstCommitterWins, "both wrote " + key + ", and " + second.startTs()
                            + " began before " + first.startTs() + " committed at " + first.commitTs(), first, second);
                }
            }
        });
    }

    private void checkReads(HistoryTransaction reader) {
        Map<Object, Kind> own = new HashMap<>(4);
        for (Operation op : reader.operations()) {
            if (op.kind() != Kind.READ) {
                own.put(op.key(), op.kind());
            } else if (own.containsKey(op.key())) {
                if (op.version() != reader.startTs() && !(op.version() == 0 && own.get(op.key()) == Kind.DELETE)) {
                    report(Axiom.Snapshot, reader.startTs() + " read " + op.key() + " at version " + op.version()
                            + " after it had written that key itself", reader);
                }
            } else {
                checkRead(reader, op);
            }
        }
    }

    private void checkRead(HistoryTransaction reader, Operation read) {
        int found = read.version() == 0 ? -1 : find(read.version());
        if (read.version() != 0 && (found < 0 || !wrote(transactions.get(found), read.key()))) {
            report(Axiom.NoDirtyRead, reader.startTs() + " read " + read.key() + " at version " + read.version()
                    + ", which nobody wrote", found < 0 ? new HistoryTransaction[] {reader}
                            : new HistoryTransaction[] {reader, transactions.get(found)});
            return;
        }
        if (found >= 0 && !committed[found]) {
            report(Axiom.NoDirtyRead, reader.startTs() + " read " + read.key() + " at version " + read.version()
                    + ", whose writer did not commit", reader, transactions.get(found));
            return;
        }
        Writers writers = writersOfKey.get(read.key());
        int last = writers == null ? -1 : writers.lastBefore(reader.startTs());
        int expected = last < 0 ? -1 : writers.ids[last];
        boolean deleteReadAsNothing = found < 0 && last >= 0 && writers.deletes[last];
        if (found == expected || deleteReadAsNothing) {
            return;
        }
        List<HistoryTransaction> shown = new ArrayList<>(List.of(reader));
        if (found >= 0) {
            shown.add(transactions.get(found));
        }
        if (expected >= 0) {
            shown.add(transactions.get(expected));
        }
        report(Axiom.Snapshot, reader.startTs() + " read " + read.key() + " at version " + read.version() + ", but its snapshot has "
                + (expected < 0 ? "none" : "version " + startTimestamps[expected]), shown.toArray(HistoryTransaction[]::new));
    }

    private void checkStrongSI() {
        HistoryTransaction[] commits = transactions.stream()
                .filter(t -> t.outcome() == Outcome.COMMITTED && t.commitTs() != 0)
                .sorted(Comparator.comparingLong(HistoryTransaction::answeredNanos)).toArray(HistoryTransaction[]::new);
        long[] answered = Arrays.stream(commits).mapToLong(HistoryTransaction::answeredNanos).toArray();
        HistoryTransaction[] latest = commits.clone(); // the greatest commit timestamp among those answered so far
        for (int i = 1; i < latest.length; i++) {
            latest[i] = latest[i - 1].commitTs() > latest[i].commitTs() ? latest[i - 1] : latest[i];
        }
        for (HistoryTransaction later : transactions) {
            int before = lastBelow(answered, answered.length, later.begunNanos());
            if (before >= 0 && latest[before].commitTs() >= later.startTs()) {
                report(Axiom.StrongSI, later.startTs() + " began after the commit at " + latest[before].commitTs()
                        + " was answered, and does not see it", latest[before], later);
            }
        }
    }

    private static boolean wrote(HistoryTransaction t, Object key) {
        return t.operations().stream().anyMatch(op -> op.kind() != Kind.READ && op.key().equals(key));
    }

    /** Index of the transaction with this start timestamp, or negative. */
    private int find(long startTs) {
        return Arrays.binarySearch(startTimestamps, startTs);
    }

    private void report(Axiom axiom, String what, HistoryTransaction... shown) {
        if (!enough(axiom)) {
            violations.add(new Violation(axiom, what, List.of(shown)));
            reported[axiom.ordinal()]++;
        }
    }

    private boolean enough(Axiom axiom) {
        return reported[axiom.ordinal()] >= MAX_VIOLATIONS;
    }

    /** Index of the last of the first {@code count} sorted numbers that is below the limit, -1 if none is. */
    private static int lastBelow(long[] sorted, int count, long limit) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle] < limit) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    /** The committed writers of one key, in the order of their commits. */
    private static final class Writers {
        private int[] ids = new int[2];
        private boolean[] deletes;
        private long[] commits;
        private int count;
        private final Set<Integer> deleters = new HashSet<>(0);

        /** Called per transaction in turn; its last write of the key counts. */
        void add(int id, boolean delete) {
            if (delete) {
                deleters.add(id);
            } else {
                deleters.remove(id);
            }
            if (count > 0 && ids[count - 1] == id) {
                return;
            }
            if (count == ids.length) {
                ids = Arrays.copyOf(ids, 2 * count);
            }
            ids[count++] = id;
        }

        void sort(List<HistoryTransaction> transactions) {
            int[] sorted = Arrays.stream(ids, 0, count).boxed()
                    .sorted(Comparator.comparingLong(id -> transactions.get(id).commitTs())).mapToInt(id -> id).toArray();
            ids = sorted;
            commits = Arrays.stream(ids).mapToLong(id -> transactions.get(id).commitTs()).toArray();
            deletes = new boolean[count];
            for (int i = 0; i < count; i++) {
                deletes[i] = deleters.contains(ids[i]);
            }
        }

        int lastBefore(long startTs) {
            return lastBelow(commits, count, startTs);
        }
    }
}
