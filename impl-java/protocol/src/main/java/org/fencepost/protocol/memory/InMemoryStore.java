package org.fencepost.protocol.memory;

import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.fragola.LeaderStore;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.twophase.IntentStore;

/** A thread-safe store in memory for tests. Iterators fetch one record at a time, so that others get in between. */
public final class InMemoryStore<K, V> implements IntentStore<K, V>, LeaderStore<K, V> {

    /**
     * @param write  null while only the commit cell is there
     * @param commit may be the marker, where leaders have commit entries
     */
    private record Cells<V>(Write<V> write, Object leader, long commit) {
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
        put(version, null, writes);
    }

    @Override
    public void put(long version, K leader, Map<K, Write<V>> writes) {
        writes.forEach((key, write) -> row(key).merge(version, new Cells<>(write, key.equals(leader) ? null : leader, Timestamps.NIL),
                (old, put) -> new Cells<>(put.write(), put.leader(), old.commit())));
    }

    @Override
    public long commitCell(K leader, long version) {
        Cells<V> cells = row(leader).get(version);
        return cells == null ? Timestamps.NIL : cells.commit();
    }

    @Override
    public long checkAndMutate(K leader, long version, long entry) {
        long[] previous = {Timestamps.COLLECTED};
        row(leader).computeIfPresent(version, (v, cells) -> {
            previous[0] = LeaderStore.previous(cells.write() != null, cells.commit());
            return previous[0] == Timestamps.NIL ? new Cells<>(cells.write(), cells.leader(), entry) : cells;
        });
        return previous[0];
    }

    @Override
    public void removeAborted(Collection<K> keys, long version) {
        keys.forEach(key -> row(key).computeIfPresent(version,
                (v, cells) -> cells.commit() == Timestamps.INVALIDATED ? new Cells<>(null, null, cells.commit()) : null));
    }

    @Override
    public PrimitiveIterator.OfLong loneMarkers(K key, long watermark) {
        return row(key).headMap(watermark).entrySet().stream().filter(cells -> cells.getValue().write() == null
                && cells.getValue().commit() == Timestamps.INVALIDATED).mapToLong(Map.Entry::getKey).iterator();
    }

    @Override
    public void removeMarker(K key, long version) {
        row(key).remove(version);
    }

    @Override
    public void putCommitted(Map<K, Record<V>> records, Runnable departs) {
        departs.run();
        records.forEach((key, record) -> row(key).put(record.version(), new Cells<>(Write.of(record.value()), null, record.commit())));
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
        keys.forEach(key -> row(key).merge(version, new Cells<>(null, null, commitTs),
                (old, put) -> new Cells<>(old.write(), old.leader(), put.commit())));
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
        return cells == null || cells.write() == null ? null : new Record<>(version, cells.write().value(),
                Math.max(cells.commit(), Timestamps.NIL), cells.leader());
    }
}
