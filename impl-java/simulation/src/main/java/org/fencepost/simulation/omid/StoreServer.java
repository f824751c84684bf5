package org.fencepost.simulation.omid;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.twophase.IntentStore;
import org.fencepost.simulation.world.EventLog;

/**
 * The state of the data store. Each method is one atomic step, which is what HBase gives: a mutation or a read of one
 * row. Nothing is atomic across rows, but for batches of one region.
 *
 * <p>With delete markers, a removed version stays hidden, whatever is put there later, until a major compaction; without
 * them, a late put brings a value back. HBase does the former, other stores the latter, and the protocol promises to
 * live with both.
 */
public final class StoreServer {

    /**
     * @param write   null while there is no value
     * @param leader  whom a put pointed to; null for nobody
     * @param removed a delete marker hides the value, and came with one for the commit cell, unless that holds the marker of an abort
     */
    private record Cells(Write<Long> write, String leader, long commit, boolean removed) {
        static final Cells NONE = new Cells(null, null, Timestamps.NIL, false);

        boolean isStored() {
            return write != null && !removed;
        }

        /** The marker is no commit timestamp. */
        long commitTs() {
            return Math.max(commit, Timestamps.NIL);
        }

        @Override
        public String toString() {
            return removed && commit != Timestamps.INVALIDATED ? "removed" : write == null && commit == Timestamps.NIL ? "nothing"
                    : (!isStored() ? "no value" : write.isTombstone() ? "tombstone" : "value")
                            + (commit == Timestamps.NIL ? "" : commit == Timestamps.INVALIDATED ? ", invalidated" : ", commit " + commit);
        }
    }

    private final boolean deleteMarkers;
    private final EventLog log;
    private final Versions versions;
    private final Map<String, TreeMap<Long, Cells>> keys = new LinkedHashMap<>();
    private final Map<Long, Long> committed = new HashMap<>();
    private final Leaders leaders = new Leaders(this);
    private long changes;
    private Runnable watcher = () -> {};

    /** @param versions of all keys */
    public StoreServer(boolean deleteMarkers, EventLog log, Versions versions) {
        this.deleteMarkers = deleteMarkers;
        this.versions = versions;
        this.log = log;
    }

    /** Called after each change. */
    void watch(Runnable called) {
        watcher = called;
    }

    /** Writes the value cell and only that: the commit cell stays as it is. */
    public void put(String key, long version, Write<Long> write) {
        put(key, version, null, write);
    }

    /** The same with a pointer. */
    void put(String key, long version, String leader, Write<Long> write) {
        Cells old = cells(key, version);
        change(key, version, old, new Cells(write, leader, old.commit(), old.removed()));
    }

    /** All of a row's writes if nothing is in the way of any, else what is: see {@link IntentStore#obstacle}. */
    long prewrite(Map<String, Write<Long>> row, long version) {
        for (String key : row.keySet()) {
            long obstacle = IntentStore.obstacle(version, page(key, Long.MAX_VALUE, Integer.MAX_VALUE).iterator());
            if (obstacle != Timestamps.NIL) {
                return obstacle;
            }
        }
        row.forEach((key, write) -> put(key, version, write));
        return Timestamps.NIL;
    }

    /** A record of the fast path: its version is its commit timestamp, and it has no commit cell. */
    public void putCommitted(String key, long version, Write<Long> write) {
        change(key, version, cells(key, version), new Cells(write, null, Timestamps.NIL, false));
    }

    /** A batch: all records with their commit cells, in one step. */
    public void putBatch(Map<String, Write<Long>> writes, long startTs, long commitTs) {
        writes.forEach((key, write) -> {
            Cells old = cells(key, startTs);
            change(key, startTs, old, new Cells(write, old.leader(), commitTs, old.removed()));
        });
        committed.putIfAbsent(startTs, commitTs);
    }

    /** The commit timestamp of a transaction that has committed in one phase; NIL of others. For the judge only. */
    long committed(long startTs) {
        return committed.getOrDefault(startTs, Timestamps.NIL);
    }

    /** Value cell and commit cell at once. */
    public void putRecord(String key, Record<Long> record) {
        Cells old = cells(key, record.version());
        change(key, record.version(), old, new Cells(Write.of(record.value()), old.leader(), record.commit(), old.removed()));
    }

    public void putCommitCell(String key, long version, long commitTs) {
        Cells old = cells(key, version);
        change(key, version, old, new Cells(old.write(), old.leader(), commitTs, old.removed()));
    }

    public void remove(String key, long version) {
        change(key, version, cells(key, version), deleteMarkers ? new Cells(null, null, Timestamps.NIL, true) : Cells.NONE);
    }

    /** As if there had been no put. */
    public void unput(String key, long version) {
        Cells old = cells(key, version);
        change(key, version, old, new Cells(null, null, old.commit(), old.removed()));
    }

    /** Removes the value alone. */
    void removeValue(String key, long version) {
        change(key, version, cells(key, version), new Cells(null, null, cells(key, version).commit(), deleteMarkers));
    }

    /** What the cell holds: a leader's may hold the marker. */
    public long entry(String key, long version) {
        return cells(key, version).commit();
    }

    boolean isStored(String key, long version) {
        return cells(key, version).isStored();
    }

    /** Versions below the watermark. */
    public List<Long> loneMarkers(String key, long watermark) {
        return key(key).headMap(watermark).entrySet().stream().filter(cells -> cells.getValue().commit() == Timestamps.INVALIDATED
                && !cells.getValue().isStored()).map(Map.Entry::getKey).toList();
    }

    /** Those that ever had a record. */
    Set<String> keys() {
        return keys.keySet();
    }

    public Leaders leaders() {
        return leaders;
    }

    /** The commit timestamp that is told here, even of a record whose value is gone; NIL if there is none. */
    public long commitCell(String key, long version) {
        return commit(version, cells(key, version));
    }

    private long commit(long version, Cells cells) {
        return cells.write() != null && versions.isFast(version) ? version : cells.commitTs();
    }

    Versions versions() {
        return versions;
    }

    /** At most {@code limit} records, newest first. */
    public List<Record<Long>> page(String key, long fromVersion, int limit) {
        List<Record<Long>> page = new ArrayList<>();
        for (Map.Entry<Long, Cells> entry : key(key).headMap(fromVersion, true).descendingMap().entrySet()) {
            Record<Long> record = record(entry.getKey(), entry.getValue());
            if (record != null) {
                page.add(record);
            }
            if (page.size() == limit) {
                break;
            }
        }
        return page;
    }

    /** Null if there is none. */
    public Record<Long> record(String key, long version) {
        return record(version, cells(key, version));
    }

    /** How often anything has changed. */
    long changes() {
        return changes;
    }

    /** Drops the delete markers of a key and what they hide. */
    void majorCompaction(String key) {
        key(key).values().removeIf(cells -> cells.removed() && cells.commit() != Timestamps.INVALIDATED);
        key(key).replaceAll((version, cells) -> cells.removed() ? new Cells(null, null, cells.commit(), false) : cells);
    }

    private Record<Long> record(long version, Cells cells) {
        return cells.isStored() ? new Record<>(version, cells.write().value(), commit(version, cells), cells.leader()) : null;
    }

    private TreeMap<Long, Cells> key(String key) {
        return keys.computeIfAbsent(key, k -> new TreeMap<>());
    }

    private Cells cells(String key, long version) {
        return key(key).getOrDefault(version, Cells.NONE);
    }

    private void change(String key, long version, Cells old, Cells now) {
        if (now.equals(Cells.NONE)) {
            key(key).remove(version);
        } else {
            key(key).put(version, now);
        }
        if (!old.equals(now)) {
            changes++;
            log.change("key " + key, key, "version " + version, old, now);
            watcher.run();
            leaders.changed(version);
        }
    }
}
