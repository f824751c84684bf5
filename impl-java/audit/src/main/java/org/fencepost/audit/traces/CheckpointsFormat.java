package org.fencepost.audit.traces;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Traces of Checkpoints: those of OmidLL, without faults, and with levels. Records are told by their versions. Beside the protocol's events there
 * is what applications got: {@code Found} by a read, {@code Listed} by a snapshot-all, whose levels are bits of a number.
 */
final class CheckpointsFormat extends OmidLLFormat {
    private static final Map<String, String> OWN_FIELDS = new HashMap<>(FIELDS);

    static {
        OWN_FIELDS.keySet().removeAll(Set.of("LoseCommitAnswer", "Evict"));
        OWN_FIELDS.putAll(Map.of("Checkpoint", "txn level", "TakeSnapshot", "txn", "DropLevel", "key met", "Found", "txn key version delete",
                "Listed", "txn key levels tombstones version delete"));
    }

    /** The last write of each version and key. */
    private final Map<List<Object>, Integer> written = new HashMap<>();
    private final Set<List<Object>> tombstones = new HashSet<>();

    CheckpointsFormat() {
        super("Checkpoints", List.of("protocol/src/main/java"), ACCOUNT);
    }

    @Override
    List<String> constants() {
        return List.of("span", "levels");
    }

    @Override
    String read(Map<String, Object> header) {
        boolean apart = header.get("span") instanceof Long span && header.get("levels") instanceof Long levels && levels > 0 && levels < span;
        return apart ? null : "The header of a trace of Checkpoints tells a span, and fewer levels, and this one does not.";
    }

    @Override
    String cannotBe(Map<String, Object> header) {
        return !Boolean.FALSE.equals(header.get("faults")) ? "The trace may have faults, and the trace spec of Checkpoints knows none." : null;
    }

    @Override
    Map<String, String> fields() {
        return OWN_FIELDS;
    }

    @Override
    String action(String event) {
        return event.equals("Found") ? "Read" : event.equals("Listed") ? "ReadAll" : event;
    }

    @Override
    List<String> alternatives(Map<String, Object> event) {
        return event.get("txn").equals(0L) ? List.of("HealLeftover(k)", "CleanLeftover(k)", "DropLevel(k)", "CollectVersion(k)", "CollectTombstone(k)")
                : List.of("Checkpoint(t)", "TakeSnapshot(t)", "EndReadOnly(t)", "RequestCommit(t)", "WriteCommitEntry(t)", "RemoveCommitEntry(t)",
                        "GetCommitEntry(t)", "HealCommitCell(t)", "InvalidatePending(t, k)", "ReReadRecord(t)", "RemoveFalseInvalidation(t)",
                        "Write(t, k, \"value\")", "Read(t, k)", "ReadAll(t, t, k)", "GetRecord(t, k)", "PostCommit(t, k)", "CleanUp(t, k)");
    }

    @Override
    Map<String, String> ranges(Map<String, Object> event) {
        return event.get("txn").equals(0L) ? Map.of("k", "Key") : super.ranges(event);
    }

    /** Beside what {@link OmidLLFormat} tells: {@code written}, a write at this version; {@code tombstone}, it is a delete. */
    @Override
    boolean tells(int first, String what, long txn, String key) {
        return switch (what) {
            case "written" -> written.getOrDefault(List.of(txn, key), -1) >= first;
            case "tombstone" -> tombstones.contains(List.of(txn, key));
            default -> super.tells(first, what, txn, key);
        };
    }

    @Override
    void lookAhead(RecordedTrace trace) {
        super.lookAhead(trace);
        List<Map<String, Object>> events = trace.events();
        Map<Object, Long> levels = new HashMap<>();
        for (int i = 0; i < events.size(); i++) {
            Map<String, Object> e = events.get(i);
            if (e.get("action").equals("Checkpoint")) {
                levels.put(e.get("txn"), (Long) e.get("level"));
            } else if (e.get("action").equals("Write")) {
                long version = (Long) e.get("txn") + levels.getOrDefault(e.get("txn"), 0L);
                e.put("version", version);
                written.put(List.of(version, e.get("key")), i);
                if (e.get("delete").equals(true)) {
                    tombstones.add(List.of(version, e.get("key")));
                }
            }
        }
    }
}
