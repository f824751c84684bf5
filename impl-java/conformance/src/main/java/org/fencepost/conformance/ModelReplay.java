package org.fencepost.conformance;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.fencepost.audit.models.StateGraph.Edge;
import org.fencepost.audit.models.StateGraph;
import org.fencepost.conformance.replay.Replay;
import org.fencepost.conformance.replay.Step;
import org.fencepost.simulation.world.Carriers;

/**
 * All steps of a model's state graph in the code, path after path. Stops at the first step that the code refuses without
 * a known reason.
 */
final class ModelReplay {

    private final Protocol protocol;
    private final StateGraph graph;
    private final Carriers carriers;
    private final EdgeCover cover;
    private final int most;
    /** Each edge's, once it was asked for. */
    private final Step[] known;
    private final Map<Refusal, Integer> refused = new EnumMap<>(Refusal.class);
    private final Map<String, Integer> taken = new TreeMap<>();
    private int paths;
    private long steps;
    private String difference;

    private ModelReplay(Protocol protocol, StateGraph graph, Carriers carriers, int most) {
        this.most = most;
        this.protocol = protocol;
        this.graph = graph;
        this.carriers = carriers;
        this.cover = new EdgeCover(graph);
        this.known = new Step[graph.edges().size()];
    }

    /** @param most paths that are taken */
    static ModelReplay of(Protocol protocol, StateGraph graph, Carriers carriers, int most) {
        ModelReplay replay = new ModelReplay(protocol, graph, carriers, most);
        replay.run();
        return replay;
    }

    private void run() {
        for (List<Integer> path = cover.next(); path != null && difference == null && paths < most; path = cover.next()) {
            List<Step> behaviour = path.stream().map(this::step).toList();
            Replay.Result result = protocol.replay(graph.constants(), behaviour, carriers);
            paths++;
            steps += result.taken();
            cover.cover(path, result.taken());
            if (result.difference() != null) {
                refuse(path, behaviour, result);
            }
        }
        for (int i = 0; i < graph.edges().size(); i++) {
            if (cover.isCovered(i)) {
                taken.merge(step(i).action(), 1, Integer::sum);
            }
        }
    }

    private Step step(int number) {
        if (known[number] == null) {
            Edge edge = graph.edges().get(number);
            known[number] = protocol.step(graph.states().get(edge.from()), graph.states().get(edge.to()), edge.action());
        }
        return known[number];
    }

    private void refuse(List<Integer> path, List<Step> behaviour, Replay.Result result) {
        Step step = behaviour.get(result.taken());
        Refusal reason = result.refused() ? Refusal.of(protocol, step) : null;
        if (reason == null) {
            difference = describe(behaviour, result);
        } else {
            refused.merge(reason, 1, Integer::sum);
            cover.bar(path.get(result.taken()));
        }
    }

    /** The steps up to the one that the code does not take, and what it does instead. */
    static String describe(List<Step> behaviour, Replay.Result result) {
        String before = behaviour.subList(0, result.taken()).stream().map(Step::toString).collect(Collectors.joining(", "));
        return "After " + (result.taken() == 0 ? "no step" : before) + String.format("%n  step %d, %s: %s", result.taken() + 1,
                behaviour.get(result.taken()), result.difference());
    }

    /** What the code does otherwise than the specification; null if nothing. */
    String difference() {
        return difference;
    }

    Map<Refusal, Integer> refused() {
        return refused;
    }

    /** How many of each action's steps the code has taken. */
    Map<String, Integer> taken() {
        return taken;
    }

    int covered() {
        return taken.values().stream().mapToInt(Integer::intValue).sum();
    }

    double coveredPercent() {
        return 100.0 * covered() / graph.edges().size();
    }

    /** Steps that begin in states to which only refused ones lead. */
    int behind() {
        return (int) IntStream.range(0, graph.edges().size()).filter(edge -> !cover.isCovered(edge) && !cover.isBarred(edge)).count();
    }

    /** The model's actions of which the code has taken no step. */
    Set<String> actionsNotTaken() {
        Set<String> actions = new TreeSet<>();
        for (int i = 0; i < graph.edges().size(); i++) {
            actions.add(step(i).action());
        }
        actions.removeAll(taken.keySet());
        return actions;
    }

    String summary() {
        return String.format(Locale.ROOT,
                "%-19s %,6d states %,6d steps: %.1f%% covered by %,d behaviours of %,d steps; %d refused, %d behind these%s",
                graph.name(), graph.states().size(), graph.edges().size(), coveredPercent(), paths, steps,
                refused.values().stream().mapToInt(Integer::intValue).sum(), behind(), difference == null ? "" : "; DIFFERS");
    }

    /** For the report. */
    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("spec", protocol.name());
        json.put("model", graph.name());
        json.put("states", graph.states().size());
        json.put("edges", graph.edges().size());
        json.put("covered", covered());
        json.put("coveredPercent", Math.floor(coveredPercent() * 100) / 100);
        json.put("behaviours", paths);
        json.put("steps", steps);
        Map<String, Object> reasons = new LinkedHashMap<>();
        refused.forEach((reason, count) -> reasons.put(reason.name(), Map.of("edges", count, "reason", reason.reason())));
        json.put("refused", reasons);
        json.put("behindRefused", behind());
        json.put("coveredByAction", taken);
        json.put("actionsNotTaken", new ArrayList<>(actionsNotTaken()));
        json.put("difference", difference);
        return json;
    }
}
