package org.fencepost.simulation.torture;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.fencepost.protocol.fastpath.FastAbortCause;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.JsonText;
import org.fencepost.simulation.world.EventLog;
import org.fencepost.simulation.world.Fault;
import org.fencepost.simulation.world.Run;

/** What many runs reached together. A campaign that never saw an action or a fault proves nothing about it. Not thread-safe. */
public final class Campaign {

    /** The properties of each specification that runs are judged by, where they have to do with it. */
    private static final Map<String, List<String>> JUDGED = new TreeMap<>(Map.of(
            "PH1", List.of("Snapshot", "FirstCommitterWins", "StrongSI", "AnswersTrue", "AnsweredIsStored", "AbortsHaveReason"),
            "OnePhase", List.of("Snapshot", "FirstCommitterWins", "NoDirtyRead", "StrongSI", "ReadStates", "SameKeyOrder", "NoTies", "AnswersTrue"),
            "Fragola", List.of("Snapshot", "FirstCommitterWins", "NoDirtyRead", "StrongSI", "ReadStates", "NoLostFollower", "AnswersTrue"),
            "OmidLL", List.of("Snapshot", "FirstCommitterWins", "NoDirtyRead", "StrongSI", "ReadStates", "AnswersTrue"),
            "FastPath", List.of("Snapshot", "FirstCommitterWins", "NoDirtyRead", "StrongSI", "SameKeyOrder", "NoTies", "AnswersTrue"),
            "OmidTwoPhase", List.of("Snapshot", "FirstCommitterWins", "NoDirtyRead", "StrongSI", "ReadStates", "AnswersTrue"),
            "Checkpoints", List.of("Snapshot", "FirstCommitterWins", "NoDirtyRead", "LastLevelRead", "OwnReads", "AllListed", "AbortLeavesNothing",
                    "EntriesTrue"),
            "IndexFence", List.of("IndexIsFunction", "IndexReads", "FencedNeverCommits", "BuildEnds", "LeftoversVanish"),
            "TMFailover", List.of("UniqueTimestamps", "BelowMaxTs", "EpochsInOrder", "TimestampsFollowRealTime", "OneLeads"),
            "Mediator", List.of("SnapshotLegal", "DisjointWrites", "SnapshotItemOrder", "SnapshotRealTime", "NoDirtyRead", "SerialLegal",
                    "SerialItemOrder", "SerialTransactionOrder", "NoTies", "AnswersTrue", "ClockBounded", "NativesNeverAbort")));

    private final Map<Fault, Long> faults = new EnumMap<>(Fault.class);
    private final Map<Action, Long> actions = new EnumMap<>(Action.class);
    private final Map<FastAbortCause, Long> refusals = new EnumMap<>(FastAbortCause.class);
    private final Map<String, Long> outcomes = new TreeMap<>();
    private final Set<String> systems = new TreeSet<>();
    private long runs;
    private long steps;

    /** Counts a run in. */
    public void add(Run run) {
        runs++;
        systems.addAll(run.plan().isOfMediator() ? Set.of("Mediator") : run.plan().hasLeaders() ? Set.of("Fragola") : run.plan().isOfPH1() ? Set.of("PH1")
                : Set.of("OmidLL", "FastPath", "OnePhase", "TMFailover", "Checkpoints", "IndexFence"));
        steps += run.steps();
        for (EventLog.Event event : run.log().events()) {
            switch (event.kind()) {
                case action, manager -> actions.merge(Action.valueOf(event.name()), 1L, Long::sum);
                case refusal -> refusals.merge(FastAbortCause.valueOf(event.name()), 1L, Long::sum);
                case fault -> faults.merge(Fault.valueOf(event.name()), 1L, Long::sum);
                default -> {}
            }
        }
        run.history().transactions().forEach(t -> outcomes.merge(t.outcome().name().toLowerCase(), 1L, Long::sum));
    }

    void add(Campaign other) {
        runs += other.runs;
        systems.addAll(other.systems);
        steps += other.steps;
        other.faults.forEach((fault, count) -> faults.merge(fault, count, Long::sum));
        other.actions.forEach((action, count) -> actions.merge(action, count, Long::sum));
        other.refusals.forEach((cause, count) -> refusals.merge(cause, count, Long::sum));
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

    /** How often a fast-path write was refused for this cause. */
    public long count(FastAbortCause cause) {
        return refusals.getOrDefault(cause, 0L);
    }

    /**
     * For the audit report: what was reached, by which properties of which spec each run was judged, and the run that failed.
     *
     * @param failed null where none did
     */
    String json(long firstSeed, Run failed) {
        String judged = JUDGED.entrySet().stream().filter(spec -> systems.contains(spec.getKey())).map(spec -> spec.getValue().stream().map(JsonText::quote)
                .collect(Collectors.joining(", ", JsonText.quote(spec.getKey()) + ": [", "]"))).collect(Collectors.joining(", ", "{", "}"));
        return "{\n  \"seeds\": " + runs + ",\n  \"first seed\": " + firstSeed + ",\n  \"steps\": " + steps + ",\n  \"judged\": " + judged
                + ",\n  \"faults\": " + json(faults) + ",\n  \"actions\": " + json(actions) + ",\n  \"transactions\": " + json(outcomes)
                + ",\n  \"failed\": " + (failed == null ? null : "{\"seed\": " + failed.plan().seed() + ", \"property\": " + JsonText.quote(failed.failure().property())
                        + ", \"message\": " + JsonText.quote(failed.failure().what()) + ", \"replay\": " + JsonText.quote(failed.plan().replayOptions()) + "}") + "\n}\n";
    }

    private static String json(Map<?, Long> counts) {
        return counts.entrySet().stream().map(e -> '"' + e.getKey().toString() + "\": " + e.getValue()).collect(Collectors.joining(", ", "{", "}"));
    }

    /** Transactions by outcome, in words. */
    public String transactions() {
        StringBuilder text = new StringBuilder();
        outcomes.forEach((outcome, count) -> text.append(text.isEmpty() ? "" : ", ").append(count).append(' ').append(outcome));
        return text.toString();
    }
}
