package org.fencepost.audit.traces;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.fencepost.audit.text.Json;
import org.fencepost.audit.traces.ProcessTrace.Item;

/**
 * The traces of real transaction managers, merged into one that can be checked against TMFailover. Their clocks cannot be compared, and need not be:
 *
 * <ul>
 * <li>each process's steps stay in their order;
 * <li>the writes of an object in ZooKeeper stand in the order of its versions. A write is after its sending and before its answer, after whatever was
 * read of the last version, and before whatever was read of its own. Who wrote what never was answered, is told by who read it;
 * <li>a commit request is after the transaction's begin.
 * </ul>
 *
 * Any order that keeps to this will do: two steps that it leaves open have nothing to do with each other. If there is none, the traces are rejected.
 *
 * <p>A process's file ends where the process was killed, or where it was copied while it ran: then later steps of others may depend on what is not
 * told, and are left out. Of the many requests between two steps of a process that concern its lease or epoch, the first and the last begin and
 * commit are taken, since what the lease and the epoch allowed to all of them they allowed to these two; and all commit requests of transactions that
 * began under an earlier primary. Left out are refusals for conflicts, or for what the conflict table forgot, since with whom is not known then.
 */
public final class ManagerTraces {

    private final List<ProcessTrace> processes = new ArrayList<>();
    /** Of the lease and of maxTS: by version. */
    private final Map<String, Map<Long, Write>> writes = new TreeMap<>(Map.of(ProcessTrace.LEASE, new HashMap<>(), ProcessTrace.MAX_TS,
            new HashMap<>()));
    /** Those of each object that have been merged so far. */
    private final Map<String, Long> written = new HashMap<>(Map.of(ProcessTrace.LEASE, 0L, ProcessTrace.MAX_TS, 0L));
    private final Map<Object, Item> begins = new HashMap<>();
    private final Set<Item> done = new HashSet<>();
    private final List<Map<String, Object>> merged = new ArrayList<>();

    /** One that ZooKeeper executed. Its sending may have left no trace. */
    private static final class Write {
        private final String writer;
        private final Map<String, Object> event;
        private Item sending;
        /** Of the version before. */
        private final List<Item> reads = new ArrayList<>();

        Write(String writer, Map<String, Object> event) {
            this.writer = writer;
            this.event = event;
        }
    }

    /**
     * What came of a merge.
     *
     * @param file    the merged trace; null where there is none
     * @param left    how many steps of the processes were left out, because they depend on what no trace tells any more
     * @param problem null, or why the traces cannot be merged
     */
    record Merged(Path file, int left, TraceCheck.Outcome problem) {

        /** What the check of the merged trace says about those that it was made of. */
        TraceCheck.Outcome outcome(TraceCheck.Outcome checked) {
            return left == 0 ? checked : new TraceCheck.Outcome(checked.kind(), checked.event(), checked.message() + " The last " + left
                    + " steps are not checked: they depend on what another process did after the end of its trace.");
        }
    }

    private ManagerTraces() {}

    /** The files below a folder that processes have written. */
    public static List<Path> in(Path folder) throws IOException {
        try (Stream<Path> found = Files.walk(folder)) {
            return found.filter(f -> f.getFileName().toString().matches("tm-.*\\.ndjson")).sorted().toList();
        }
    }

    /**
     * Merges and checks them. Throws {@code AuditException} where a file cannot be read.
     *
     * @param specs  the folder of the specs
     * @param folder for the merged trace and TLC's log
     * @param tlc    another TLC's jar; null for the pinned one
     */
    public static TraceCheck.Outcome check(List<Path> files, Path specs, Path folder, Path tlc) throws IOException, InterruptedException {
        Merged merged = merge(files, folder);
        return merged.problem() != null ? merged.problem() : merged.outcome(TraceCheck.check(List.of(merged.file()), specs, folder, tlc).get(0));
    }

    static Merged merge(List<Path> files, Path folder) throws IOException {
        ManagerTraces traces = new ManagerTraces();
        TraceCheck.Outcome problem = traces.read(files);
        int left = 0;
        if (problem == null) {
            problem = traces.collectWrites();
        }
        if (problem == null) {
            traces.mergeAll();
            left = traces.processes.stream().mapToInt(p -> (int) p.items().stream().skip(p.next).filter(Item::isEvent).count()).sum();
            problem = traces.processes.stream().allMatch(ProcessTrace::isMerged) ? null : traces.whyLeft();
        }
        if (problem != null) {
            return new Merged(null, left, problem);
        }
        Path file = Files.createDirectories(folder).resolve("managers.ndjson");
        traces.write(file);
        return new Merged(file, left, null);
    }

    private TraceCheck.Outcome read(List<Path> files) throws IOException {
        for (Path file : files) {
            ProcessTrace process = new ProcessTrace(file);
            if (process.problem() != null) {
                return process.problem();
            }
            if (!process.settings().equals(processes.isEmpty() ? process.settings() : processes.get(0).settings())) {
                return unsupported("The transaction managers have different settings: " + process.settings() + " and " + processes.get(0).settings()
                        + ".");
            }
            processes.add(process);
        }
        if (processes.isEmpty()) {
            return unsupported("There is no trace of a transaction manager.");
        }
        Set<Long> untold = new HashSet<>();
        for (ProcessTrace process : processes) {
            process.begins(begins);
            untold.addAll(process.untold());
        }
        Set<Item> kept = new HashSet<>();
        processes.forEach(process -> kept.addAll(process.kept(begins, untold)));
        processes.forEach(process -> process.arrange(kept));
        return null;
    }

    static TraceCheck.Outcome unsupported(String sentence) {
        return new TraceCheck.Outcome(TraceCheck.Kind.UNSUPPORTED, -1, sentence);
    }

    static TraceCheck.Outcome rejected(String sentence) {
        return new TraceCheck.Outcome(TraceCheck.Kind.REJECTED, -1, sentence);
    }

    // ---- what was written

    private TraceCheck.Outcome collectWrites() {
        for (ProcessTrace process : processes) {
            for (Item record : process.items()) {
                if (record.isRecord() && record.version() > 0) {
                    Write told = writes.get(record.object()).computeIfAbsent(record.version(), v -> write(record));
                    if (!told.event.equals(write(record).event)) {
                        return rejected("Version " + record.version() + " of the " + record.object() + " is told in two ways: " + told.event + " and "
                                + write(record).event + ".");
                    }
                }
            }
        }
        for (ProcessTrace process : processes) {
            for (Item record : process.items()) {
                Write next = record.isRecord() && record.isRead() ? writes.get(record.object()).get(record.version() + 1) : null;
                if (next != null) {
                    next.reads.add(record);
                }
            }
            for (ProcessTrace.Sending sending : process.sendings()) {
                Write write = writes.get(sending.object()).get(sending.version());
                if (write != null && write.writer.equals(process.owner()) && (write.sending == null || sending.answered())) {
                    write.sending = sending.item();
                }
            }
        }
        return null;
    }

    private static Write write(Item record) {
        Map<String, Object> event = new TreeMap<>();
        boolean ofLease = record.object().equals(ProcessTrace.LEASE);
        event.put("action", ofLease ? "WriteLease" : "SwapMaxTs");
        event.put("tm", record.event().get("writer"));
        event.put(ofLease ? "version" : "limit", record.event().get(ofLease ? "version" : "limit"));
        return new Write((String) record.event().get("writer"), event);
    }

    // ---- the order

    private void mergeAll() {
        boolean goesOn = true;
        while (goesOn) {
            goesOn = false;
            for (ProcessTrace process : processes) {
                while (!process.isMerged() && isReady(process.items().get(process.next))) {
                    Item item = process.items().get(process.next++);
                    done.add(item);
                    if (item.isEvent()) {
                        merged.add(item.event());
                    }
                    writeWhatIsReady();
                    goesOn = true;
                }
            }
        }
    }

    private boolean isReady(Item item) {
        Item begin = item.isReceipt() && item.action().equals("RequestCommit") ? begins.get(item.event().get("txn")) : null;
        return (!item.isRecord() || item.version() <= written.get(item.object())) && (begin == null || done.contains(begin));
    }

    private void writeWhatIsReady() {
        writes.forEach((object, all) -> {
            Write next = all.get(written.get(object) + 1);
            while (next != null && next.sending != null && done.contains(next.sending) && done.containsAll(next.reads)) {
                merged.add(next.event);
                written.merge(object, 1L, Long::sum);
                next = all.get(written.get(object) + 1);
            }
        });
    }

    /** Null if a trace ends before what others go on with; otherwise they contradict each other. */
    private TraceCheck.Outcome whyLeft() {
        for (String object : writes.keySet()) {
            Write next = writes.get(object).get(written.get(object) + 1);
            if (next != null && next.sending == null) {
                ProcessTrace writer = processes.stream().filter(p -> p.owner().equals(next.writer)).findAny().orElse(null);
                if (writer == null) {
                    return unsupported("There is no trace of the transaction manager " + next.writer + ", who has written the " + object + ".");
                } else if (writer.isMerged()) {
                    return null;
                }
            }
        }
        ProcessTrace stuck = processes.stream().filter(p -> !p.isMerged()).findFirst().orElseThrow();
        return rejected("No order of the writes in ZooKeeper explains " + stuck.items().get(stuck.next).event() + " of " + stuck.owner() + ".");
    }

    // ---- the merged trace

    /** Where a system begins: what its first manager has found, who did not find nothing. The spec begins with 0. */
    private long origin() {
        return processes.stream().flatMap(p -> p.items().stream())
                .filter(item -> item.isRecord() && item.object().equals(ProcessTrace.MAX_TS) && item.version() == 0)
                .mapToLong(item -> item.number("limit")).findFirst().orElse(0);
    }

    /** Timestamps are replaced by their ranks within their epoch: the model checker counts less far, and they are only compared. */
    private void write(Path file) throws IOException {
        long origin = origin();
        Map<String, Object> settings = processes.get(0).settings();
        long epochLength = (Long) settings.get("epoch");
        Map<Long, TreeSet<Long>> timestamps = new TreeMap<>();
        merged.forEach(event -> timestamps(event)
                .forEach(name -> timestamps.computeIfAbsent(Math.max(0, (Long) event.get(name) - origin) / epochLength, epoch -> new TreeSet<>())
                        .add((Long) event.get(name))));
        long epoch = 2 + timestamps.values().stream().mapToInt(Set::size).max().orElse(0);
        Map<Object, Long> ranks = new HashMap<>();
        timestamps.forEach((number, those) -> those.forEach(ts -> ranks.put(ts, number * epoch + 1 + those.headSet(ts).size())));
        Map<String, Object> header = new LinkedHashMap<>(Map.of("protocol", "TMFailover"));
        header.putAll(settings);
        header.putAll(new TreeMap<>(Map.of("format", RecordedTrace.FORMAT, "merged", true, "leap", 1, "epoch", epoch, "drift", 0)));
        List<String> lines = new ArrayList<>(List.of(Json.line(header)));
        for (Map<String, Object> event : merged) {
            Map<String, Object> told = new LinkedHashMap<>(event);
            timestamps(event).forEach(name -> told.replace(name, ranks.get(event.get(name))));
            Stream.of("limit", "epoch").forEach(
                    name -> told.computeIfPresent(name, (n, limit) -> limit(Math.max(0, (Long) limit - origin), epochLength, epoch)));
            lines.add(Json.line(told));
        }
        lines.add(Json.line(new TreeMap<>(Map.of("end", true, "events", merged.size()))));
        Files.write(file, lines);
    }

    /** The fields that tell one. */
    private static List<String> timestamps(Map<String, Object> event) {
        return Stream.of("txn", "answer").filter(name -> event.get(name) instanceof Long ts && ts > 0).toList();
    }

    /** One that is no end of an epoch stays none. */
    private static long limit(long limit, long epochLength, long epoch) {
        return limit / epochLength * epoch + (limit % epochLength == 0 ? 0 : 1);
    }
}
