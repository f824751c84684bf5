package org.fencepost.protocol.ph1;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * One instance's copy of the version store. All that it holds is true, so two copies are merged by holding what either has.
 * Thread-safe.
 *
 * @param <K> keys, with equals and hashCode
 * @param <V> values, with equals and hashCode
 */
public final class VersionTable<K, V> {

    private final Map<K, Set<KeyVersion<V>>> versions = new HashMap<>();

    public synchronized void save(K key, KeyVersion<V> version) {
        versions.computeIfAbsent(key, k -> new HashSet<>()).add(version);
    }

    /** The version that a snapshot has; null if there is none. */
    public synchronized KeyVersion<V> read(K key, long readTs) {
        return versions.getOrDefault(key, Set.of()).stream().filter(version -> version.covers(readTs)).findFirst().orElse(null);
    }

    /** Drops what no snapshot from here on has. Returns whether there was any. */
    public synchronized boolean evict(long below) {
        boolean evicted = false;
        for (Set<KeyVersion<V>> all : versions.values()) {
            evicted |= all.removeIf(version -> version.until() < below);
        }
        versions.values().removeIf(Set::isEmpty);
        return evicted;
    }

    /** A copy, for an instance that joins. */
    public synchronized Map<K, Set<KeyVersion<V>>> state() {
        Map<K, Set<KeyVersion<V>>> copy = new HashMap<>();
        versions.forEach((key, all) -> copy.put(key, new HashSet<>(all)));
        return copy;
    }

    /** Takes over what another instance has. */
    public synchronized void merge(Map<K, Set<KeyVersion<V>>> state) {
        state.forEach((key, all) -> versions.computeIfAbsent(key, k -> new HashSet<>()).addAll(all));
    }
}
