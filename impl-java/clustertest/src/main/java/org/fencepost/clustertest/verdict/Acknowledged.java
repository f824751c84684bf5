package org.fencepost.clustertest.verdict;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whether appends that were answered are there in the end: all of a key's must be in every list that was asked for when the last of them had been answered.
 * No cycle shows an append that nobody has ever read, and no timestamps are needed to miss it.
 */
public final class Acknowledged {

    private static final int MOST = 20;

    private Acknowledged() {
    }

    /** A sentence for each append that is lost, at most {@value #MOST}. */
    public static List<String> lost(List<Op> history) {
        List<Judge.Pair> answered = Judge.Pair.of(history).stream().filter(pair -> pair.completed().type() == Op.Type.ok).toList();
        Map<Object, Map<Object, Op>> appends = new LinkedHashMap<>();
        Map<Object, Long> last = new HashMap<>();
        for (Judge.Pair pair : answered) {
            pair.completed().micro().stream().filter(micro -> micro.get(0).equals("append")).forEach(micro -> {
                appends.computeIfAbsent(micro.get(1), key -> new LinkedHashMap<>()).put(micro.get(2), pair.completed());
                last.merge(micro.get(1), pair.completed().index(), Math::max);
            });
        }
        List<String> lost = new ArrayList<>();
        Set<List<Object>> told = new HashSet<>();
        for (Judge.Pair pair : answered) {
            for (List<Object> micro : pair.completed().micro()) {
                Object key = micro.get(1);
                if (!micro.get(0).equals("r") || !last.containsKey(key) || pair.invoked().index() < last.get(key) || !(micro.get(2) instanceof List<?> found)) {
                    continue;
                }
                Set<Object> there = new HashSet<>(found);
                appends.get(key).forEach((value, by) -> {
                    if (lost.size() < MOST && !there.contains(value) && told.add(List.of(key, value))) {
                        lost.add("Operation " + by.index() + " was told that it appended " + value + " to key " + key + "; operation " + pair.completed().index()
                                + ", asked for when all appends to that key had been answered, did not find it.");
                    }
                });
            }
        }
        return lost;
    }
}
