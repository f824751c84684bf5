package org.fencepost.protocol.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A transaction that has committed, as far as post-commit needs it (VLDB'18 Alg. 3, PostCommit).
 *
 * @param startTs  the version of its records, but for those of a later level
 * @param commitTs what goes into their commit cells; NIL if there are none
 * @param keys     of its records; empty if it has only read
 * @param levels   the last level of a key, where that is not the first
 */
public record Committed<K>(long startTs, long commitTs, Collection<K> keys, Map<K, Integer> levels) {

    /** Of a transaction without checkpoints. */
    public Committed(long startTs, long commitTs, Collection<K> keys) {
        this(startTs, commitTs, keys, Map.of());
    }

    public boolean isReadOnly() {
        return keys.isEmpty();
    }

    /**
     * The records that get a commit cell, by version. Guard (specs/Checkpoints.tla, Healed): the last level of each key alone. With the
     * cell of an earlier one the fast path would read what the transaction itself has overwritten.
     */
    public Map<Long, Collection<K>> byVersion() {
        if (levels.isEmpty()) {
            return Map.of(startTs, keys);
        }
        Map<Long, Collection<K>> byVersion = new LinkedHashMap<>();
        keys.forEach(key -> byVersion.computeIfAbsent(startTs + levels.getOrDefault(key, 0), v -> new ArrayList<>()).add(key));
        return byVersion;
    }
}
