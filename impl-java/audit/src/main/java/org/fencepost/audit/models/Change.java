package org.fencepost.audit.models;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.fencepost.audit.text.TlaValue;

/**
 * The smallest part of a variable that differs between two states.
 *
 * @param path the arguments and fields that lead to it; empty for the variable as a whole
 * @param element the item that came into or went out of a set or sequence, else null
 */
record Change(List<TlaValue> path, TlaValue element, String text) {
    private static final String ARROW = " → ";

    static List<Change> between(TlaValue before, TlaValue after) {
        List<Change> changes = new ArrayList<>();
        compare(List.of(), before, after, changes);
        return changes;
    }

    private static void compare(List<TlaValue> path, TlaValue before, TlaValue after, List<Change> changes) {
        if (before.equals(after)) {
            return;
        }
        if (before instanceof TlaValue.SetOf a && after instanceof TlaValue.SetOf b) {
            difference(b.items(), a.items()).forEach(e -> changes.add(new Change(path, e, "+ " + e.brief())));
            difference(a.items(), b.items()).forEach(e -> changes.add(new Change(path, e, "− " + e.brief())));
        } else if (before instanceof TlaValue.Tuple a && after instanceof TlaValue.Tuple b && a.items().size() != b.items().size()) {
            compareSequences(path, a.items(), b.items(), changes);
        } else if (function(before) != null && function(after) != null) {
            compareFunctions(path, function(before), function(after), changes);
        } else {
            changes.add(new Change(path, null, before.brief() + ARROW + after.brief()));
        }
    }

    private static Set<TlaValue> difference(Set<TlaValue> a, Set<TlaValue> b) {
        Set<TlaValue> rest = new LinkedHashSet<>(a);
        rest.removeAll(b);
        return rest;
    }

    /** Something appended, or taken from the front, as queues and logs do; else the whole. */
    private static void compareSequences(List<TlaValue> path, List<TlaValue> a, List<TlaValue> b, List<Change> changes) {
        if (b.size() > a.size() && b.subList(0, a.size()).equals(a)) {
            b.subList(a.size(), b.size()).forEach(e -> changes.add(new Change(path, e, "+ " + e.brief())));
        } else if (a.size() > b.size() && a.subList(a.size() - b.size(), a.size()).equals(b)) {
            a.subList(0, a.size() - b.size()).forEach(e -> changes.add(new Change(path, e, "− " + e.brief())));
        } else {
            changes.add(new Change(path, null, new TlaValue.Tuple(a).brief() + ARROW + new TlaValue.Tuple(b).brief()));
        }
    }

    private static void compareFunctions(List<TlaValue> path, Map<TlaValue, TlaValue> a, Map<TlaValue, TlaValue> b, List<Change> changes) {
        Set<TlaValue> keys = new LinkedHashSet<>(a.keySet());
        keys.addAll(b.keySet());
        for (TlaValue key : keys) {
            List<TlaValue> deeper = new ArrayList<>(path);
            deeper.add(key);
            if (!a.containsKey(key)) {
                changes.add(new Change(deeper, null, "+ " + b.get(key).brief()));
            } else if (!b.containsKey(key)) {
                changes.add(new Change(deeper, null, "− " + a.get(key).brief()));
            } else {
                compare(deeper, a.get(key), b.get(key), changes);
            }
        }
    }

    /** The value as a function, which a sequence is too (TLC prints the empty function as one); else null. */
    static Map<TlaValue, TlaValue> function(TlaValue value) {
        if (value instanceof TlaValue.Fun f) {
            return f.map();
        }
        if (value instanceof TlaValue.Tuple t) {
            Map<TlaValue, TlaValue> map = new LinkedHashMap<>();
            for (int i = 0; i < t.items().size(); i++) {
                map.put(new TlaValue.Atom(Integer.toString(i + 1)), t.items().get(i));
            }
            return map;
        }
        return null;
    }
}
