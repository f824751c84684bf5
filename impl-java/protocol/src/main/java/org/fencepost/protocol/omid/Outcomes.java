package org.fencepost.protocol.omid;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.store.Committed;

/**
 * What a transaction has found out about writers whose records have no commit cell, see {@link SnapshotReader}; and, where
 * somebody has asked for that, the commit cells that are to be written for them together.
 *
 * @param <K> keys
 */
final class Outcomes<K> {

    /** Writers; more are forgotten, and looked up again. */
    private static final int MOST = 10_000;
    /** Commit cells in one store call. */
    private static final int PAGE = 256;

    private final Map<Long, Long> outcomes = new HashMap<>();
    /** By writer. */
    private final Map<Long, Committed<K>> heals = new LinkedHashMap<>();
    private int gathered;
    private boolean gathers;

    /** The commit timestamp of a writer, or INVALIDATED; NIL if that is not known. */
    long of(long writer) {
        return outcomes.getOrDefault(writer, Timestamps.NIL);
    }

    /** @param outcome which never changes */
    void remember(long writer, long outcome) {
        if (outcomes.size() >= MOST) {
            outcomes.clear();
        }
        outcomes.put(writer, outcome);
    }

    void gather() {
        gathers = true;
    }

    /** Whether commit cells wait for others. */
    boolean gathers() {
        return gathers;
    }

    /** Returns whether there are enough for a store call. */
    boolean gather(K key, long writer, long commitTs) {
        heals.computeIfAbsent(writer, w -> new Committed<>(w, commitTs, new ArrayList<>())).keys().add(key);
        return ++gathered >= PAGE;
    }

    List<Committed<K>> takeGathered() {
        List<Committed<K>> all = List.copyOf(heals.values());
        heals.clear();
        gathered = 0;
        return all;
    }
}
