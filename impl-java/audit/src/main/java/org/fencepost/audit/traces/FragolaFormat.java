package org.fencepost.audit.traces;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Traces of Fragola: those of OmidLL, without faults. A transaction's leader is the key of its first write. */
final class FragolaFormat extends OmidLLFormat {
    private static final Map<String, String> OWN_FIELDS = new HashMap<>(FIELDS);

    static {
        OWN_FIELDS.keySet().removeAll(Set.of("RemoveFalseInvalidation", "RemoveCommitEntry", "LoseCommitAnswer"));
    }

    private List<Map<String, Object>> events;
    /** Keys by transaction. */
    private final Map<Object, Object> leaders = new HashMap<>();
    /** The last inspection of each transaction's records that found a marker. */
    private final Map<Object, Integer> inspected = new HashMap<>();

    FragolaFormat() {
        super("Fragola", List.of("protocol/src/main/java"), ACCOUNT);
    }

    @Override
    String cannotBe(Map<String, Object> header) {
        return !Boolean.FALSE.equals(header.get("faults")) ? "The trace may have faults, and the trace spec of Fragola knows none." : null;
    }

    @Override
    Map<String, String> modules() {
        Map<String, String> modules = new LinkedHashMap<>();
        modules.put("OmidLL.tla", "LL!");
        modules.put("traces/OmidLLTrace.tla", "T!");
        modules.put("Fragola.tla", "");
        modules.put("traces/FragolaTrace.tla", "");
        return modules;
    }

    @Override
    Map<String, String> fields() {
        return OWN_FIELDS;
    }

    @Override
    List<String> alternatives(Map<String, Object> event) {
        Set<String> known = new HashSet<>(super.alternatives(event));
        known.removeAll(Set.of("RemoveCommitEntry(t)", "RemoveFalseInvalidation(t)"));
        return known.stream().sorted().toList();
    }

    /** Beside what {@link OmidLLFormat} tells: {@code leader}, the key is its leader; {@code inspected}, a collector logs that of a record of its, with a marker. */
    @Override
    boolean tells(int first, String what, long txn, String key) {
        return switch (what) {
            case "leader" -> key.equals(leaders.get(txn));
            case "inspected" -> inspected.getOrDefault(txn, -1) >= first;
            default -> super.tells(first, what, txn, key);
        };
    }

    @Override
    String unsupported(int event) {
        Map<String, Object> e = events.get(event);
        boolean late = e.get("action").equals("Write") && events.subList(0, event).stream()
                .anyMatch(r -> r.get("action").equals("RaiseWatermark") && (Long) r.get("watermark") > (Long) e.get("txn"));
        return late ? "is a put of a client whose time was up; the spec's client sends none, and the code's gives the transaction up when it is answered"
                : super.unsupported(event);
    }

    @Override
    void lookAhead(RecordedTrace trace) {
        super.lookAhead(trace);
        events = trace.events();
        for (int i = 0; i < events.size(); i++) {
            Map<String, Object> e = events.get(i);
            if (e.get("action").equals("Write")) {
                leaders.putIfAbsent(e.get("txn"), e.get("key"));
            } else if (e.get("action").equals("InspectLeftover") && Long.valueOf(-1).equals(e.get("entry"))) {
                inspected.put(e.get("met"), i);
            }
        }
    }
}
