package org.fencepost.audit.traces;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Traces of pH1. Servers log what they do where they do it, in the order of the spec, and so do instances. Several transactions may have one snapshot,
 * so each gets a number here, which also tells its session and its instance: {@code 1000 * (instances * session + instance - 1) + n}, for the
 * n-th of its session. Events tell it by their instance, which has one user, or by the commit timestamp; a request that arrives when its
 * instance has died, by which of the instance's lives it comes from. The sessions are told by the account: one line for each begin, in that order.
 */
final class PH1Format extends TraceFormat {
    private static final Map<String, String> FIELDS = Map.ofEntries(
            Map.entry("Begin", "snapshot instance"),
            Map.entry("Write", "snapshot key delete instance"),
            Map.entry("ReadOwnWrite", "snapshot key gone instance"),
            Map.entry("GetCell", "snapshot key from instance"),
            Map.entry("GetVersion", "snapshot key from instance"),
            Map.entry("EndReadOnly", "snapshot instance"),
            Map.entry("Rollback", "snapshot instance"),
            Map.entry("RequestCommit", "snapshot answer life instance"),
            Map.entry("Record", "commit commits"),
            Map.entry("AppendRecord", "commit commits instance"),
            Map.entry("AppendAbort", "commit commits instance"),
            Map.entry("SaveArrives", "commit key from member instance"),
            Map.entry("Save", "commit key instance"),
            Map.entry("PutArrives", "commit key"),
            Map.entry("Put", "commit key instance"),
            Map.entry("FindPut", "commit key instance"),
            Map.entry("Redo", "commit instance"),
            Map.entry("Complete", "commit"),
            Map.entry("Release", "commit"),
            Map.entry("Answer", "commit instance"),
            Map.entry("Evict", "below instance"),
            Map.entry("CollectTombstone", "commit key"),
            Map.entry("Crash", "instance"),
            Map.entry("CutOff", "instance"),
            Map.entry("Join", "instance"));
    private static final Map<String, String> ACCOUNT = Map.of("Transaction", "instance session told reads writes looks", "Read", "number key from", "Written", "number key delete", "Cell", "key commit");
    /** What the spec calls it when a message arrives, and when all that was to be saved is. */
    private static final Map<String, String> NAMES = Map.of("Record", "AppendRecord", "SaveArrives", "Save", "PutArrives", "LatePut", "Save", "DelayPut", "Join", "Merge");
    private static final List<String> ALTERNATIVES = List.of("Begin(t)", "EndReadOnly(t)", "GetCell(t, k)", "GetVersion(t)", "ReadOwnWrite(t, k)", "RequestCommit(t)",
            "AppendRecord(t)", "AppendAbort(t)", "LateRequest(t)", "LateRecord(t)", "DelayPut(t, k)", "LatePut(t, k)", "FindPut(t, k)", "Complete(t)", "Release(t)", "Answer(t)");
    private static final long SESSION = 1000;
    /** The model checker goes through the sets of them. */
    private static final long MOST_INSTANCES = 9;
    private static final Long NONE = 0L;

    private List<Map<String, Object>> events;
    private long instances;

    PH1Format() {
        super("PH1", List.of("protocol/src/main/java/org/fencepost/protocol/ph1"), ACCOUNT);
    }

    @Override
    Map<String, String> fields() {
        return FIELDS;
    }

    @Override
    List<String> constants() {
        return List.of("instances");
    }

    @Override
    String read(Map<String, Object> header) {
        instances = header.get("instances") instanceof Long told ? told : 0;
        return instances >= 1 && instances <= MOST_INSTANCES ? null
                : "The header of a trace of PH1 tells the number of instances, 1 to " + MOST_INSTANCES + ", and this one does not.";
    }

    @Override
    void lookAhead(RecordedTrace trace) {
        events = trace.events();
        List<Long> numbers = numbers(trace);
        Map<Object, Long> last = new HashMap<>();
        Map<List<Object>, Long> lives = new HashMap<>();
        Map<Object, Long> deaths = new HashMap<>();
        Map<Object, Long> byCommit = new HashMap<>();
        Map<Long, Long> looked = new HashMap<>();
        int begun = 0;
        int told = 0;
        for (Map<String, Object> e : events) {
            Object instance = e.get("instance");
            Long txn = switch ((String) e.get("action")) {
                case "Begin" -> {
                    Long begins = begun < numbers.size() ? numbers.get(begun) : NONE;
                    begun++;
                    last.put(instance, begins);
                    lives.put(List.of(instance, deaths.getOrDefault(instance, 0L)), begins);
                    yield begins;
                }
                case "RequestCommit" -> {
                    Long asks = lives.getOrDefault(List.of(instance, e.get("life")), NONE);
                    if (e.get("answer") instanceof Long commit && commit > 0) {
                        byCommit.put(commit, asks);
                    }
                    yield asks;
                }
                case "Crash" -> {
                    deaths.merge(instance, 1L, Long::sum);
                    yield NONE;
                }
                case "Transaction" -> told < numbers.size() ? numbers.get(told++) : NONE;
                case "Read", "Written" -> {
                    int at = e.get("number") instanceof Long n && n >= 0 && n < numbers.size() ? n.intValue() : -1;
                    yield at < 0 ? NONE : numbers.get(at);
                }
                case "Evict", "CutOff", "Join", "Cell" -> NONE;
                default -> e.containsKey("commit") ? byCommit.getOrDefault(e.get("commit"), NONE) : last.getOrDefault(instance, NONE);
            };
            e.put("txn", txn);
            if (e.get("action").equals("GetCell") || e.get("action").equals("ReadOwnWrite")) {
                looked.merge(txn, 1L, Long::sum);
            }
            e.put("looked", looked.getOrDefault(txn, 0L));
            e.put("faults", !Boolean.FALSE.equals(trace.header().get("faults")));
            e.putIfAbsent("key", "");
        }
        if (trace.account() < 0) {
            trace.hasFlaw("The trace has no account of how the run ended, which tells the sessions.");
            events.clear();
        } else if (begun != numbers.size()) {
            trace.hasFlaw("The account tells of " + numbers.size() + " transactions, and " + begun + " have begun.");
        }
    }

    /** Of transactions, in the order of their begins. */
    private List<Long> numbers(RecordedTrace trace) {
        List<Long> numbers = new ArrayList<>();
        Map<Long, Long> inSession = new HashMap<>();
        for (Map<String, Object> e : events) {
            if (e.get("action").equals("Transaction")) {
                long session = instances * (Long) e.get("session") + (Long) e.get("instance") - 1;
                long n = inSession.merge(session, 1L, Long::sum);
                if (session < 0 || session > RecordedTrace.LARGEST / SESSION || n >= SESSION) {
                    trace.isUnsupported(line(e) + "there are too many transactions or sessions.");
                    return List.of();
                }
                numbers.add(SESSION * session + n);
            }
        }
        return numbers;
    }

    private static String line(Map<String, Object> event) {
        return "Line " + ((Long) event.get("line") + 1) + ": ";
    }

    @Override
    Stream<?> names(String kind) {
        return events.stream().map(e -> e.get(kind)).filter(name -> !name.equals("") && !name.equals(NONE));
    }

    @Override
    String action(String event) {
        return NAMES.getOrDefault(event, event);
    }

    @Override
    List<String> alternatives(Map<String, Object> event) {
        return ALTERNATIVES;
    }
}
