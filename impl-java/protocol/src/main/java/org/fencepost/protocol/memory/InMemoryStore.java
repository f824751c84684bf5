package org.fencepost.protocol.memory;

import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.twophase.IntentStore;

/** A thread-safe store in memory for tests. Iterators fetch one record at a time, so that others get in between. */
public final class InMemoryStore<K, V> implements IntentStore<K, V> {

    /** @param write null while only the commit cell is there */
    private record Cells<V>(Write<V> write, long commit) {
    }

    private final Map<K, ConcurrentNavigableMap<Long, Cells<V>>> rows = new ConcurrentHashMap<>();
    private final Versions versions;

    /** Of transactions with one level. */
    public InMemoryStore() {
        this(Versions.DENSE);
    }

    /** @param versions of all keys */
    public InMemoryStore(Versions versions) {
        this.versions = versions;
    }

    @Override
    public Versions versions(K key) {
        return versions;
    }

    @Override
    public void put(long version, Map<K, Write<V>> writes) {
        writes.forEach((key, write) -> row(key).merge(version, new Cells<>(write, Timestamps.NIL),
                (old, put) -> new Cells<>(put.write(), old.commit())));
    }

    @Override
    public void putCommitted(Map<K, Record<V>> records, Runnable departs) {
        departs.run();
        records.forEach((key, record) -> row(key).put(record.version(), new Cells<>(Write.of(record.value()), record.commit())));
    }

    /** Others may remove a record, or write its commit cell, during the check: then it is refused once more than needed. */
    @Override
    public Map<K, Long> prewrite(long version, Map<K, Write<V>> writes) {
        Map<K, Long> refused = new LinkedHashMap<>();
        writes.forEach((key, write) -> {
            synchronized (row(key)) {
                long obstacle = IntentStore.obstacle(version, get(key, Long.MAX_VALUE));
                if (obstacle == Timestamps.NIL) {
                    put(version, Map.of(key, write));
                } else {
                    refused.put(key, obstacle);
                }
            }
        });
        return refused;
    }

    @Override
    public Iterator<Record<V>> get(K key, long fromVersion) {
        ConcurrentNavigableMap<Long, Cells<V>> row = row(key);
        return new Iterator<>() {
            private long cursor = fromVersion;
            private Record<V> next;

            @Override
            public boolean hasNext() {
                Map.Entry<Long, Cells<V>> entry;
                while (next == null && (entry = row.floorEntry(cursor)) != null) {
                    next = record(entry.getKey(), entry.getValue());
                    cursor = entry.getKey() - 1;
                }
                return next != null;
            }

            @Override
            public Record<V> next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                Record<V> result = next;
                next = null;
                return result;
            }
        };
    }

    @Override
    public Record<V> reread(K key, long version) {
        return record(version, row(key).get(version));
    }

    @Override
    public void putCommitCells(Collection<K> keys, long version, long commitTs) {
        keys.forEach(key -> row(key).merge(version, new Cells<>(null, commitTs),
                (old, put) -> new Cells<>(old.write(), put.commit())));
    }

    @Override
    public void remove(Collection<K> keys, long version) {
        keys.forEach(key -> row(key).remove(version));
    }

    /** Every key that ever had a record. */
    public Set<K> keys() {
        return rows.keySet();
    }

    private ConcurrentNavigableMap<Long, Cells<V>> row(K key) {
        return rows.computeIfAbsent(key, k -> new ConcurrentSkipListMap<>());
    }

    private static <V> Record<V> record(long version, Cells<V> cells) {
        return cells == null || cells.write() == null ? null : new Record<>(version, cells.write().value(), cells.commit());
    }
}
