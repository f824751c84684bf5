package org.fencepost.audit.traces;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Traces of OmidLL. What happens to a client silently is told by later events: they say which record, entry, marker or commit somebody will meet,
 * and what a client will do yet.
 */
class OmidLLFormat extends TraceFormat {
    private static final Long CONFLICT = -11L;
    private static final Long FENCED = -13L;
    private static final Long INVALIDATED = -1L;

    /** The fields of each action's event: whole numbers, except key and told (text), delete, gone and lost (flags). */
    static final Map<String, String> FIELDS = Map.ofEntries(
            Map.entry("Begin", "txn"),
            Map.entry("EndReadOnly", "txn"),
            Map.entry("Write", "txn key delete"),
            Map.entry("Rollback", "txn"),
            Map.entry("CleanUp", "txn key"),
            Map.entry("ReadOwnWrite", "txn key"),
            Map.entry("GetRecord", "txn key met commit"),
            Map.entry("GetCommitEntry", "txn met entry"),
            Map.entry("HealCommitCell", "txn key met commit"),
            Map.entry("InvalidatePending", "txn met previous"),
            Map.entry("ReReadRecord", "txn key met gone commit"),
            Map.entry("RemoveFalseInvalidation", "txn met"),
            Map.entry("RequestCommit", "txn answer"),
            Map.entry("LoseCommitAnswer", "txn"),
            Map.entry("WriteCommitEntry", "txn commit previous"),
            Map.entry("PostCommit", "txn key commit"),
            Map.entry("RemoveCommitEntry", "txn"),
            Map.entry("Evict", "commit"),
            Map.entry("RaiseWatermark", "watermark"),
            Map.entry("HealLeftover", "key met commit"),
            Map.entry("InspectLeftover", "key met entry gone commit"),
            Map.entry("CleanLeftover", "key met"),
            Map.entry("CollectEntry", "met"),
            Map.entry("CollectVersion", "key met"),
            Map.entry("CollectTombstone", "key met"));
    static final Map<String, String> ACCOUNT = Map.of("Transaction", "met told reads entry", "Read", "met key from",
            "Record", "met key gone commit delete");
    private static final Set<String> TAKE_AWAY = Set.of("CleanUp", "CleanLeftover", "CollectVersion", "CollectTombstone", "LateRemoval");

    /** What would show that a record is there after it was removed. */
    private static final Set<String> SHOW = Set.of("Write", "LatePut", "GetRecord", "ReReadRecord", "InspectLeftover", "CleanLeftover", "CollectVersion",
            "CollectTombstone", "LateRemoval", "MeetIntent", "RefusePrewrite", "Record");

    private static final List<String> CLIENT_ACTIONS = List.of("EndReadOnly(t)", "RequestCommit(t)", "WriteCommitEntry(t)",
            "RemoveCommitEntry(t)", "GetCommitEntry(t)", "HealCommitCell(t)", "InvalidatePending(t)", "ReReadRecord(t)",
            "RemoveFalseInvalidation(t)", "Write(t, k, \"value\")", "RetryPut(t, k)", "ReadOwnWrite(t, k)", "GetRecord(t, k)", "PostCommit(t, k)",
            "CleanUp(t, k)");
    private static final List<String> COLLECTOR_ACTIONS = List.of("HealLeftover(t, k)", "InspectLeftover(t, k)", "CleanLeftover(t, k)",
            "CollectEntry(t)", "CollectVersion(t, k)", "CollectTombstone(t, k)");

    private List<Map<String, Object>> events;
    /** The last event that tells something, by what it tells. */
    private final Map<List<Object>, Integer> last = new HashMap<>();
    private final Map<Object, List<Integer>> eventsOf = new HashMap<>();
    private final Map<Object, Set<Object>> keysOf = new HashMap<>();
    /** The last commit timestamp that each transaction was given. */
    private final Map<Object, Object> given = new HashMap<>();
    /** The highest watermark so far. */
    private long raised;
    /** Unless the header says that there were no faults. */
    private boolean faulty;
    /** If the header says that one transaction manager took over from another, of which it knows nothing. */
    private boolean succeeded;
    /**
     * Unless the header says that there was at most one collector and one transaction manager, and no faults. In the end, when there are none any
     * more, everything is collected once.
     */
    private boolean others;

    OmidLLFormat() {
        this("OmidLL", List.of("protocol/src/main/java"), ACCOUNT);
    }

    OmidLLFormat(String protocol, List<String> sources, Map<String, String> account) {
        super(protocol, sources, account);
    }

    @Override
    Map<String, String> fields() {
        return FIELDS;
    }

    @Override
    boolean canBeLost(String action) {
        return action.equals("Write") || action.equals("WriteCommitEntry");
    }

    @Override
    String operator(Map<String, Object> event) {
        return !event.get("lost").equals(true) ? super.operator(event) : event.get("action").equals("Write") ? "OnLostWrite" : "OnLostCommitEntry";
    }

    @Override
    List<String> alternatives(Map<String, Object> event) {
        return isCollectors(event) ? COLLECTOR_ACTIONS : CLIENT_ACTIONS;
    }

    @Override
    Map<String, String> ranges(Map<String, Object> event) {
        return Map.of("t", "{" + (isCollectors(event) ? "e.met" : "e.txn") + "} \\cap Txn", "k", "Key");
    }

    @Override
    String whose(Map<String, Object> event) {
        return isCollectors(event) ? "of that transaction's records" : "for transaction " + event.get("txn");
    }

    private static boolean isCollectors(Map<String, Object> event) {
        return event.get("txn").equals(0L);
    }

    @Override
    Stream<?> names(String kind) {
        return kind.equals("txn") ? begun().stream() : keys().stream();
    }

    /** The transactions that begin in it. */
    Set<Long> begun() {
        Set<Long> begun = new TreeSet<>();
        events.stream().filter(e -> e.get("action").equals("Begin")).forEach(e -> begun.add((Long) e.get("txn")));
        return begun;
    }

    Set<String> keys() {
        Set<String> keys = new TreeSet<>();
        events.forEach(e -> keys.add((String) e.get("key")));
        keys.remove("");
        return keys;
    }

    /**
     * Whether the trace, after its first so many events, tells such a thing about a transaction and a key. What: an action, of the
     * transaction's client or of a collector about it; {@code any}, an event of its client; {@code met}, its record is there;
     * {@code commit}, it has committed; {@code marker}, it has a marker; {@code collected}, its entry is; {@code tombstone}, its record is
     * one, whenever it tells that; {@code heals}, its client's next event is to heal; {@code conflict}, another one that has begun by then and
     * wrote one of its keys is refused.
     */
    @Override
    boolean tells(int first, String what, long txn, String key) {
        return switch (what) {
            case "tombstone" -> last.containsKey(List.of(what, txn, key));
            case "heals" -> eventsOf.getOrDefault(txn, List.of()).stream().filter(i -> i >= first).findFirst()
                    .map(i -> events.get(i).get("action").equals("HealCommitCell")).orElse(false);
            case "conflict" -> isConflictAfter(first, txn);
            default -> last.getOrDefault(List.of(what, txn, key), -1) >= first;
        };
    }

    private boolean isConflictAfter(int first, long txn) {
        Set<Object> keys = keysOf.getOrDefault(txn, Set.of());
        for (int i : eventsOf.getOrDefault("conflicts", List.of())) {
            Object refused = events.get(i).get("txn");
            if (i >= first && !refused.equals(txn) && eventsOf.get(refused).get(0) < first
                    && keysOf.getOrDefault(refused, Set.of()).stream().anyMatch(keys::contains)) {
                return true;
            }
        }
        return false;
    }

    /** Why an event that does not fit is one that the spec does not speak about; null if it is not. */
    @Override
    String unsupported(int event) {
        Map<String, Object> e = events.get(event);
        if (FENCED.equals(e.get("answer"))) {
            return "was refused for a fence, of which the spec does not speak";
        }
        Object writer = e.get(e.get("action").equals("Write") ? "txn" : "met");
        return SHOW.contains((String) e.get("action")) && e.get("gone").equals(false) && wasTakenAway(event, e.get("key"), writer)
                ? "is about a record that was removed; the spec knows two copies of a put, and the second of them only in time" : null;
    }

    private boolean wasTakenAway(int before, Object key, Object writer) {
        return faulty && events.stream().limit(before).anyMatch(e -> e.get("key").equals(key) && TAKE_AWAY.contains((String) e.get("action"))
                && e.get(e.get("action").equals("CleanUp") ? "txn" : "met").equals(writer));
    }

    /** Notes what events tell, and marks writes whose record shows up again after it was removed: another copy of the put came later. */
    @Override
    void lookAhead(RecordedTrace trace) {
        events = trace.events();
        faulty = !Boolean.FALSE.equals(trace.header().get("faults"));
        succeeded = trace.header().get("managers") instanceof Long managers && managers > 1;
        others = faulty || succeeded || !(trace.header().get("collectors") instanceof Long collectors && collectors <= 1);
        events.forEach(this::complete);
        for (int i = 0; i < events.size(); i++) {
            Map<String, Object> e = events.get(i);
            String action = (String) e.get("action");
            Object txn = e.get("txn");
            Object met = e.get("met");
            Object key = e.get("key");
            e.put("again", action.equals("Write") && showsUpAgain(i, key, txn));
            last.put(List.of(action, txn, key), i);
            last.put(List.of("any", txn, ""), i);
            eventsOf.computeIfAbsent(txn, t -> new ArrayList<>()).add(i);
            if (action.equals("RequestCommit")) {
                given.put(txn, e.get("answer"));
            }
            e.put("given", given.getOrDefault(txn, 0L));
            if (action.equals("RaiseWatermark")) {
                e.put("raised", raised);
                raised = Math.max(raised, (Long) e.get("watermark"));
            }
            if (action.equals("RequestCommit") && e.get("answer").equals(CONFLICT)) {
                eventsOf.computeIfAbsent("conflicts", t -> new ArrayList<>()).add(i);
            }
            if (e.get("gone").equals(false)) {
                last.put(List.of("met", met, key), i);
            }
            boolean writes = action.equals("Write") || action.equals("BufferWrite");
            if (writes || e.get("gone").equals(false) && !key.equals("")) {
                keysOf.computeIfAbsent(writes ? txn : met, t -> new TreeSet<>()).add(key);
            }
            if (action.equals("CollectTombstone") || Boolean.TRUE.equals(e.get("delete"))) {
                last.put(List.of("tombstone", writes ? txn : met, key), i);
            }
            lookAheadToEntries(i, e, action.equals("WriteCommitEntry") ? txn : met);
        }
        if (trace.account() >= 0) {
            begun().stream().filter(t -> isAccountedFor(t) && !last.containsKey(List.of("account", t))).findFirst()
                    .ifPresent(t -> trace.hasFlaw("The account of how the run ended leaves out transaction " + t + "."));
        }
    }

    /** Whether an account, where there is one, speaks of the transaction. */
    boolean isAccountedFor(long txn) {
        return true;
    }

    private void complete(Map<String, Object> event) {
        event.putIfAbsent("txn", 0L);
        event.putIfAbsent("met", 0L);
        event.putIfAbsent("key", "");
        event.putIfAbsent("lost", false);
        event.putIfAbsent("gone", event.get("action").equals("Read")); // which tells of a reader, and of no record of his
        event.put("faulty", faulty);
        event.put("succeeded", succeeded);
        event.put("others", others);
    }

    private void lookAheadToEntries(int i, Map<String, Object> e, Object writer) {
        String action = (String) e.get("action");
        Object entry = e.get(e.containsKey("previous") ? "previous" : "entry");
        if (INVALIDATED.equals(entry)) {
            last.put(List.of("marker", writer, ""), i);
        }
        if (entry instanceof Long ts && ts > 0 || !action.equals("WriteCommitEntry") && e.get("commit") instanceof Long cell && cell > 0
                || "committed".equals(e.get("told"))) {
            last.put(List.of("commit", writer, ""), i);
        }
        if (action.equals("CollectEntry")) {
            last.put(List.of("collected", writer, ""), i);
        }
        if (action.equals("Transaction")) {
            last.put(List.of("account", writer), i);
        }
    }

    private boolean showsUpAgain(int from, Object key, Object writer) {
        boolean removed = false;
        for (Map<String, Object> e : events.subList(from + 1, events.size())) {
            boolean about = e.get("key").equals(key)
                    && (e.get("met").equals(writer) || e.get("action").equals("CleanUp") && e.get("txn").equals(writer));
            boolean takenAway = TAKE_AWAY.contains((String) e.get("action"));
            if (about && removed && !takenAway && e.get("gone").equals(false)) {
                return true;
            }
            removed |= about && takenAway;
        }
        return false;
    }
}
