package org.fencepost.protocol.history;

import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.fencepost.protocol.history.HistoryTransaction.Kind;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.history.Violation.Axiom;

/**
 * The formulas of specs/MixedIsolation.tla, and of specs/Isolation.tla where it instantiates that, word for word: each quantifier
 * is a loop. For small histories whose outcomes are known.
 */
final class MixedFormulas {

    private final List<HistoryTransaction> all;
    private final Set<HistoryTransaction> done;
    private final boolean serial;

    private MixedFormulas(History history, boolean serial) {
        this.all = history.transactions();
        this.done = all.stream().filter(o -> o.outcome() == Outcome.COMMITTED).collect(Collectors.toSet());
        this.serial = serial;
    }

    /** Those that do not hold. */
    static Set<Axiom> violated(History history, boolean serial) {
        MixedFormulas f = new MixedFormulas(history, serial);
        Set<Axiom> violated = EnumSet.noneOf(Axiom.class);
        add(violated, Axiom.NoTies, f.noTies());
        add(violated, Axiom.NoDirtyRead, f.noDirtyRead());
        add(violated, serial ? Axiom.SerialLegal : Axiom.SnapshotLegal, f.snapshot());
        add(violated, serial ? Axiom.SerialItemOrder : Axiom.SnapshotItemOrder, f.keepsItemOrder());
        if (serial) {
            add(violated, Axiom.SerialTransactionOrder, f.serialTransactionOrder());
        } else {
            add(violated, Axiom.DisjointWrites, f.firstCommitterWins());
            add(violated, Axiom.SnapshotRealTime, f.strongSI());
        }
        return violated;
    }

    private static void add(Set<Axiom> violated, Axiom axiom, boolean holds) {
        if (!holds) {
            violated.add(axiom);
        }
    }

    private static Map<Object, Long> reads(HistoryTransaction o) {
        Map<Object, Long> reads = new HashMap<>();
        o.operations().stream().filter(op -> op.kind() == Kind.READ).forEach(op -> reads.put(op.key(), op.version()));
        return reads;
    }

    /** Once: what an aborted transaction read is nobody's business. */
    private Map<Object, Long> judgedReads(HistoryTransaction o) {
        return serial && !done.contains(o) ? Map.of() : reads(o);
    }

    private static Set<Object> writes(HistoryTransaction o) {
        return o.operations().stream().filter(op -> op.kind() != Kind.READ).map(HistoryTransaction.Operation::key).collect(Collectors.toSet());
    }

    private static boolean isGet(HistoryTransaction o) {
        return o.isNative() && writes(o).isEmpty();
    }

    private static long versionRead(HistoryTransaction o) {
        return reads(o).values().iterator().next();
    }

    private long givenReadTs(HistoryTransaction o) {
        return serial ? o.commitTs() : o.startTs();
    }

    private long readPoint(HistoryTransaction o) {
        return isGet(o) ? versionRead(o) + 1 : judgedReads(o).isEmpty() && done.contains(o) ? o.commitTs() : givenReadTs(o);
    }

    private long writePoint(HistoryTransaction o) {
        return writes(o).isEmpty() ? readPoint(o) : o.commitTs();
    }

    private Collection<HistoryTransaction> writers(Object key) {
        return done.stream().filter(o -> writes(o).contains(key)).toList();
    }

    private boolean snapshot() {
        return all.stream().allMatch(t -> judgedReads(t).entrySet().stream().allMatch(r -> {
            if (r.getValue() != 0 && writers(r.getKey()).stream().noneMatch(w -> w.commitTs() == r.getValue())) {
                return true; // see noDirtyRead
            }
            return r.getValue() == writers(r.getKey()).stream().mapToLong(HistoryTransaction::commitTs).filter(ts -> ts < readPoint(t)).max().orElse(0);
        }));
    }

    private boolean noDirtyRead() {
        return all.stream().allMatch(t -> reads(t).entrySet().stream()
                .allMatch(r -> r.getValue() == 0 || writers(r.getKey()).stream().anyMatch(w -> w.commitTs() == r.getValue())));
    }

    private boolean firstCommitterWins() {
        return done.stream().allMatch(a -> done.stream().allMatch(b -> a == b || disjoint(writes(a), writes(b))
                || writePoint(a) < readPoint(b) || writePoint(b) < readPoint(a)));
    }

    private static boolean disjoint(Set<Object> a, Set<Object> b) {
        return a.stream().noneMatch(b::contains);
    }

    private boolean precedes(HistoryTransaction a, HistoryTransaction b) {
        return done.contains(a) && a.answeredNanos() < b.begunNanos();
    }

    private boolean strongSI() {
        return all.stream().filter(b -> !b.isNative()).allMatch(b -> all.stream().filter(a -> !a.isNative())
                .allMatch(a -> !precedes(a, b) || writePoint(a) < readPoint(b)));
    }

    private boolean inOrder(HistoryTransaction a, HistoryTransaction b) {
        return done.contains(a) && done.contains(b) && precedes(a, b) && a.process().equals(b.process());
    }

    private boolean keepsItemOrder() {
        ToLongFunction<HistoryTransaction> point = this::givenReadTs;
        return done.stream().allMatch(b -> done.stream().allMatch(a -> !inOrder(a, b) || common(a, b).stream().allMatch(k -> {
            long last = writes(a).contains(k) ? a.commitTs() : isGet(a) ? versionRead(a) : point.applyAsLong(a);
            if (isGet(b)) {
                return writers(k).stream().allMatch(w -> w.commitTs() <= versionRead(b) || w.commitTs() > last);
            }
            return last < (reads(b).containsKey(k) ? point.applyAsLong(b) : b.commitTs());
        })));
    }

    private static Set<Object> common(HistoryTransaction a, HistoryTransaction b) {
        Set<Object> keys = new HashSet<>(writes(a));
        keys.addAll(reads(a).keySet());
        Set<Object> others = new HashSet<>(writes(b));
        others.addAll(reads(b).keySet());
        keys.retainAll(others);
        return keys;
    }

    private boolean serialTransactionOrder() {
        return all.stream().filter(b -> !b.isNative()).allMatch(b -> all.stream().filter(a -> !a.isNative())
                .allMatch(a -> !inOrder(a, b) || a.commitTs() < b.commitTs()));
    }

    private boolean noTies() {
        return done.stream().allMatch(a -> done.stream().allMatch(b -> a == b || disjoint(writes(a), writes(b)) || a.commitTs() != b.commitTs()));
    }
}
