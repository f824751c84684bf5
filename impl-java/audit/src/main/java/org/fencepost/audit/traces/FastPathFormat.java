package org.fencepost.audit.traces;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Traces of FastPath: those of OmidLL, with what the fast path adds. A fast-path transaction has the version that it drew for its name, or if
 * it drew none, a number from its line. One that reads and writes consists of what its client does next to each other, unless the write arrives late:
 * then it belongs to somebody who was not answered.
 */
class FastPathFormat extends OmidLLFormat {
    private static final Map<String, String> ADDED = Map.ofEntries(
            Map.entry("RefusePut", "txn"),
            Map.entry("BumpClock", "txn key"),
            Map.entry("AwaitFastWrites", "txn"),
            Map.entry("Brc", "client key from last"),
            Map.entry("Br", "client key from last"),
            Map.entry("PutVersion", "client key version delete expected"),
            Map.entry("RefuseVersion", "client key expected cause"),
            Map.entry("StoreVersion", "client version"),
            Map.entry("Bwc", "client key version"),
            Map.entry("Wc", "client key version"),
            Map.entry("LoseFastAnswer", "client key"),
            Map.entry("BootstrapClock", "client key clock"),
            Map.entry("LatePut", "key met delete"),
            Map.entry("LateCommitCell", "key met commit"),
            Map.entry("LateRemoval", "key met"),
            Map.entry("LiftClock", "server clock"),
            Map.entry("OpenRegion", "key server"),
            Map.entry("CrashServer", "server"));
    /** Regular actions with conditions of the fast path. */
    private static final Set<String> CHANGED = Set.of("Begin", "RequestCommit", "RaiseWatermark", "Evict", "Write", "GetRecord", "Rollback",
            "PostCommit", "HealCommitCell", "HealLeftover", "CollectVersion", "CollectTombstone");
    private static final Map<String, String> ALL_FIELDS = new HashMap<>(FIELDS);

    private static final Map<String, String> WHOLE_ACCOUNT = new HashMap<>(ACCOUNT);

    static {
        ALL_FIELDS.putAll(ADDED);
        WHOLE_ACCOUNT.put("Fast", "reads refused");
    }

    /** Beyond all versions. */
    private static final long NAMELESS = 1L << 29;
    private static final long ANY = -1;

    /** The client of what arrives when nobody waits for it any more. */
    private static final String NETWORK = "network";

    private static final String ROW = "row ";
    private static final String REGION = "region ";

    private List<Map<String, Object>> events;
    private long span;
    /** The row of each key, if the header tells. */
    private Map<String, Object> rows = Map.of();
    /** The region of each key. */
    private Map<String, Object> regions = Map.of();

    FastPathFormat() {
        this("FastPath");
    }

    FastPathFormat(String protocol) {
        super(protocol, List.of("protocol/src/main/java", "simulation/src/main/java"), WHOLE_ACCOUNT);
    }

    @Override
    List<String> constants() {
        return Stream.concat(Stream.of("span"), rows.keySet().stream().flatMap(key -> Stream.of(ROW + key, REGION + key))).toList();
    }

    /** Tells of each key its row, and of each of these its region, or of none. */
    @Override
    String read(Map<String, Object> header) {
        rows = ofKeys(header, ROW);
        regions = ofKeys(header, REGION);
        header.put("rows", rows);
        header.put("regions", regions);
        if (!rows.keySet().equals(regions.keySet())) {
            return "The header tells the rows of " + rows.keySet() + " and the regions of " + regions.keySet() + ".";
        }
        Map<Object, Object> regionsOfRows = new HashMap<>();
        return rows.keySet().stream().filter(key -> !regionsOfRows.computeIfAbsent(rows.get(key), row -> regions.get(key)).equals(regions.get(key))).findFirst()
                .map(key -> "By the header, row " + rows.get(key) + " is in more than one region.").orElse(null);
    }

    @Override
    String cannotBe(Map<String, Object> header) {
        return !Boolean.FALSE.equals(header.get("faults")) && !header.containsKey("servers")
                ? "The trace may have faults, and comes from clients: of the fast path, region servers must tell what they carried out." : null;
    }

    @Override
    Map<String, String> modules() {
        Map<String, String> modules = new LinkedHashMap<>();
        modules.put("OmidLL.tla", "T!");
        modules.put("traces/OmidLLTrace.tla", "T!");
        modules.put("FastPath.tla", "");
        modules.put("traces/FastPathTrace.tla", "");
        return modules;
    }

    @Override
    Map<String, String> fields() {
        return ALL_FIELDS;
    }

    @Override
    String operator(Map<String, Object> event) {
        boolean own = event.get("action").equals("Fast") || ADDED.containsKey(event.get("action")) || CHANGED.contains(event.get("action"));
        return (own ? "" : "T!") + super.operator(event);
    }

    @Override
    List<String> alternatives(Map<String, Object> event) {
        return event.get("fast").equals(0L) ? super.alternatives(event)
                : List.of("Brc(f, k)", "Br(f, k)", "Bwc(f, k, \"value\")", "Wc(f, \"value\")", "StoreVersion(f)", "BootstrapClock(k)");
    }

    @Override
    Map<String, String> ranges(Map<String, Object> event) {
        return event.get("fast").equals(0L) ? super.ranges(event) : Map.of("f", "{e.fast} \\cap Fast", "k", "{e.key} \\cap Key");
    }

    @Override
    String whose(Map<String, Object> event) {
        return event.get("fast").equals(0L) ? super.whose(event) : "for that fast-path transaction";
    }

    @Override
    Stream<?> names(String kind) {
        Stream<?> fast = events.stream().map(e -> e.get("fast")).filter(f -> !f.equals(0L)).distinct();
        return kind.equals("server") ? servers() : kind.equals("fast") ? fast : kind.equals("txn") ? Stream.concat(super.names(kind), fast) : super.names(kind);
    }

    /** One where none is told: traces of a single server used not to name it. */
    private Stream<?> servers() {
        List<Object> told = events.stream().map(e -> e.get("server")).filter(Objects::nonNull).distinct().toList();
        return (told.isEmpty() ? List.of(0L) : told).stream();
    }

    @Override
    void lookAhead(RecordedTrace trace) {
        events = trace.events();
        span = Math.max(1, (Long) trace.header().getOrDefault("span", 1L));
        nameVersions();
        super.lookAhead(trace);
        if (!rows.isEmpty()) {
            keys().stream().filter(key -> !rows.containsKey(key)).findFirst()
                    .ifPresent(key -> trace.hasFlaw("The header does not tell in which row key " + key + " is."));
        }
        requireFirstKeys(trace, rows, Set.of("BumpClock"));
        requireFirstKeys(trace, regions, Set.of("BootstrapClock", "OpenRegion"));
        if (trace.header().get("servers") instanceof Long servers && servers > 1 && events.stream().noneMatch(e -> e.get("action").equals("OpenRegion"))) {
            trace.isUnsupported("The trace has " + servers + " region servers, and does not tell which of them has the region.");
        }
        nameFastWrites();
        lookAheadToCopies();
    }

    /** Which puts, and which removals of a version, a copy of the put comes after. */
    private void lookAheadToCopies() {
        Set<Object> late = new HashSet<>();
        for (int i = events.size() - 1; i >= 0; i--) {
            Map<String, Object> e = events.get(i);
            switch ((String) e.get("action")) {
                case "LatePut" -> late.add(List.of(e.get("met"), e.get("key")));
                case "Write" -> e.put("again", e.get("lost").equals(false) && late.contains(List.of(e.get("txn"), e.get("key"))));
                case "CollectVersion", "LateRemoval" -> e.put("again", late.contains(List.of(e.get("met"), e.get("key"))));
                default -> {}
            }
        }
    }

    /**
     * Who reads and writes with the version that it read is one. A write that arrives late is one that was lost to its client, and each of these comes
     * once. Which of several that have read the same, makes no difference: if the write of the wrong one never arrives, that is the same.
     */
    private void nameFastWrites() {
        Map<Object, Map<String, Object>> reading = new HashMap<>();
        Set<Object> accepted = new HashSet<>();
        List<Map<String, Object>> lost = new ArrayList<>();
        for (Map<String, Object> e : events) {
            String action = (String) e.get("action");
            Object client = e.get("client");
            boolean late = NETWORK.equals(client);
            e.put("late", late);
            boolean wc = (action.equals("PutVersion") || action.equals("RefuseVersion")) && isWc(e);
            Map<String, Object> sent = late && action.equals("PutVersion") ? take(lost, e) : null;
            Map<String, Object> read = !wc ? null : late ? sent : reading.remove(client);
            e.put("fast", switch (action) {
                case "Brc", "Br" -> NAMELESS + (Long) e.get("line");
                case "PutVersion", "StoreVersion", "Bwc", "Wc" -> e.get("name");
                case "RefuseVersion" -> read != null ? read.get("fast") : NAMELESS + (Long) e.get("line");
                default -> 0L;
            });
            switch (action) {
                case "Br" -> reading.put(client, e);
                case "PutVersion" -> {
                    e.put("sent", sent != null);
                    accepted.add(client);
                    if (read != null) {
                        read.put("fast", e.get("name"));
                    }
                }
                case "Bwc", "Wc" -> accepted.remove(client);
                case "LoseFastAnswer" -> {
                    e.put("last", ANY);
                    if (!accepted.remove(client)) {
                        Map<String, Object> before = reading.remove(client);
                        lost.add(before == null ? e : before);
                    }
                }
                default -> {}
            }
        }
    }

    /** Takes out what was lost of this write: what its client has read, or if that has not read, that it has lost the answer. Null if nothing fits. */
    private static Map<String, Object> take(List<Map<String, Object>> lost, Map<String, Object> write) {
        Map<String, Object> found = lost.stream().filter(e -> e.get("key").equals(write.get("key")) && e.get("last").equals(write.get("expected")))
                .findFirst().orElse(null);
        lost.remove(found);
        return found;
    }

    /** Rows and regions go by the first of their keys. */
    private void requireFirstKeys(RecordedTrace trace, Map<String, Object> places, Set<String> actions) {
        Map<Object, String> first = new HashMap<>();
        keys().forEach(key -> first.putIfAbsent(places.getOrDefault(key, 0L), key));
        events.stream().filter(e -> actions.contains(e.get("action")) && !e.get("key").equals(first.get(places.getOrDefault(e.get("key"), 0L)))).findFirst()
                .ifPresent(e -> trace.hasFlaw("Line " + ((Long) e.get("line") + 1) + ": a row or region goes by its first key, and " + e.get("key") + " is not."));
    }

    /** Where two servers have drawn one version, the second of its writes has another name than that, wherever the trace tells of it. */
    private void nameVersions() {
        Set<Long> taken = new HashSet<>();
        Map<Object, Map<String, Object>> drawn = new HashMap<>();
        Map<List<Object>, Object> names = new HashMap<>();
        for (Map<String, Object> e : events) {
            Map<String, Object> last = drawn.get(e.get("client"));
            switch ((String) e.get("action")) {
                case "PutVersion" -> {
                    Long name = name(e);
                    e.put("name", taken.add(name) ? name : (Long) (NAMELESS + (Long) e.get("line")));
                    names.put(List.of(e.get("key"), e.get("version")), e.get("name"));
                    drawn.put(e.get("client"), e);
                }
                case "StoreVersion", "Bwc", "Wc" -> e.put("name", last != null && last.get("version").equals(e.get("version")) ? last.get("name") : name(e));
                default -> {
                    for (String field : List.of("met", "from")) {
                        if (e.containsKey("key") && e.containsKey(field) && !e.containsKey("client")) {
                            e.put(field, names.getOrDefault(List.of(e.get("key"), e.get(field)), e.get(field)));
                        }
                    }
                }
            }
        }
    }

    /** No transaction of another kind can have it, whatever the trace says. */
    private Long name(Map<String, Object> e) {
        long version = (Long) e.get("version");
        return version > 0 && version % span != 0 ? (Long) version : (Long) (NAMELESS + (Long) e.get("line"));
    }

    private static boolean isWc(Map<String, Object> e) {
        return !e.get("expected").equals(ANY);
    }
}
