package org.fencepost.conformance;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.fencepost.audit.models.StateGraph.State;
import org.fencepost.audit.models.StateGraph;
import org.fencepost.audit.text.TlaValue;
import org.fencepost.conformance.replay.Values;
import org.fencepost.simulation.omid.PairState;
import org.fencepost.simulation.omid.Simulation;
import org.fencepost.simulation.world.Carriers;
import org.fencepost.simulation.world.Plan;

/**
 * How many of the specification's states the simulator comes to. Whole states would tell nothing, since a run has dozens of
 * transactions; so both are looked at as {@link PairState}s: each state of the small models, and each moment of a run.
 */
final class Visits {

    private final Set<String> ofTheModels = new HashSet<>();
    /** The first seed that comes to a state. */
    private final Map<String, Long> firstSeed = new HashMap<>();
    private long seeds;

    /** The states of a model of OmidLL with two transactions. */
    void addModel(StateGraph graph) {
        graph.states().forEach(state -> Values.domain(state.get("stored")).forEach(key -> {
            List<PairState.Part> parts = Values.domain(state.get("status")).stream().map(txn -> part(state, key, txn))
                    .filter(PairState.Part::isThere).sorted((a, b) -> Long.compare(a.startTs(), b.startTs())).toList();
            if (parts.size() == 2) {
                ofTheModels.add(new PairState(Values.number(state.get("watermark")), parts.get(0), parts.get(1)).toString());
            }
        }));
    }

    private static PairState.Part part(State state, String key, String txn) {
        TlaValue name = Values.name(txn);
        boolean stored = Values.has(Values.at(state.get("stored"), key), name);
        boolean deleted = Values.has(Values.at(state.get("deletes"), txn), Values.name(key));
        return new PairState.Part(number(state, "readTs", txn), !stored ? "none" : deleted ? "tombstone" : "value",
                Values.number(Values.at(Values.at(state.get("commitCell"), key), txn)), number(state, "commitTable", txn));
    }

    private static long number(State state, String variable, String txn) {
        return Values.number(Values.at(state.get(variable), txn));
    }

    /** Runs the seeds from 0 on. */
    void run(long count, Carriers carriers) {
        for (; seeds < count; seeds++) {
            long seed = seeds;
            PairState.visitedBy(Simulation.run(Plan.of(seed), carriers)).forEach(state -> firstSeed.putIfAbsent(state, seed));
        }
    }

    private long visited(long budget, Predicate<String> which) {
        return firstSeed.entrySet().stream().filter(e -> e.getValue() < budget && which.test(e.getKey())).count();
    }

    /** For the report: a row for each budget of seeds, ten times the one before. */
    Map<String, Object> json() {
        List<Object> rows = new ArrayList<>();
        for (long budget = Math.min(seeds, 10); budget != 0; budget = budget == seeds ? 0 : Math.min(seeds, 10 * budget)) {
            rows.add(new LinkedHashMap<>(Map.of("seeds", budget, "states", visited(budget, state -> true), "ofTheModels",
                    visited(budget, ofTheModels::contains))));
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("statesOfTheModels", ofTheModels.size());
        json.put("visited", rows);
        return json;
    }

    String summary() {
        return String.format(Locale.ROOT, "the simulator's first %,d seeds come to %,d states of two writers of a key;"
                + " to %,d of the %,d of the models", seeds, visited(seeds, state -> true), visited(seeds, ofTheModels::contains), ofTheModels.size());
    }
}
