package org.fencepost.audit.traces;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Traces of Mediator. Servers log what they do where they do it, in the order of the spec, but for an eviction that makes room for an entry: it
 * is logged before that, and takes place when the oracle has admitted it. Requests that tell the commit timestamp get their transaction here,
 * and reads of the latest version their reader, whose client logs what it was answered.
 */
final class MediatorFormat extends TraceFormat {
    private static final Map<String, String> FIELDS = Map.ofEntries(
            Map.entry("Begin", "txn"),
            Map.entry("FenceRead", "txn key"),
            Map.entry("Get", "key from client"),
            Map.entry("NativeGet", "key from client"),
            Map.entry("TxGet", "txn key from client"),
            Map.entry("TxPut", "txn key"),
            Map.entry("GiveUp", "txn"),
            Map.entry("TxTryCommit", "txn answer"),
            Map.entry("FenceCommit", "commit key"),
            Map.entry("TxCheckConflict", "commit key last"),
            Map.entry("TsoAbort", "commit"),
            Map.entry("EndReadOnly", "txn"),
            Map.entry("Record", "commit commits"),
            Map.entry("AppendLog", "txn commits"),
            Map.entry("WriteBack", "commit key client"),
            Map.entry("TxCommit", "txn"),
            Map.entry("PutFence", "txn key"),
            Map.entry("LocalCommit", "txn key ts"),
            Map.entry("NativePut", "key ts"),
            Map.entry("StorePut", "key ts"),
            Map.entry("GiveTime", "ts server"),
            Map.entry("SyncServer", "clock server"),
            Map.entry("CrashServer", "server"),
            Map.entry("CrashTso", "clock"),
            Map.entry("CloseLog", "records replayed"),
            Map.entry("OpenTso", "epoch"),
            Map.entry("Evict", "commit room"),
            Map.entry("SettleEntry", "commit committed"));
    private static final Map<String, String> ACCOUNT = Map.of("Version", "key ts", "Transaction", "txn committed reads");
    private static final List<String> ALTERNATIVES = List.of("Begin(t)", "FenceRead(t, k)", "TxGet(t, k)", "GiveUp(t)", "TxTryCommit(t)",
            "FenceCommit(t, k)", "TxCheckConflict(t, k)", "TsoAbort(t)", "EndReadOnly(t)", "AppendLog(t)", "WriteBack(t, k)", "TxCommit(t)",
            "LocalCommit(t, k)", "StorePut(t, k)", "HelperAbort(t)", "SettleEntry(t)", "Replay(t, k)", "Evict(t)");
    /** Beyond all timestamps. */
    private static final long NAMELESS = 1L << 29;
    private static final Long NONE = 0L;
    /** With a key behind it, a field of the header. */
    private static final String HOST = "host ";

    private List<Map<String, Object>> events;
    private long delta;
    private int named;
    /** The server of each key. */
    private Map<String, Object> hosts = Map.of();
    private boolean faults;

    MediatorFormat() {
        super("Mediator", List.of("protocol/src/main/java/org/fencepost/protocol/mediator", "tm/src/main/java/org/fencepost/tm/mediator"), ACCOUNT);
    }

    @Override
    Map<String, String> fields() {
        return FIELDS;
    }

    @Override
    List<String> constants() {
        return Stream.concat(Stream.of("delta", "serializable"), hosts.keySet().stream().map(key -> HOST + key)).toList();
    }

    @Override
    String read(Map<String, Object> header) {
        hosts = ofKeys(header, HOST);
        header.put("hosts", hosts);
        faults = !Boolean.FALSE.equals(header.get("faults"));
        return header.get("delta") instanceof Long span && span > 1 && header.get("ring") instanceof Long && !hosts.isEmpty() ? null
                : "The header of a trace of Mediator tells delta, 2 or more, ring, and the server of each key, and this one does not.";
    }

    @Override
    void lookAhead(RecordedTrace trace) {
        events = trace.events();
        delta = trace.header().get("delta") instanceof Long span ? span : 1;
        boolean serializable = Long.valueOf(1).equals(trace.header().get("serializable"));
        Map<Object, Long> byCommit = new HashMap<>();
        Map<String, Long> stamped = new HashMap<>();
        Map<Object, Long> versions = new HashMap<>();
        Map<String, Map<String, Object>> got = new HashMap<>();
        Map<String, Object> writers = new HashMap<>();
        Set<String> looks = new HashSet<>();
        long records = 0;
        for (Map<String, Object> e : events) {
            String action = (String) e.get("action");
            e.put("op", NONE);
            e.put("faults", faults);
            if (e.get("txn") instanceof Long txn && txn % delta != 0) {
                trace.hasFlaw("Line " + ((Long) e.get("line") + 1) + ": no transaction begins at " + txn + ", which is no multiple of " + delta
                        + ".");
            }
            if (e.containsKey("commit")) {
                e.put("txn", byCommit.computeIfAbsent(e.get("commit"), c -> nameless()));
            }
            switch (action) {
                case "TxTryCommit" -> {
                    byCommit.put(e.get("answer"), (Long) e.get("txn"));
                    e.put("ring", trace.header().get("ring"));
                    e.put("collisions", Boolean.TRUE.equals(trace.header().get("collisions")));
                }
                case "Evict" -> e.put("ring", trace.header().get("ring"));
                case "LocalCommit" -> stamped.put(e.get("key") + " " + e.get("ts"), (Long) e.get("txn"));
                case "NativePut" -> {
                    e.put("op", stamped.containsValue(e.get("ts")) ? nameless() : name((Long) e.get("ts")));
                    stamped.put(e.get("key") + " " + e.get("ts"), (Long) e.get("op"));
                }
                case "StorePut" -> e.put("op", stamped.getOrDefault(e.get("key") + " " + e.get("ts"), NONE));
                case "Get" -> got.put(e.get("client") + " " + e.get("key"), e);
                case "NativeGet" -> hasRead(got.remove(e.get("client") + " " + e.get("key")), nameless(), e);
                case "FenceRead" -> looks.add(e.get("txn") + " " + e.get("key"));
                case "TxGet" -> {
                    e.put("fenced", looks.remove(e.get("txn") + " " + e.get("key")));
                    hasRead(serializable ? got.remove(e.get("client") + " " + e.get("key")) : null, (Long) e.get("txn"), e);
                }
                case "WriteBack" -> {
                    Object first = writers.putIfAbsent(e.get("commit") + " " + e.get("key"), e.get("client"));
                    e.put("again", first != null && (faults || !first.equals(e.get("client"))));
                }
                case "Record" -> records++;
                case "CloseLog" -> e.put("logged", records);
                case "Version" -> versions.merge(e.get("key"), 1L, Long::sum);
                default -> {}
            }
            e.putIfAbsent("txn", NONE);
            e.putIfAbsent("key", "");
            if (!e.get("key").equals("") && !hosts.containsKey(e.get("key"))) {
                trace.hasFlaw("Line " + ((Long) e.get("line") + 1) + ": the header does not tell the server of " + e.get("key") + ".");
            }
        }
        events.stream().filter(e -> e.get("action").equals("Version")).forEach(e -> e.put("versions", versions.get(e.get("key"))));
        for (int i = 1; i < events.size(); i++) {
            if (Boolean.TRUE.equals(events.get(i - 1).get("room")) && events.get(i).get("action").equals("TxTryCommit")) {
                events.add(i - 1, events.remove(i));
            }
        }
    }

    /** By the stamp, if that is one: no transaction can have it, whatever the trace says. */
    private long name(long ts) {
        return ts > 0 && ts % delta != 0 ? ts : nameless();
    }

    private long nameless() {
        return NAMELESS + ++named;
    }

    /** @param get null if there is none */
    private static void hasRead(Map<String, Object> get, Long reader, Map<String, Object> answer) {
        if (get != null) {
            get.put("op", reader);
            answer.put("op", reader);
        }
    }

    @Override
    Stream<?> names(String kind) {
        return switch (kind) {
            case "key" -> events.stream().map(e -> e.get("key")).filter(key -> !key.equals(""));
            case "server" -> hosts.values().stream();
            case "txn" -> events.stream().map(e -> e.get("txn")).filter(txn -> !txn.equals(NONE));
            default -> events.stream().filter(e -> e.get("action").equals("NativePut") || e.get("action").equals("NativeGet")).map(e -> e.get("op"))
                    .filter(op -> !op.equals(NONE));
        };
    }

    /** What a server does for a client, or for a part of an action, stands in the trace by itself. */
    @Override
    String action(String event) {
        return switch (event) {
            case "Get" -> "TxGet";
            case "PutFence" -> "LocalCommit";
            case "Record" -> "AppendLog";
            case "GiveTime" -> "SyncServer";
            default -> event;
        };
    }

    @Override
    List<String> alternatives(Map<String, Object> event) {
        return ALTERNATIVES;
    }
}
