package org.fencepost.audit.models;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.fencepost.audit.text.SpecText;
import org.fencepost.audit.text.TlaValue;
import org.fencepost.lanes.SwimLane;
import org.fencepost.lanes.SwimLane.Lane;
import org.fencepost.lanes.SwimLane.Row;

/**
 * TLC's counterexample as a swim lane.
 *
 * <p>A variable belongs to the lane that the comment above its declaration names ({@code Lane: client}). In the lanes {@code client} and
 * {@code key} its arguments are the lane's instances: a change of {@code phase[t1]} stands in the column of client t1. A variable in the
 * lane {@code none} (history kept for the properties only) is not drawn; one without a tag has a column of its own kind, so that nothing
 * is lost by forgetting the tag.
 */
public final class Counterexample {
    private static final List<String> ORDER = List.of("client", "TM", "CT", "key");
    private static final Set<String> INSTANCED = Set.of("client", "key");
    private static final Pattern NEGATIVE = Pattern.compile("(?<![\\w.\\]])-\\d+\\b");
    private static final Set<String> STORED = Set.of("key", "CT");
    private static final String HIDDEN = "none";
    private static final String UNTAGGED = "state";

    private Counterexample() {}

    public static SwimLane of(Result result, SpecText text) {
        Trace trace = result.output().trace();
        return of(result.job().id() + " " + result.verdict(), trace.states(), name -> result.specAction(name, text), text, ending(trace), lesson(result, text));
    }

    /**
     * What differs from state to state, of a behaviour that need not be one of the specification's.
     *
     * @param lesson what is to be learnt from it, paragraph by paragraph
     */
    public static SwimLane of(String title, List<Trace.State> states, SpecText text, List<String> lesson) {
        return of(title, states, name -> name, text, null, lesson);
    }

    private static SwimLane of(String title, List<Trace.State> states, UnaryOperator<String> named, SpecText text, String ending, List<String> lesson) {
        Map<String, Set<TlaValue>> instances = instances(states, text);
        Set<Lane> lanes = new LinkedHashSet<>();
        List<Row> rows = new ArrayList<>();
        for (int i = 1; i < states.size(); i++) {
            Trace.State after = states.get(i);
            Map<Lane, List<String>> cells = cells(states.get(i - 1), after, text, instances);
            lanes.addAll(cells.keySet());
            String action = named.apply(after.action());
            rows.add(new Row(i, action, text.operator(action).map(SpecText.Definition::source).orElse(""), cells));
        }
        List<Lane> ordered = lanes.stream().sorted(Comparator.comparingInt((Lane lane) -> order(lane.kind()))
                .thenComparing(Lane::kind).thenComparing(Lane::instance)).toList();
        return new SwimLane(title, ordered, rows, ending, lesson);
    }

    /** What keys and the commit table have in the end, as far as they did not have it at the beginning. */
    static Map<Lane, List<String>> stored(Result result, SpecText text) {
        List<Trace.State> states = result.output().trace().states();
        Map<Lane, List<String>> cells = cells(states.get(0), states.get(states.size() - 1), text, instances(states, text));
        cells.keySet().removeIf(lane -> !STORED.contains(lane.kind()));
        return cells;
    }

    private static int order(String kind) {
        int at = ORDER.indexOf(kind);
        return at < 0 ? ORDER.size() : at;
    }

    private static String ending(Trace trace) {
        return switch (trace.backTo()) {
            case 0 -> null;
            case Trace.STUTTERS -> "and nothing happens any more";
            case 1 -> "and from the initial state again, for ever";
            default -> "and again as after step " + (trace.backTo() - 1) + ", for ever";
        };
    }

    /** What the arguments of a lane's variables are, over all states. */
    private static Map<String, Set<TlaValue>> instances(List<Trace.State> states, SpecText text) {
        Map<String, Set<TlaValue>> instances = new LinkedHashMap<>();
        for (Trace.State state : states) {
            state.variables().forEach((name, value) -> {
                String lane = text.lane(name);
                if (lane != null && INSTANCED.contains(lane) && value instanceof TlaValue.Fun f) {
                    for (TlaValue key : f.map().keySet()) {
                        instances.computeIfAbsent(lane, l -> new LinkedHashSet<>()).add(key instanceof TlaValue.Tuple t ? t.items().get(0) : key);
                    }
                }
            });
        }
        return instances;
    }

    private static Map<Lane, List<String>> cells(Trace.State before, Trace.State after, SpecText text,
            Map<String, Set<TlaValue>> instances) {
        Map<Lane, List<String>> cells = new LinkedHashMap<>();
        for (Map.Entry<String, TlaValue> variable : new TreeMap<>(after.variables()).entrySet()) {
            String kind = text.lane(variable.getKey()) == null ? UNTAGGED : text.lane(variable.getKey());
            TlaValue old = before.variables().get(variable.getKey());
            if (kind.equals(HIDDEN) || old == null) {
                continue;
            }
            for (Change change : Change.between(old, variable.getValue())) {
                List<TlaValue> path = new ArrayList<>(change.path());
                String instance = instance(path, change.element(), instances.getOrDefault(kind, Set.of()));
                cells.computeIfAbsent(new Lane(kind, instance), l -> new ArrayList<>())
                        .add(variable.getKey() + label(path) + (change.text().startsWith("+") || change.text().startsWith("−") ? " " : ": ")
                                + named(change.text(), text));
            }
        }
        return cells;
    }

    /** A number below 0 stands for something, and the spec has a name for it. */
    private static String named(String change, SpecText text) {
        return NEGATIVE.matcher(change).replaceAll(number -> {
            List<String> names = text.constants(number.group());
            return names.size() == 1 ? names.get(0) : number.group();
        });
    }

    /** The instance that a change belongs to, taken out of its path; empty where it belongs to none or several. */
    private static String instance(List<TlaValue> path, TlaValue element, Set<TlaValue> instances) {
        for (int i = 0; i < path.size(); i++) {
            TlaValue step = path.get(i);
            if (instances.contains(step)) {
                path.remove(i);
                return step.brief();
            }
            if (step instanceof TlaValue.Tuple t && !t.items().isEmpty() && instances.contains(t.items().get(0))) {
                List<TlaValue> rest = t.items().subList(1, t.items().size());
                path.set(i, rest.size() == 1 ? rest.get(0) : new TlaValue.Tuple(rest));
                return t.items().get(0).brief();
            }
        }
        Map<TlaValue, TlaValue> parts = element == null ? null : Change.function(element);
        if (parts != null) {
            List<TlaValue> mentioned = parts.values().stream().filter(instances::contains).distinct().toList();
            return mentioned.size() == 1 ? mentioned.get(0).brief() : "";
        }
        return "";
    }

    private static String label(List<TlaValue> path) {
        StringBuilder label = new StringBuilder();
        for (TlaValue step : path) {
            label.append(step instanceof TlaValue.Str s ? "." + s.text() : "[" + step.brief() + "]");
        }
        return label.toString();
    }

    private static List<String> lesson(Result result, SpecText text) {
        List<String> lesson = new ArrayList<>();
        String property = result.verdict().property();
        if (property != null) {
            lesson.add("Violated: " + property + ". " + text.operator(property).map(d -> d.sentences(3)).orElse(""));
        }
        Job job = result.job();
        if (job.guard() != null) {
            String guard = text.operator(job.guard()).map(d -> d.sentences(3)).orElse("").replaceFirst("^Guard *", "");
            lesson.add("Removed: " + job.guard() + (guard.startsWith("(") ? " " : guard.startsWith(":") ? "" : ". ") + guard);
            if (job.why() != null) {
                lesson.add("Why it is there: " + job.why());
            }
        }
        return lesson.stream().map(String::strip).toList();
    }
}
