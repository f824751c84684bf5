package org.fencepost.audit.traces;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Traces of OmidTwoPhase: those of OmidLL, with prewrites in place of puts. They are called {@code Write} from here on, so that what
 * {@link OmidLLFormat} tells of puts it tells of them, too.
 */
final class TwoPhaseFormat extends OmidLLFormat {
    private static final String PREWRITE = "Prewrite";
    private static final String WRITE = "Write";
    private static final Map<String, String> ALL_FIELDS = new HashMap<>(FIELDS);

    static {
        ALL_FIELDS.put(PREWRITE, ALL_FIELDS.remove(WRITE));
        ALL_FIELDS.put("MeetIntent", "txn key met");
        ALL_FIELDS.put("RefusePrewrite", "txn key obstacle");
        ALL_FIELDS.put("RemoveIntent", "txn key met");
    }

    /** Actions with conditions of their own here. */
    private static final Set<String> CHANGED = Set.of("MeetIntent", "RefusePrewrite", "RequestCommit", "ReadOwnWrite", "GetCommitEntry", "InvalidatePending",
            "ReReadRecord", "RemoveIntent", "CleanUp", "CollectTombstone", "Transaction");

    TwoPhaseFormat() {
        super("OmidTwoPhase", List.of("protocol/src/main/java"), ACCOUNT);
    }

    @Override
    Map<String, String> modules() {
        Map<String, String> modules = new LinkedHashMap<>();
        modules.put("OmidLL.tla", "T!");
        modules.put("traces/OmidLLTrace.tla", "T!");
        modules.put("OmidTwoPhase.tla", "");
        modules.put("traces/OmidTwoPhaseTrace.tla", "");
        return modules;
    }

    @Override
    Map<String, String> fields() {
        return ALL_FIELDS;
    }

    @Override
    boolean canBeLost(String action) {
        return action.equals(PREWRITE) || super.canBeLost(action);
    }

    @Override
    String operator(Map<String, Object> event) {
        Object action = event.get("action");
        return action.equals(WRITE) ? event.get("lost").equals(true) ? "OnLostPrewrite" : "OnPrewrite"
                : CHANGED.contains(action) ? "On" + action : "T!" + super.operator(event);
    }

    @Override
    List<String> alternatives(Map<String, Object> event) {
        return super.alternatives(event).stream().map(call -> call.replace("Write(t, k, \"value\")", "Prewrite(t, k, \"value\")").replace("RetryPut", "RetryPrewrite"))
                .toList();
    }

    /** The intent that a prewrite was refused for is a record that was met. */
    @Override
    void lookAhead(RecordedTrace trace) {
        for (Map<String, Object> e : trace.events()) {
            if (e.get("action").equals(PREWRITE)) {
                e.put("action", WRITE);
            } else if (e.get("obstacle") instanceof Long obstacle && obstacle > 0) {
                e.put("met", obstacle);
            }
        }
        super.lookAhead(trace);
    }
}
