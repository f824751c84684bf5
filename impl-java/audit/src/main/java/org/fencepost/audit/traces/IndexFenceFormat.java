package org.fencepost.audit.traces;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Traces of IndexFence: those of OmidLL, without faults, with a secondary index of the rows that the header names. The function of the index is what
 * events tell of it: at which key somebody writes, deletes or populates the index record of a row's value.
 */
final class IndexFenceFormat extends OmidLLFormat {
    private static final Map<String, String> OWN = Map.of("WriteIndex", "txn row key delete", "Fence", "fence", "BuildBegin", "txn", "Populate",
            "txn key met index", "EndPart", "txn", "Ready", "txn");
    /** Of OmidLL, with conditions of the index. */
    private static final Set<String> CHANGED = Set.of("Begin", "RequestCommit", "RaiseWatermark", "Evict", "Write", "GetRecord", "CollectVersion",
            "CollectTombstone");
    private static final Map<String, String> OWN_FIELDS = new HashMap<>(FIELDS);

    static {
        OWN_FIELDS.putAll(OWN);
        OWN_FIELDS.remove("LoseCommitAnswer");
    }

    private Set<Object> rows;
    /** The transactions that build the index. */
    private final Set<Long> parts = new TreeSet<>();
    /** The index key of a transaction's value of a row. */
    private final Map<List<Object>, Object> keys = new LinkedHashMap<>();

    IndexFenceFormat() {
        super("IndexFence", List.of("protocol/src/main/java"), ACCOUNT);
    }

    @Override
    List<String> constants() {
        return List.of("span");
    }

    @Override
    String alike() {
        return rows + " " + parts + " " + keys;
    }

    @Override
    String read(Map<String, Object> header) {
        boolean told = header.get("rows") instanceof String names && !names.isBlank();
        rows = new TreeSet<>(told ? List.of(((String) header.get("rows")).split(" ")) : List.of());
        return told ? null : "The header of a trace of IndexFence tells the rows, and this one does not.";
    }

    @Override
    String cannotBe(Map<String, Object> header) {
        return !Boolean.FALSE.equals(header.get("faults")) ? "The trace may have faults, and the trace spec of IndexFence knows none." : null;
    }

    @Override
    Map<String, String> modules() {
        Map<String, String> modules = new LinkedHashMap<>();
        modules.put("OmidLL.tla", "T!");
        modules.put("traces/OmidLLTrace.tla", "T!");
        modules.put("IndexFence.tla", "");
        modules.put("traces/IndexFenceTrace.tla", "");
        return modules;
    }

    @Override
    Map<String, String> fields() {
        return OWN_FIELDS;
    }

    @Override
    String operator(Map<String, Object> event) {
        Object action = event.get("action");
        return OWN.containsKey(action) || CHANGED.contains(action) ? "On" + action : "T!" + super.operator(event);
    }

    @Override
    List<String> alternatives(Map<String, Object> event) {
        List<String> known = super.alternatives(event).stream().filter(a -> !Set.of("RetryPut(t, k)", "ReadOwnWrite(t, k)").contains(a)).toList();
        return event.get("txn").equals(0L) ? known
                : Stream.concat(known.stream(), Stream.of("WriteIndex(t, k)", "Populate(t, k)", "EndPart(t)", "Ready(t)")).toList();
    }

    @Override
    Stream<?> names(String kind) {
        return kind.equals("row") ? rows.stream() : kind.equals("part") ? parts.stream()
                : kind.equals("key") ? Stream.concat(keys().stream(), rows.stream()).distinct() : super.names(kind);
    }

    /** Of what nobody tells, it does not matter where it would be. */
    @Override
    Map<List<Object>, Object> function(String name) {
        Map<List<Object>, Object> all = new LinkedHashMap<>();
        Object any = keys.values().stream().findFirst().orElse("");
        begun().forEach(txn -> rows.forEach(row -> all.put(List.of(txn, row), keys.getOrDefault(List.of(txn, row), any))));
        return all;
    }

    @Override
    boolean isAccountedFor(long txn) {
        return !parts.contains(txn);
    }

    /** Whose value of a row an index record was deleted for is told by what its transaction has read last. */
    @Override
    void lookAhead(RecordedTrace trace) {
        trace.events().stream().filter(e -> e.get("action").equals("BuildBegin")).forEach(e -> parts.add((Long) e.get("txn")));
        super.lookAhead(trace);
        parts.retainAll(begun());
        Map<List<Object>, Object> met = new HashMap<>();
        for (Map<String, Object> e : trace.events()) {
            List<Object> read = List.of(e.get("txn"), e.get(e.containsKey("row") ? "row" : "key"));
            switch ((String) e.get("action")) {
                case "GetRecord" -> met.put(read, e.get("met"));
                case "ReadOwnWrite" -> met.put(read, e.get("txn"));
                case "WriteIndex" -> keys.putIfAbsent(List.of(e.get("delete").equals(true) ? met.getOrDefault(read, 0L) : e.get("txn"), e.get("row")), e.get("key"));
                case "Populate" -> keys.putIfAbsent(List.of(e.get("met"), e.get("key")), e.get("index"));
                default -> {}
            }
        }
    }
}
