package org.fencepost.audit.traces;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Traces of Apache Omid in its default mode, by its own client: operations of one thread, with what they were answered. */
final class OmidBaselineFormat extends TraceFormat {
    private static final Map<String, String> FIELDS = Map.of("Begin", "txn", "Write", "txn key", "Read", "txn key from", "EndReadOnly", "txn", "Rollback", "txn",
            "AnswerCommit", "txn answer");
    private static final Map<String, String> ACCOUNT = Map.of("Record", "met key gone commit");
    private static final List<String> ALTERNATIVES = List.of("RequestCommit(t)", "WriteEntry(t)", "AnswerCommit(t)", "EndReadOnly(t)", "GetRecord(t, k)",
            "GetCommitEntry(t)", "ReReadRecord(t)", "ReadOwnWrite(t, k)");

    private List<Map<String, Object>> events;

    OmidBaselineFormat() {
        super("OmidBaseline", List.of(), ACCOUNT);
    }

    @Override
    Map<String, String> modules() {
        return Map.of("OmidLL.tla", "LL!", "OmidBaseline.tla", "", "traces/OmidBaselineTrace.tla", "");
    }

    @Override
    Map<String, String> fields() {
        return FIELDS;
    }

    @Override
    String cannotBe(Map<String, Object> header) {
        return !Boolean.FALSE.equals(header.get("faults")) ? "The trace may have faults, and the trace spec of OmidBaseline knows none." : null;
    }

    @Override
    void lookAhead(RecordedTrace trace) {
        events = trace.events();
        for (Map<String, Object> e : events) {
            e.putIfAbsent("txn", 0L);
            e.putIfAbsent("key", "");
        }
    }

    @Override
    Stream<?> names(String kind) {
        return kind.equals("key") ? events.stream().map(e -> e.get("key")).filter(key -> !key.equals(""))
                : events.stream().filter(e -> e.get("action").equals("Begin")).map(e -> e.get("txn"));
    }

    @Override
    List<String> alternatives(Map<String, Object> event) {
        return ALTERNATIVES;
    }
}
