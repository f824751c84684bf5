package org.fencepost.audit.models;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.fencepost.audit.text.SpecText;

/**
 * What no single run can show: that every guard has a mutant, that the models together take every action, that what passes is pinned.
 *
 * @param summary one line per fact, for people
 * @param failures what is missing; the check fails unless there is none
 */
public record Completeness(List<String> summary, List<String> failures) {

    /**
     * @param whole whether every ci model and mutant was run; of a selection only what concerns its own runs is judged
     * @param pinning whether the pinned numbers are being written
     */
    public static Completeness of(Suite suite, List<Result> results, boolean whole, boolean pinning) {
        Completeness found = new Completeness(new ArrayList<>(), new ArrayList<>());
        suite.texts().forEach((spec, text) -> {
            List<Result> own = results.stream().filter(r -> r.job().spec().equals(spec)).toList();
            if (!own.isEmpty()) {
                found.score(spec, own);
                found.witnesses(spec, own);
                found.coverage(spec, own, text, whole);
                found.guards(spec, suite, text, whole);
                found.pins(own, whole && !pinning);
            }
        });
        long known = results.stream().filter(Result::known).count();
        if (known > 0) {
            found.summary.add("taken over      " + known + " of " + results.size() + " results from earlier runs on the same inputs");
        }
        return found;
    }

    private void score(String spec, List<Result> results) {
        List<Result> mutants = results.stream().filter(r -> r.job().isMutant()).toList();
        long due = mutants.stream().filter(r -> !r.job().expected().pass() || r.job().problem() != null).count();
        long killed = mutants.stream().filter(Result::killed).count();
        long redundant = mutants.stream().filter(r -> r.job().expected().pass() && r.asExpected()).count();
        if (!mutants.isEmpty()) {
            summary.add("mutation score  " + spec + ": " + killed + " of " + due + " killed"
                    + (redundant == 0 ? "" : ", " + redundant + " shown to be redundant")
                    + (results.stream().allMatch(r -> r.job().isMutant() || r.asExpected()) ? "" : ", which says little, since the specification itself fails"));
        }
    }

    private void witnesses(String spec, List<Result> results) {
        Set<String> wanted = new TreeSet<>();
        Set<String> reached = new TreeSet<>();
        for (Result r : results) {
            wanted.addAll(r.job().witnesses());
            r.job().witnesses().stream().filter(r.output().witnesses()::contains).forEach(reached::add);
        }
        if (!wanted.isEmpty()) {
            summary.add("witnesses       " + spec + ": " + reached.size() + " of " + wanted.size() + " reached");
        }
    }

    private void coverage(String spec, List<Result> results, SpecText text, boolean whole) {
        Set<String> actions = text.actions("Next");
        Map<String, Long> union = new TreeMap<>();
        actions.forEach(a -> union.put(a, 0L));
        List<Result> counting = results.stream().filter(r -> r.job().reportsCoverage() && r.exit() == 0).toList();
        for (Result r : counting) {
            Map<String, Long> taken = r.taken(text);
            taken.keySet().removeIf(a -> !actions.isEmpty() && !actions.contains(a)); // what switches an action off in this model
            taken.forEach((action, times) -> union.merge(action, times, Long::sum));
            Map<String, Long> attempted = r.attempted(text);
            attempted.keySet().retainAll(taken.keySet());
            compareWithHeader(r.job(), taken, attempted, text);
            r.job().rediscovers().stream().filter(union::containsKey).forEach(a -> union.merge(a, attempted.getOrDefault(a, 0L), Long::sum));
        }
        if (!whole || actions.isEmpty()) {
            return; // a spec of properties alone has no actions
        }
        if (counting.isEmpty()) {
            boolean failed = results.stream().anyMatch(r -> r.job().reportsCoverage());
            failures.add("coverage " + spec + (failed ? ": unknown, since no model that counts actions came to its end"
                    : ": no ci model counted actions: give a small one the field 'coverage: on'"));
            return;
        }
        long reached = union.values().stream().filter(n -> n > 0).count();
        if (reached == 0) {
            failures.add("coverage " + spec + ": TLC names no action of Next, only " + counting.get(0).taken(text).keySet()
                    + ": a model's next-state relation must not put Next, or a part of it, into a conjunction");
            return;
        }
        text.leftOut(spec).forEach(name -> failures.add("coverage " + spec + ": Next does not come to " + name + ": put it into Next, or take it out of the spec"));
        List<String> never = union.keySet().stream().filter(a -> union.get(a) == 0).toList();
        if (!never.isEmpty()) {
            failures.add("coverage " + spec + ": never taken in any model: " + String.join(", ", never));
        }
        Map.Entry<String, Long> least = union.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow();
        summary.add(String.format(Locale.ROOT, "action coverage %s: %d of %d actions taken; least often %s, %,d times", spec, reached,
                union.size(), least.getKey(), least.getValue()));
    }

    /** What a model does not reach must be on purpose, and what it says not to reach must be so. */
    private void compareWithHeader(Job job, Map<String, Long> taken, Map<String, Long> attempted, SpecText text) {
        List<String> declared = job.uncovered();
        List<String> never = attempted.keySet().stream().filter(a -> attempted.get(a) == 0 && !declared.contains(a)).toList();
        List<String> nevertheless = declared.stream().filter(a -> taken.getOrDefault(a, 0L) > 0).toList();
        List<String> discovering = job.rediscovers().stream()
                .filter(a -> taken.getOrDefault(a, 0L) > 0 || attempted.getOrDefault(a, 0L) == 0).toList();
        List<String> undefined = declared.stream().filter(a -> text.operator(a).isEmpty()).toList();
        if (!never.isEmpty()) {
            failures.add("coverage " + job.id() + ": never taken: " + String.join(", ", never)
                    + "; widen the model, or list what it leaves out under 'uncovered'");
        }
        if (!nevertheless.isEmpty()) {
            failures.add("coverage " + job.id() + ": listed under 'uncovered' but taken: " + String.join(", ", nevertheless));
        }
        if (!discovering.isEmpty()) {
            failures.add("coverage " + job.id() + ": listed under 'rediscovers' but never taken, or taken to new states: "
                    + String.join(", ", discovering));
        }
        if (!undefined.isEmpty()) {
            failures.add("coverage " + job.id() + ": listed under 'uncovered' but not defined: " + String.join(", ", undefined));
        }
    }

    private void guards(String spec, Suite suite, SpecText text, boolean whole) {
        if (!whole) {
            return;
        }
        Set<String> removed = new TreeSet<>();
        suite.jobs().forEach(j -> {
            if (j.guard() != null) {
                removed.add(j.guard());
            }
        });
        List<String> guards = text.guards(spec).stream().map(SpecText.Definition::name).toList();
        List<String> open = guards.stream().filter(g -> !removed.contains(g)).toList();
        open.forEach(g -> failures.add("guard " + g + " of " + spec + " has no mutant"));
        summary.add("guards          " + spec + ": " + (guards.size() - open.size()) + " of " + guards.size() + " have a mutant");
    }

    private void pins(List<Result> results, boolean demanded) {
        for (Result r : results) {
            if (demanded && r.job().pinned() && r.job().states() == null && r.asExpected()) {
                failures.add("model " + r.job().id() + " has no pinned states: run it with --pin");
            }
        }
    }
}
