package org.fencepost.protocol.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.fencepost.protocol.history.ClientView.Read;
import org.fencepost.protocol.history.Violation.Axiom;

/**
 * Judges a small history by Adya's phenomena (NoPhenomena in specs/Isolation.tla): with some order of each key's versions
 * there is no cycle of dependencies that snapshot isolation forbids. G0: overwriting only; G1c: overwriting and reading
 * from; G-SI: these, real time, and anti-dependencies (reading what another overwrites), no two of the latter in a row.
 *
 * <p>All version orders are tried: for histories with a few writers of each key. Histories with deletes are not judged,
 * since a read of nothing has no version; the other two formulations are for them.
 */
public final class PhenomenaChecker {

    private final ClientView view;
    private final int size;
    private final Map<Object, List<Integer>> writers = new HashMap<>();
    private final List<Object> keys = new ArrayList<>();
    /** The mildest violation of any version order so far. */
    private Violation mildest;

    private PhenomenaChecker(ClientView view) {
        this.view = view;
        this.size = view.done.size();
        for (int t = 0; t < size; t++) {
            int writer = t;
            view.writes.get(t).forEach(key -> writers.computeIfAbsent(key, k -> new ArrayList<>()).add(writer));
        }
        keys.addAll(writers.keySet());
    }

    /**
     * No violation, or one: the phenomenon that remains under the best version order, with the transactions of its cycle.
     * Throws IllegalArgumentException for a history with deletes.
     */
    public static List<Violation> check(History history) {
        ClientView view = new ClientView(history);
        if (view.deletes.stream().anyMatch(deleted -> !deleted.isEmpty())) {
            throw new IllegalArgumentException("A history with deletes has no dependency graph: use another checker.");
        }
        if (view.forgetful != null) {
            return List.of(new Violation(Axiom.G1c, "transaction " + view.forgetful.startTs()
                    + " did not read what it had written itself", List.of(view.forgetful)));
        }
        for (int t = 0; t < view.done.size(); t++) {
            for (Read read : view.reads.get(t)) {
                if (read.from() == ClientView.NOBODY) {
                    return List.of(new Violation(Axiom.G1a, "transaction " + view.done.get(t).startTs() + " read of key " + read.key()
                            + " what no committed transaction wrote there", List.of(view.done.get(t))));
                }
            }
        }
        PhenomenaChecker checker = new PhenomenaChecker(view);
        return checker.tryOrders(0) ? List.of() : List.of(checker.mildest);
    }

    /** Whether some order of the versions of the keys from this one on shows no phenomenon. */
    private boolean tryOrders(int key) {
        return key == keys.size() ? !hasPhenomenon() : permute(writers.get(keys.get(key)), 0, key);
    }

    private boolean permute(List<Integer> order, int from, int key) {
        if (from >= order.size()) {
            return tryOrders(key + 1);
        }
        for (int i = from; i < order.size(); i++) {
            Collections.swap(order, from, i);
            boolean found = permute(order, from + 1, key);
            Collections.swap(order, from, i);
            if (found) {
                return true;
            }
        }
        return false;
    }

    private boolean hasPhenomenon() {
        boolean[][] write = writeDependencies();
        boolean[][] flow = union(write, readDependencies());
        boolean[][] dependencies = union(flow, realTime());
        return isCyclic(Axiom.G0, write) || isCyclic(Axiom.G1c, flow)
                || isCyclic(Axiom.GSI, union(dependencies, compose(dependencies, antiDependencies())));
    }

    /** b overwrote a's version. */
    private boolean[][] writeDependencies() {
        boolean[][] edges = new boolean[size][size];
        for (List<Integer> order : writers.values()) {
            for (int i = 0; i < order.size(); i++) {
                for (int later : order.subList(i + 1, order.size())) {
                    edges[order.get(i)][later] = true;
                }
            }
        }
        return edges;
    }

    /** b read a's version. */
    private boolean[][] readDependencies() {
        boolean[][] edges = new boolean[size][size];
        for (int t = 0; t < size; t++) {
            for (Read read : view.reads.get(t)) {
                if (read.from() >= 0) {
                    edges[read.from()][t] = true;
                }
            }
        }
        return edges;
    }

    /** a read a version that b overwrote. */
    private boolean[][] antiDependencies() {
        boolean[][] edges = new boolean[size][size];
        for (int t = 0; t < size; t++) {
            for (Read read : view.reads.get(t)) {
                List<Integer> order = writers.getOrDefault(read.key(), List.of());
                for (int later : order.subList(order.indexOf(read.from()) + 1, order.size())) {
                    edges[t][later] |= later != t;
                }
            }
        }
        return edges;
    }

    /** a was answered before b began. */
    private boolean[][] realTime() {
        boolean[][] edges = new boolean[size][size];
        for (int t = 0; t < size; t++) {
            for (int before : view.precedes.get(t)) {
                edges[before][t] = true;
            }
        }
        return edges;
    }

    private static boolean[][] union(boolean[][] a, boolean[][] b) {
        boolean[][] both = new boolean[a.length][a.length];
        for (int i = 0; i < a.length; i++) {
            for (int j = 0; j < a.length; j++) {
                both[i][j] = a[i][j] || b[i][j];
            }
        }
        return both;
    }

    private static boolean[][] compose(boolean[][] a, boolean[][] b) {
        boolean[][] both = new boolean[a.length][a.length];
        for (int i = 0; i < a.length; i++) {
            for (int middle = 0; middle < a.length; middle++) {
                for (int j = 0; a[i][middle] && j < a.length; j++) {
                    both[i][j] |= b[middle][j];
                }
            }
        }
        return both;
    }

    /** Whether the relation has a cycle; remembers those that are on one if no milder phenomenon was seen yet. */
    private boolean isCyclic(Axiom axiom, boolean[][] edges) {
        boolean[][] reach = edges;
        for (int length = 1; length < size; length *= 2) {
            reach = union(reach, compose(reach, reach));
        }
        Set<Integer> onCycle = new TreeSet<>();
        for (int t = 0; t < size; t++) {
            if (reach[t][t]) {
                onCycle.add(t);
            }
        }
        if (!onCycle.isEmpty() && (mildest == null || axiom.compareTo(mildest.axiom()) > 0)) {
            List<HistoryTransaction> shown = onCycle.stream().map(view.done::get).toList();
            mildest = new Violation(axiom, "whatever the order of versions, a cycle remains among "
                    + shown.stream().map(HistoryTransaction::startTs).toList(), shown);
        }
        return !onCycle.isEmpty();
    }
}
