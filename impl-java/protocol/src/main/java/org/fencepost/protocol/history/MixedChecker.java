package org.fencepost.protocol.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.fencepost.protocol.history.HistoryTransaction.Kind;
import org.fencepost.protocol.history.HistoryTransaction.Operation;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.history.Violation.Axiom;

/**
 * Judges a history of transactions and native operations (SYSTOR'14 section 6, specs/MixedIsolation.tla) by the serialization that
 * the timestamps give. A version of a read is the commit timestamp, or the stamp, at which it was written.
 *
 * <p>Definition 2, snapshot isolation: a transaction reads at its start timestamp and writes at its commit timestamp, a native put
 * is at its stamp, and a native get anywhere from the version that it returned up to the key's next one. What only reads, or only
 * writes, is at one point. Definition 1, serializability: whoever committed reads at its commit timestamp, too. In both, all
 * accesses of a process to a key keep their order.
 *
 * <p>Per key the committed writers are sorted, per process the latest point of each key is remembered: the cost is that of sorting.
 *
 * <p>An operation of unknown outcome counts as committed if any read returned a write of it, and as aborted otherwise; a put whose
 * stamp nobody knows was read by nobody. Values that a transaction read of its own writes are not judged.
 */
public final class MixedChecker {

    /** Per axiom, so that a flood of one does not hide another. */
    static final int MAX_VIOLATIONS = 20;

    private final boolean serializable;
    /** As they began. */
    private final List<HistoryTransaction> operations;
    private final Set<HistoryTransaction> done = new HashSet<>();
    private final Map<HistoryTransaction, Map<Object, Long>> reads = new HashMap<>();
    private final Map<HistoryTransaction, Set<Object>> writes = new HashMap<>();
    private final Map<Object, TreeMap<Long, HistoryTransaction>> versions = new LinkedHashMap<>();
    private final List<Violation> violations = new ArrayList<>();
    private final int[] reported = new int[Axiom.values().length];

    private MixedChecker(History history, boolean serializable) {
        this.serializable = serializable;
        this.operations = history.transactions();
        operations.sort(Comparator.comparingLong(HistoryTransaction::begunNanos));
        operations.forEach(this::index);
    }

    /** The violations of definition 2 found, at most {@value #MAX_VIOLATIONS} per axiom. */
    public static List<Violation> checkSnapshotIsolation(History history) {
        return new MixedChecker(history, false).run();
    }

    /** The violations of definition 1. */
    public static List<Violation> checkSerializability(History history) {
        return new MixedChecker(history, true).run();
    }

    private List<Violation> run() {
        findDone();
        sortVersions();
        operations.forEach(this::checkReads);
        checkItemOrder();
        if (serializable) {
            checkTransactionOrder();
        } else {
            checkDisjointWrites();
            checkRealTime();
        }
        return violations;
    }

    private void index(HistoryTransaction o) {
        Map<Object, Long> read = reads.computeIfAbsent(o, k -> new LinkedHashMap<>(4));
        Set<Object> written = writes.computeIfAbsent(o, k -> new HashSet<>(4));
        for (Operation op : o.operations()) {
            if (op.kind() != Kind.READ) {
                written.add(op.key());
            } else if (!written.contains(op.key())) {
                Long before = read.putIfAbsent(op.key(), op.version());
                if (before != null && before != op.version()) {
                    report(serializable ? Axiom.SerialLegal : Axiom.SnapshotLegal, "read " + op.key() + " at " + before
                            + " and then at " + op.version(), o);
                }
            }
        }
    }

    private void findDone() {
        Map<Object, Map<Long, HistoryTransaction>> unknown = new HashMap<>();
        for (HistoryTransaction o : operations) {
            if (o.outcome() == Outcome.COMMITTED) {
                done.add(o);
            } else if (o.outcome() == Outcome.UNKNOWN && o.commitTs() != 0) {
                writes.get(o).forEach(key -> unknown.computeIfAbsent(key, k -> new HashMap<>()).put(o.commitTs(), o));
            }
        }
        operations.forEach(o -> reads.get(o).forEach((key, version) -> {
            HistoryTransaction writer = unknown.getOrDefault(key, Map.of()).get(version);
            if (writer != null) {
                done.add(writer);
            }
        }));
    }

    private void sortVersions() {
        for (HistoryTransaction o : operations) {
            for (Object key : done.contains(o) ? writes.get(o) : Set.of()) {
                HistoryTransaction tie = versions.computeIfAbsent(key, k -> new TreeMap<>()).put(o.commitTs(), o);
                if (tie != null) {
                    report(Axiom.NoTies, "both wrote " + key + " at " + o.commitTs(), tie, o);
                }
            }
        }
    }

    private TreeMap<Long, HistoryTransaction> versions(Object key) {
        return versions.getOrDefault(key, new TreeMap<>());
    }

    // ---- points

    private boolean isGet(HistoryTransaction o) {
        return o.isNative() && writes.get(o).isEmpty();
    }

    private long readTs(HistoryTransaction o) {
        return serializable ? o.commitTs() : o.startTs();
    }

    /** Of what is no native get. */
    private long readPoint(HistoryTransaction o) {
        return reads.get(o).isEmpty() && done.contains(o) && !writes.get(o).isEmpty() ? o.commitTs() : readTs(o);
    }

    private long writePoint(HistoryTransaction o) {
        return writes.get(o).isEmpty() ? readPoint(o) : o.commitTs();
    }

    /** Where it last touched the key. */
    private long lastPoint(HistoryTransaction o, Object key) {
        return writes.get(o).contains(key) ? o.commitTs() : isGet(o) ? reads.get(o).get(key) : readTs(o);
    }

    /** Where it first did. */
    private long firstPoint(HistoryTransaction o, Object key) {
        return reads.get(o).containsKey(key) ? readTs(o) : o.commitTs();
    }

    // ---- what they saw

    private void checkReads(HistoryTransaction reader) {
        reads.get(reader).forEach((key, version) -> {
            if (version != 0 && !versions(key).containsKey(version)) {
                report(Axiom.NoDirtyRead, "read " + key + " at " + version + ", which nobody who committed wrote", reader);
            } else if (!isGet(reader) && (!serializable || done.contains(reader))) {
                Map.Entry<Long, HistoryTransaction> last = versions(key).lowerEntry(readTs(reader));
                if (version != (last == null ? 0 : last.getKey())) {
                    report(serializable ? Axiom.SerialLegal : Axiom.SnapshotLegal, "read " + key + " at " + version + ", and the last"
                            + " version before " + readTs(reader) + " is " + (last == null ? "none" : last.getKey()),
                            last == null ? new HistoryTransaction[] {reader} : new HistoryTransaction[] {reader, last.getValue()});
                }
            }
        });
    }

    /** Neighbours suffice: if none of them overlap, no others do. */
    private void checkDisjointWrites() {
        versions.forEach((key, writers) -> {
            HistoryTransaction first = null;
            for (HistoryTransaction second : writers.values()) {
                if (first != null && readPoint(second) <= first.commitTs()) {
                    report(Axiom.DisjointWrites, "both wrote " + key + ", and the one that read at " + readPoint(second)
                            + " wrote over the other's version " + first.commitTs(), first, second);
                }
                first = second;
            }
        });
    }

    // ---- order

    private static boolean precedes(HistoryTransaction a, HistoryTransaction b) {
        return precedes(a, b.begunNanos());
    }

    private static boolean precedes(HistoryTransaction a, long nanos) {
        return a.outcome() == Outcome.COMMITTED && a.answeredNanos() < nanos;
    }

    /** A process does one thing after the other, so of what it did with a key only the latest point counts. */
    private void checkItemOrder() {
        Map<Object, Map<Object, HistoryTransaction>> latest = new HashMap<>();
        List<HistoryTransaction> inOrder = operations.stream().filter(o -> done.contains(o) && o.process() != null)
                .sorted(Comparator.comparingLong(HistoryTransaction::firstReadNanos)).toList();
        for (HistoryTransaction b : inOrder) {
            Map<Object, HistoryTransaction> ofProcess = latest.computeIfAbsent(b.process(), p -> new HashMap<>());
            Set<Object> keys = new HashSet<>(writes.get(b));
            keys.addAll(reads.get(b).keySet());
            for (Object key : keys) {
                HistoryTransaction a = ofProcess.get(key);
                if (a != null && precedes(a, b.firstReadNanos())) {
                    checkItemOrder(a, b, key);
                }
                if (a == null || lastPoint(b, key) > lastPoint(a, key)) {
                    ofProcess.put(key, b);
                }
            }
        }
    }

    private void checkItemOrder(HistoryTransaction a, HistoryTransaction b, Object key) {
        long point = lastPoint(a, key);
        boolean kept;
        if (isGet(b)) { // it goes after that, unless the next version comes first
            Long next = versions(key).higherKey(reads.get(b).get(key));
            kept = next == null || next > point;
        } else {
            kept = point < firstPoint(b, key);
        }
        if (!kept) {
            report(serializable ? Axiom.SerialItemOrder : Axiom.SnapshotItemOrder, b.process() + " touched " + key + " at " + point
                    + ", and then at " + (isGet(b) ? reads.get(b).get(key) : firstPoint(b, key)), a, b);
        }
    }

    private void checkTransactionOrder() {
        Map<Object, HistoryTransaction> latest = new HashMap<>();
        for (HistoryTransaction b : operations) {
            if (!isTransaction(b) || !done.contains(b) || b.process() == null) {
                continue;
            }
            HistoryTransaction a = latest.get(b.process());
            if (a != null && precedes(a, b) && a.commitTs() >= b.commitTs()) {
                report(Axiom.SerialTransactionOrder, b.process() + " committed at " + a.commitTs() + ", and then at " + b.commitTs(), a, b);
            }
            if (a == null || a.commitTs() < b.commitTs()) {
                latest.put(b.process(), b);
            }
        }
    }

    /** One that has done something. */
    private boolean isTransaction(HistoryTransaction o) {
        return !o.isNative() && !o.operations().isEmpty();
    }

    private void checkRealTime() {
        List<HistoryTransaction> answered = operations.stream().filter(this::isTransaction)
                .filter(o -> o.outcome() == Outcome.COMMITTED)
                .sorted(Comparator.comparingLong(HistoryTransaction::answeredNanos)).toList();
        HistoryTransaction latest = null;
        int next = 0;
        for (HistoryTransaction b : operations) {
            for (; next < answered.size() && precedes(answered.get(next), b); next++) {
                HistoryTransaction a = answered.get(next);
                latest = latest == null || writePoint(a) > writePoint(latest) ? a : latest;
            }
            if (latest != null && isTransaction(b) && writePoint(latest) >= readPoint(b)) {
                report(Axiom.SnapshotRealTime, "began at " + readPoint(b) + ", after the commit at " + writePoint(latest)
                        + " was answered", latest, b);
            }
        }
    }

    private void report(Axiom axiom, String what, HistoryTransaction... shown) {
        if (reported[axiom.ordinal()]++ < MAX_VIOLATIONS) {
            violations.add(new Violation(axiom, what, List.of(shown)));
        }
    }
}
