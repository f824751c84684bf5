package org.fencepost.audit.traces;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Traces of OnePhase: those of FastPath, with batches, and with puts beside the certification, whose answers may be lost with a server. */
final class OnePhaseFormat extends FastPathFormat {
    private static final Map<String, String> ADDED = Map.ofEntries(
            Map.entry("BufferWrite", "txn key delete"),
            Map.entry("CommitBlindly", "txn"),
            Map.entry("AcceptBatch", "txn commit"),
            Map.entry("RefuseBatch", "txn commit"),
            Map.entry("StoreBatch", "txn commit"),
            Map.entry("LoseBatchAnswer", "txn"),
            Map.entry("FindsRecord", "txn stored"),
            Map.entry("ResolveBatch", "txn found"),
            Map.entry("PutBeside", "txn"),
            Map.entry("RetryPut", "txn key clock"),
            Map.entry("KeepTimestamp", "txn"));
    /** Actions of the others that mean more here. */
    private static final Set<String> CHANGED = Set.of("RequestCommit", "WriteCommitEntry", "BumpClock", "BootstrapClock", "PostCommit", "HealCommitCell",
            "HealLeftover", "CollectTombstone", "CollectVersion", "RefusePut", "OpenRegion", "CrashServer");
    private static final Set<String> BATCHES = Set.of("AcceptBatch", "RefuseBatch", "StoreBatch", "LoseBatchAnswer", "PutBeside");

    private List<Map<String, Object>> events;
    private Set<Object> withBatch;

    OnePhaseFormat() {
        super("OnePhase");
    }

    @Override
    String cannotBe(Map<String, Object> header) {
        return !Boolean.FALSE.equals(header.get("faults"))
                ? "The trace may have faults, and the trace spec of OnePhase knows none but those of region servers." : null;
    }

    @Override
    Map<String, String> modules() {
        Map<String, String> modules = super.modules();
        modules.replaceAll((module, prefix) -> below(prefix));
        modules.put("OnePhase.tla", "");
        modules.put("traces/OnePhaseTrace.tla", "");
        return modules;
    }

    @Override
    Map<String, String> fields() {
        Map<String, String> fields = new HashMap<>(super.fields());
        fields.putAll(ADDED);
        return fields;
    }

    @Override
    String operator(Map<String, Object> event) {
        String action = (String) event.get("action");
        return ADDED.containsKey(action) || CHANGED.contains(action) ? "On" + action : below(super.operator(event));
    }

    /** A name of FastPath's trace spec, which this one instantiates, as it does that of OmidLL. */
    private static String below(String name) {
        return name.startsWith("T!") ? name : "F!" + name;
    }

    /** Blind ones begin when they commit. */
    @Override
    Set<Long> begun() {
        Set<Long> begun = super.begun();
        events.stream().filter(e -> e.get("action").equals("CommitBlindly")).forEach(e -> begun.add((Long) e.get("txn")));
        return begun;
    }

    @Override
    void lookAhead(RecordedTrace trace) {
        events = trace.events();
        super.lookAhead(trace);
        withBatch = events.stream().filter(e -> BATCHES.contains(e.get("action"))).map(e -> e.get("txn")).collect(Collectors.toSet());
        if (events.stream().anyMatch(e -> "UNKNOWN".equals(e.get("found")))) {
            trace.isUnsupported("A client looked for its batch too late to tell from its absence, which it learns after the look, and the spec with it.");
        }
    }

    /** Beside what {@link OmidLLFormat} tells: {@code batch}, that the client of a transaction with a batch does something yet. */
    @Override
    boolean tells(int first, String what, long txn, String key) {
        return what.equals("batch") ? withBatch.contains(txn) && super.tells(first, "any", txn, "") : super.tells(first, what, txn, key);
    }
}
