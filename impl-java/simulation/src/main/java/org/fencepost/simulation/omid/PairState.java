package org.fencepost.simulation.omid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.fencepost.simulation.world.EventLog;
import org.fencepost.simulation.world.Run;

/**
 * What the servers hold of two transactions that have written a key, in the variables of specs/OmidLL.tla: their records, their
 * commit-table entries, and where the watermark is. Timestamps are only compared, so each stands for its place among those in
 * the state. A state of a model with two transactions and one key has one such state at most, a run of the simulator passes
 * through one for each change of a key or of an entry, and each neighbour in the order of versions.
 *
 * @param watermark below it the commit table takes no new entries
 */
public record PairState(long watermark, Part older, Part newer) {

    /**
     * @param startTs also the version of the record
     * @param content "value", "tombstone", or "none"
     * @param cell    the commit cell; 0 if it is empty
     * @param entry   in the commit table; 0 for none, negative for the marker
     */
    public record Part(long startTs, String content, long cell, long entry) {

        /** Something of it is in the key. */
        public boolean isThere() {
            return !content.equals("none") || cell != 0;
        }
    }

    @Override
    public String toString() {
        TreeSet<Long> numbers = LongStream.of(watermark, older.startTs, older.cell, older.entry, newer.startTs, newer.cell, newer.entry)
                .filter(ts -> ts > 0).boxed().collect(Collectors.toCollection(TreeSet::new));
        List<Long> places = new ArrayList<>(numbers);
        return List.of(older, newer).stream().map(part -> place(places, part.startTs) + " " + part.content + " " + place(places, part.cell)
                + " " + place(places, part.entry)).collect(Collectors.joining(", ")) + ", watermark " + place(places, watermark);
    }

    private static long place(List<Long> places, long timestamp) {
        return timestamp > 0 ? places.indexOf(timestamp) + 1 : timestamp;
    }

    // ---- along a run

    /** The distinct ones that a run passed through, as texts. None where there is a fast path, or commit in one phase, whose records are others. */
    public static Set<String> visitedBy(Run run) {
        return run.plan().hasClocks() ? Set.of() : new Walk(run.plan().shards()).along(run.log());
    }

    /** The servers' states, as the log's changes tell. */
    private static final class Walk {
        private final long[] watermarks;
        private final Map<String, TreeMap<Long, Part>> keys = new HashMap<>();
        private final Map<Long, Long> entries = new HashMap<>();
        private final Set<String> visited = new HashSet<>();

        Walk(int shards) {
            watermarks = new long[shards];
        }

        Set<String> along(EventLog log) {
            for (EventLog.Event event : log.events()) {
                if (event.kind() == EventLog.Kind.change) {
                    change(event.name(), ((String) event.arguments()[0]).split(" "), ((String) event.arguments()[1]).split(" → ")[1]);
                }
            }
            return visited;
        }

        private void change(String lane, String[] what, String now) {
            if (lane.startsWith("key ")) {
                long version = Long.parseLong(what[1]);
                TreeMap<Long, Part> records = keys.computeIfAbsent(lane, k -> new TreeMap<>());
                Part part = part(version, now);
                if (part.isThere()) {
                    records.put(version, part);
                } else {
                    records.remove(version);
                }
                visitNeighbours(records, version);
            } else if (what[0].equals("entry")) {
                long startTs = Long.parseLong(what[1]);
                entries.put(startTs, now.equals("nothing") ? 0 : now.equals("invalidated") ? -1 : Long.parseLong(now));
                keys.values().forEach(records -> visitNeighbours(records, startTs));
            } else if (what[0].equals("watermark")) {
                watermarks[Integer.parseInt(what[1])] = Long.parseLong(now);
                keys.values().forEach(records -> records.keySet().forEach(version -> visit(records, records.lowerKey(version), version)));
            }
        }

        /** @param cells as the store's server writes them: a value and a commit cell, one of them, or what is neither */
        private static Part part(long version, String cells) {
            String[] halves = cells.split(", commit ");
            String content = Set.of("value", "tombstone").contains(halves[0]) ? halves[0] : "none";
            return new Part(version, content, halves.length > 1 ? Long.parseLong(halves[1]) : 0, 0);
        }

        private void visitNeighbours(TreeMap<Long, Part> records, long version) {
            if (records.containsKey(version)) {
                visit(records, records.lowerKey(version), version);
                visit(records, version, records.higherKey(version));
            } else {
                visit(records, records.lowerKey(version), records.higherKey(version));
            }
        }

        private void visit(TreeMap<Long, Part> records, Long older, Long newer) {
            if (older != null && newer != null) {
                long watermark = Arrays.stream(watermarks).min().orElseThrow();
                visited.add(new PairState(watermark, withEntry(records.get(older)), withEntry(records.get(newer))).toString());
            }
        }

        private Part withEntry(Part part) {
            return new Part(part.startTs, part.content, part.cell, entries.getOrDefault(part.startTs, 0L));
        }
    }
}
