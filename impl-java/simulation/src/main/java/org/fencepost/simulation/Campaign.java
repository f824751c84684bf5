package org.fencepost.simulation;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.fencepost.protocol.Action;
import org.fencepost.protocol.history.Violation;

/** What many runs reached together. A campaign that never saw an action or a fault proves nothing about it. Not thread-safe. */
public final class Campaign {

    private final Map<Fault, Long> faults = new EnumMap<>(Fault.class);
    private final Map<Action, Long> actions = new EnumMap<>(Action.class);
    private final Map<String, Long> outcomes = new TreeMap<>();
    private long runs;
    private long steps;

    /** Counts a run in. */
    public void add(Run run) {
        runs++;
        steps += run.steps();
        for (EventLog.Event event : run.log().events()) {
            switch (event.kind()) {
                case action -> actions.merge(Action.valueOf(event.name()), 1L, Long::sum);
                case fault -> faults.merge(Fault.valueOf(event.name()), 1L, Long::sum);
                default -> { }
            }
        }
        run.history().transactions().forEach(t -> outcomes.merge(t.outcome().name().toLowerCase(), 1L, Long::sum));
    }

    void add(Campaign other) {
        runs += other.runs;
        steps += other.steps;
        other.faults.forEach((fault, count) -> faults.merge(fault, count, Long::sum));
        other.actions.forEach((action, count) -> actions.merge(action, count, Long::sum));
        other.outcomes.forEach((outcome, count) -> outcomes.merge(outcome, count, Long::sum));
    }

    public long runs() {
        return runs;
    }

    public long steps() {
        return steps;
    }

    /** How often an action of the protocol took place. */
    public long count(Action action) {
        return actions.getOrDefault(action, 0L);
    }

    /** How often a fault struck. */
    public long count(Fault fault) {
        return faults.getOrDefault(fault, 0L);
    }

    /**
     * For the audit report: what was reached, by which properties of which spec each run was judged, and the run that failed.
     *
     * @param failed null where none did
     */
    String json(long firstSeed, Run failed) {
        String judged = Stream.concat(Stream.of(Violation.Axiom.values()).map(Enum::name), Stream.of("AnswersTrue"))
                .map(name -> '"' + name + '"').collect(Collectors.joining(", "));
        return "{\n  \"seeds\": " + runs + ",\n  \"first seed\": " + firstSeed + ",\n  \"steps\": " + steps + ",\n  \"judged\": {\"OmidLL\": [" + judged
                + "]},\n  \"faults\": " + json(faults) + ",\n  \"actions\": " + json(actions) + ",\n  \"transactions\": " + json(outcomes)
                + ",\n  \"failed\": " + (failed == null ? null : "{\"seed\": " + failed.plan().seed() + ", \"property\": " + quote(failed.failure().property())
                + ", \"message\": " + quote(failed.failure().what()) + ", \"replay\": " + quote(failed.plan().replayOptions()) + "}") + "\n}\n";
    }

    private static String json(Map<?, Long> counts) {
        return counts.entrySet().stream().map(e -> '"' + e.getKey().toString() + "\": " + e.getValue()).collect(Collectors.joining(", ", "{", "}"));
    }

    private static String quote(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("[\\x00-\\x1f]+", " ") + '"';
    }

    /** Transactions by outcome, in words. */
    public String transactions() {
        StringBuilder text = new StringBuilder();
        outcomes.forEach((outcome, count) -> text.append(text.isEmpty() ? "" : ", ").append(count).append(' ').append(outcome));
        return text.toString();
    }
}
