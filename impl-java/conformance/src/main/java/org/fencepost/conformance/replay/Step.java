package org.fencepost.conformance.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.fencepost.audit.models.StateGraph.State;
import org.fencepost.audit.text.TlaValue;

/**
 * A step of a behaviour: an action of the specification with its parameters. TLC tells the action's name at most; the
 * parameters are read from what the step changes, which is different for any two steps from a state.
 *
 * @param process the transaction manager or region server that takes it; null where the action has none
 * @param txn     null where the action has none
 * @param key     null where the action has none
 * @param content "value" or "tombstone"; null where the action has none
 */
public record Step(String action, String process, String txn, String key, String content, State from, State to) {

    /** Throws IllegalArgumentException if the step is none of the specification's. */
    public static Step of(State from, State to) {
        return new Changes(from, to).step();
    }

    /** The name at which one of the functions differs; null if none does. */
    public static String firstChange(State from, State to, String... variables) {
        for (String variable : variables) {
            for (String name : Values.domain(from.get(variable))) {
                if (!Values.at(from.get(variable), name).equals(Values.at(to.get(variable), name))) {
                    return name;
                }
            }
        }
        return null;
    }

    @Override
    public String toString() {
        List<String> parameters = new ArrayList<>();
        for (String parameter : new String[] {process, txn, key, content}) {
            if (parameter != null) {
                parameters.add(parameter);
            }
        }
        return action + (parameters.isEmpty() ? "" : "(" + String.join(", ", parameters) + ")");
    }

    /** What a step changes. */
    private static final class Changes {

        private final State from;
        private final State to;

        Changes(State from, State to) {
            this.from = from;
            this.to = to;
        }

        Step step() {
            if (changed("latePuts")) {
                return latePuts();
            }
            if (changed("lateEntries") && grown("lateEntries", null) == null) {
                return of("LateCommitEntry", name(shrunk("lateEntries", null)));
            }
            if (changed("inspected")) {
                boolean begins = grown("inspected", null) != null;
                TlaValue record = begins ? grown("inspected", null) : shrunk("inspected", null);
                return of(begins ? "InspectLeftover" : "CleanLeftover", item(record, 1), item(record, 0));
            }
            if (changed("watermark")) {
                return of("RaiseWatermark", null);
            }
            if (changed("faults")) {
                return fault();
            }
            String client = firstDifference("status", "writes", "unanswered", "todo", "cursor", "reads");
            return client != null ? clientStep(client) : collectorStep();
        }

        private Step latePuts() {
            TlaValue arrived = shrunk("latePuts", null);
            if (arrived != null) {
                return of("LatePut", item(arrived, 1), item(arrived, 0));
            }
            TlaValue sent = grown("latePuts", null);
            return write("DelayPut", item(sent, 1), item(sent, 0));
        }

        private Step write(String action, String txn, String key) {
            boolean deletes = Values.has(at(to, "deletes", txn), Values.name(key));
            return new Step(action, null, txn, key, deletes ? "tombstone" : "value", from, to);
        }

        private Step fault() {
            String client = firstDifference("status", "todo");
            String key = firstDifference("stored");
            if (key != null) {
                return of("LoseLeader", name(shrunk("stored", key)));
            }
            if (client == null) {
                return new Step("Evict", null, null, firstDifference("lastCommit"), null, from, to);
            }
            String before = text(from, "status", client);
            String after = text(to, "status", client);
            return of(!after.equals("aborted") || before.equals("aborted") ? after.equals("unknown") ? "LoseEntryAnswer" : "Crash"
                    : before.equals("active") ? "Rollback" : "LoseCommitAnswer", client);
        }

        private Step clientStep(String client) {
            String status = text(from, "status", client);
            if (changedAt("status", client)) {
                return of(switch (status) {
                    case "idle" -> "Begin";
                    case "active" -> text(to, "status", client).equals("closed") ? "EndReadOnly" : "RequestCommit";
                    case "committed" -> "RemoveCommitEntry";
                    default -> "WriteCommitEntry";
                }, client);
            }
            if (changedAt("writes", client)) {
                return write("Write", client, name(grown("writes", client)));
            }
            if (changedAt("unanswered", client)) {
                return of("RetryPut", client, name(shrunk("unanswered", client)));
            }
            if (changedAt("todo", client)) {
                return of(status.equals("committed") ? "PostCommit" : "CleanUp", client, name(shrunk("todo", client)));
            }
            return readStep(client);
        }

        private Step readStep(String client) {
            TlaValue cursor = at(from, "cursor", client);
            String key = Values.text(Values.field(cursor, "key"));
            switch (Values.text(Values.field(cursor, "step"))) {
                case "none" -> {
                    TlaValue read = grown("reads", client);
                    key = Values.text(Values.field(read != null ? read : at(to, "cursor", client), "key"));
                    boolean own = Values.has(at(from, "writes", client), Values.name(key));
                    return of(own ? "ReadOwnWrite" : "GetRecord", client, key);
                }
                case "record" -> {
                    return of("GetRecord", client, key);
                }
                case "entry" -> {
                    return of("GetCommitEntry", client);
                }
                case "heal" -> {
                    return of("HealCommitCell", client);
                }
                case "pending" -> {
                    return of("InvalidatePending", client);
                }
                case "reread" -> {
                    return of("ReReadRecord", client);
                }
                default -> {
                    return of("RemoveFalseInvalidation", client);
                }
            }
        }

        private Step collectorStep() {
            String key = firstDifference("stored");
            if (key != null) {
                String txn = name(shrunk("stored", key));
                return of(isLast(txn, key) ? "CollectTombstone" : "CollectVersion", txn, key);
            }
            key = firstDifference("commitCell");
            if (key != null) {
                TlaValue before = at(from, "commitCell", key);
                TlaValue after = at(to, "commitCell", key);
                for (String txn : Values.domain(before)) {
                    if (!Values.at(before, txn).equals(Values.at(after, txn))) {
                        return of("HealLeftover", txn, key);
                    }
                }
            }
            String txn = firstDifference("commitTable");
            if (txn == null) {
                throw new IllegalArgumentException("a step that changes nothing");
            }
            return of("CollectEntry", txn);
        }

        /** Collecting a tombstone below which there is nothing is a step of its own; any other has a newer version above. */
        private boolean isLast(String txn, String key) {
            long version = Values.number(at(from, "readTs", txn));
            return Values.has(at(from, "deletes", txn), Values.name(key)) && Values.items(at(from, "stored", key)).stream()
                    .allMatch(w -> Values.number(at(from, "readTs", Values.text(w))) >= version);
        }

        private Step of(String action, String txn) {
            return new Step(action, null, txn, null, null, from, to);
        }

        private Step of(String action, String txn, String key) {
            return new Step(action, null, txn, key, null, from, to);
        }

        private boolean changed(String variable) {
            return !Objects.equals(from.get(variable), to.get(variable));
        }

        private boolean changedAt(String variable, String index) {
            return !at(from, variable, index).equals(at(to, variable, index));
        }

        /** The transaction, or key, at which one of the variables differs; null if none does. */
        private String firstDifference(String... variables) {
            return firstChange(from, to, variables);
        }

        /** The item that a set has gained; null if there is none. */
        private TlaValue grown(String variable, String index) {
            return Values.gained(value(from, variable, index), value(to, variable, index));
        }

        private TlaValue shrunk(String variable, String index) {
            return Values.gained(value(to, variable, index), value(from, variable, index));
        }

        private static TlaValue value(State state, String variable, String index) {
            return index == null ? state.get(variable) : at(state, variable, index);
        }

        private static TlaValue at(State state, String variable, String index) {
            return Values.at(state.get(variable), index);
        }

        private static String text(State state, String variable, String index) {
            return Values.text(at(state, variable, index));
        }

        private static String item(TlaValue tuple, int index) {
            return Values.text(((TlaValue.Tuple) tuple).items().get(index));
        }

        private static String name(TlaValue value) {
            return Values.text(value);
        }
    }
}
