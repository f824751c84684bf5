package org.fencepost.clustertest.workload;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.fencepost.clustertest.verdict.Judge;
import org.fencepost.clustertest.verdict.Op;

/**
 * The transaction manager's timestamps alone: none is given twice, and one that was asked for after another one was answered is greater, also by
 * another primary.
 */
public final class ManagerTime implements Workload {

    public static final String TS = "ts";

    @Override
    public Invocation next(SplittableRandom random) {
        return new Invocation(TS, null, Map.of());
    }

    @Override
    public List<Invocation> last() {
        return List.of(new Invocation(TS, null, Map.of()));
    }

    @Override
    public Map<String, List<String>> judged() {
        return Map.of("TMFailover", List.of("UniqueTimestamps", "TimestampsFollowRealTime"));
    }

    @Override
    public boolean hasVersions() {
        return false;
    }

    @Override
    public List<String> violations(List<Op> history) {
        List<String> violations = new ArrayList<>();
        Set<Object> given = new HashSet<>();
        List<Judge.Pair> answered = new ArrayList<>(Judge.Pair.of(history).stream()
                .filter(pair -> pair.completed().type() == Op.Type.ok && pair.completed().value() instanceof Long).toList());
        answered.stream().filter(pair -> !given.add(pair.completed().value()))
                .forEach(pair -> violations.add("Operation " + pair.completed().index() + " got " + pair.completed().value() + ", which was given before."));
        List<Judge.Pair> asked = new ArrayList<>(answered);
        asked.sort(Comparator.comparingLong(pair -> pair.invoked().time()));
        answered.sort(Comparator.comparingLong(pair -> pair.completed().time()));
        long highest = Long.MIN_VALUE;
        int next = 0;
        for (Judge.Pair pair : asked) {
            for (; next < answered.size() && answered.get(next).completed().time() < pair.invoked().time(); next++) {
                highest = Math.max(highest, (Long) answered.get(next).completed().value());
            }
            if ((Long) pair.completed().value() < highest) {
                violations.add("Operation " + pair.completed().index() + " got " + pair.completed().value() + " after " + highest + " was given.");
            }
        }
        return violations;
    }

    @Override
    public Map<String, Integer> asks() {
        return Map.of(Paths.TIMESTAMP, 100);
    }
}
