package org.fencepost.audit.traces;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Traces of TMFailover. A process logs what it read from ZooKeeper when the answer has come, and a request when it is answered; here both are
 * put where they took place. Timestamps are numbered without the leaps in between, so that an epoch has as many as the spec's.
 */
final class TMFailoverFormat extends TraceFormat {
    private static final String STEP = "tm clock at ";
    private static final Map<String, String> FIELDS = Map.ofEntries(
            Map.entry("ObserveLease", STEP + "version"),
            Map.entry("AcquireLease", STEP + "version"),
            Map.entry("RenewLease", STEP + "version"),
            Map.entry("HoldLease", STEP + "version"),
            Map.entry("TakeOver", STEP + "epoch"),
            Map.entry("TakeOverAgain", STEP + "epoch"),
            Map.entry("ExtendEpoch", STEP + "limit"),
            Map.entry("HoldEpoch", STEP + "limit"),
            Map.entry("FindEpoch", STEP + "limit"),
            Map.entry("Halt", STEP + "epoch"),
            Map.entry("Begin", STEP + "txn"),
            Map.entry("RequestCommit", STEP + "txn answer keys"),
            Map.entry("WriteLease", "tm at version"),
            Map.entry("SwapMaxTs", "tm at limit"));
    private static final Map<String, String> ACCOUNT = Map.of("Received", "txn commit");
    private static final List<String> ALTERNATIVES = List.of("ObserveLease(i)", "AcquireLease(i)", "RenewLease(i)", "WriteLease(i)", "HoldLease(i)",
            "TakeOver(i)", "TakeOverAgain(i)", "ExtendEpoch(i)", "SwapMaxTs(i)", "HoldEpoch(i)", "FindEpoch(i)", "Halt(i)", "Begin(i)",
            "RequestCommit(i)");
    /** For most traces, so that they can be checked together. */
    private static final long SAME_RANGE = 64;
    private static final Long NONE = -1L;

    private List<Map<String, Object>> events;
    private long leap;
    private long epochLength;
    private long drift;
    /** Unless the header says that ZooKeeper always answered. */
    private boolean lossy;
    /** By {@link ManagerTraces}: without the real time, and with some of the requests only. */
    private boolean merged;
    private long range;

    TMFailoverFormat() {
        super("TMFailover", List.of("tm/src/main/java"), ACCOUNT);
    }

    @Override
    Map<String, String> fields() {
        Map<String, String> fields = new HashMap<>(FIELDS);
        fields.replaceAll((action, names) -> merged ? withoutTime(names) : names);
        return fields;
    }

    /** Of an action's event in the trace of one process, which does not know the real time; null if there is no such action. */
    static Set<String> fieldsOfProcess(String action) {
        return FIELDS.containsKey(action) ? Set.of(("action " + withoutTime(FIELDS.get(action))).split(" ")) : null;
    }

    private static String withoutTime(String fields) {
        return fields.replace(" at ", " ");
    }

    /** Times are compared with times of the same process only. */
    @Override
    boolean isCounted(String field) {
        return !field.equals("clock") && !field.equals("at");
    }

    @Override
    String cannotBe(Map<String, Object> header) {
        return header.containsKey("process") ? "The trace is of one process: give the folder with those of all." : null;
    }

    /** Lease and patience in microseconds; range is how many timestamps an epoch holds at the most. */
    @Override
    List<String> constants() {
        return List.of("lease", "patience", "range");
    }

    @Override
    List<String> alternatives(Map<String, Object> event) {
        return ALTERNATIVES;
    }

    @Override
    Map<String, String> ranges(Map<String, Object> event) {
        return Map.of("i", "{e.tm} \\cap Tm");
    }

    @Override
    String whose(Map<String, Object> event) {
        return event.get("tm").equals("") ? "" : "for " + event.get("tm");
    }

    @Override
    Stream<?> names(String kind) {
        return switch (kind) {
            case "txn" -> events.stream().map(e -> e.get("txn")).filter(txn -> !txn.equals(0L));
            case "key" -> events.stream().flatMap(e -> ((Set<?>) e.get("keys")).stream());
            default -> events.stream().map(e -> e.get("tm")).filter(tm -> !tm.equals(""));
        };
    }

    @Override
    String read(Map<String, Object> header) {
        if (header.containsKey("process")) {
            return null;
        }
        for (String name : List.of("leap", "epoch", "drift")) {
            if (!(header.get(name) instanceof Long value && value >= (name.equals("drift") ? 0 : 1))) {
                return "The header of a trace of TMFailover tells " + name + ", and this one does not.";
            }
        }
        leap = (Long) header.get("leap");
        epochLength = (Long) header.get("epoch");
        drift = (Long) header.get("drift");
        lossy = !Boolean.FALSE.equals(header.get("lossy"));
        merged = Boolean.TRUE.equals(header.get("merged"));
        range = Math.max(SAME_RANGE, (epochLength + leap - 1) / leap);
        header.put("range", range);
        return null;
    }

    @Override
    void lookAhead(RecordedTrace trace) {
        events = trace.events();
        events.forEach(e -> e.putIfAbsent("tm", ""));
        for (int i = 1; i < events.size(); i++) {
            if (events.get(i).get("at") instanceof Long at && at < (Long) events.get(i - 1).get("at")) {
                trace.hasFlaw("Line " + (trace.number(i) + 2) + ": it is earlier than what stands before it.");
            }
        }
        for (int i = 0; i < events.size(); i++) {
            moveRead(i, events.get(i));
        }
        for (int i = 0; i < events.size(); i++) {
            if (isRequest(events.get(i)) && !events.get(i).containsKey("kind")) {
                receive(i++, events.get(i - 1));
            }
        }
        time(trace);
        events.forEach(this::complete);
    }

    /** Adds how much time has gone by since the same process's last event, and since its last step, instead of the time. */
    private static void time(RecordedTrace trace) {
        Map<Object, Map<String, Object>> lastEvent = new HashMap<>();
        Map<Object, Map<String, Object>> lastStep = new HashMap<>();
        for (int i = 0; i < trace.events().size(); i++) {
            Map<String, Object> e = trace.events().get(i);
            e.put("lapse", NONE);
            e.put("clockGoes", NONE);
            e.put("timeGoes", NONE);
            if (!e.containsKey("clock") || isRequest(e)) {
                continue; // of a request, its receipt tells when
            }
            e.put("lapse", since(lastEvent.put(e.get("tm"), e), e, "clock"));
            if ((Long) e.get("lapse") < 0) {
                trace.hasFlaw("Line " + (trace.number(i) + 2) + ": the clock of its process goes back.");
            }
            Map<String, Object> last = e.get("action").equals("Receive") ? null : lastStep.put(e.get("tm"), e);
            if (last != null && e.containsKey("at")) {
                e.put("clockGoes", since(last, e, "clock"));
                e.put("timeGoes", since(last, e, "at"));
            }
        }
    }

    /** Nobody asks for more than how much longer than a lease it is. */
    private static Long since(Map<String, Object> last, Map<String, Object> e, String time) {
        long since = last == null ? 0 : (Long) e.get(time) - (Long) last.get(time);
        return Math.max(-RecordedTrace.LARGEST, Math.min(since, RecordedTrace.LARGEST));
    }

    private static boolean isRequest(Map<String, Object> e) {
        return e.get("action").equals("Begin") || e.get("action").equals("RequestCommit");
    }

    /** What it read, or decided by what it had read, to before the first write that it has not seen, if it has logged nothing in between. */
    private void moveRead(int i, Map<String, Object> e) {
        Predicate<Map<String, Object>> unseen = switch ((String) e.get("action")) {
            case "ObserveLease", "AcquireLease" -> w -> w.get("action").equals("WriteLease") && (Long) w.get("version") > (Long) e.get("version");
            case "TakeOver", "TakeOverAgain" -> w -> w.get("action").equals("SwapMaxTs") && (Long) w.get("limit") > (Long) e.get("epoch");
            case "FindEpoch" -> w -> w.get("action").equals("SwapMaxTs") && (Long) w.get("limit") > (Long) e.get("limit");
            default -> w -> false;
        };
        int to = i;
        for (int at = i - 1; at >= 0 && !isStep(events.get(at), e); at--) {
            to = unseen.test(events.get(at)) ? at : to;
        }
        events.add(to, events.remove(i));
    }

    /** Of the same process. */
    private static boolean isStep(Map<String, Object> e, Map<String, Object> of) {
        return e.get("tm").equals(of.get("tm")) && e.containsKey("clock");
    }

    /** Its receipt, before whatever its process did later by its own clock. */
    private void receive(int i, Map<String, Object> request) {
        Map<String, Object> receipt = new LinkedHashMap<>(request);
        long received = (Long) request.get("clock");
        receipt.put("action", "Receive");
        receipt.put("kind", request.get("action").equals("Begin") ? "begin" : "commit");
        request.put("kind", receipt.get("kind"));
        int to = i;
        for (int at = i - 1; at >= 0; at--) {
            Map<String, Object> e = events.get(at);
            if (isStep(e, request)) {
                long clock = (Long) e.get("clock");
                if (isRequest(e) || clock < received || clock == received && !e.get("action").equals("Halt")) {
                    break;
                }
                to = at;
            }
        }
        events.add(to, receipt);
    }

    private void complete(Map<String, Object> e) {
        e.remove("clock");
        e.remove("at");
        e.put("drift", drift);
        e.put("lossy", lossy);
        e.put("sparse", merged);
        e.putIfAbsent("txn", 0L);
        e.putIfAbsent("kind", "");
        e.put("keys", e.get("keys") instanceof String keys ? keys(keys, e) : Set.of());
        for (String limit : List.of("limit", "epoch")) {
            if (e.containsKey(limit)) {
                e.put(limit, limit((Long) e.get(limit)));
            }
        }
        long ts = (Long) e.get(e.get("action").equals("RequestCommit") ? "answer" : "txn");
        e.put("ts", ts > 0 ? timestamp(ts) : NONE);
        e.put("before", ts > leap ? timestamp(ts - leap) : 0);
        if (e.get("action").equals("Received")) {
            long commit = (Long) e.get("commit");
            e.put("commitTs", commit > 0 ? timestamp(commit) : NONE);
        }
    }

    /** Omid 2PC names none, since it looks for conflicts elsewhere. Equivalent to a key that nobody else writes. */
    private static Set<String> keys(String keys, Map<String, Object> commit) {
        return keys.isEmpty() ? Set.of("of " + commit.get("txn")) : new TreeSet<>(List.of(keys.split(" ")));
    }

    /** The number of the end of an epoch; of no epoch if it is none. */
    private long limit(long end) {
        return end / epochLength * range + (end % epochLength == 0 ? 0 : 1);
    }

    /** The number of a timestamp: how many there are from the last end of an epoch on, after that. */
    private long timestamp(long ts) {
        long end = ts / epochLength * epochLength;
        long first = Math.max(1, (end + leap - 1) / leap);
        return ts % leap == 0 ? limit(end) + ts / leap - first + 1 : NONE;
    }
}
