package org.fencepost.simulation.omid;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
     * @param removed a delete marker hides both cells
     */
    private record Cells(Write<Long> write, long commit, boolean removed) {
        static final Cells NONE = new Cells(null, Timestamps.NIL, false);

        @Override
        public String toString() {
            return removed ? "removed" : write == null && commit == Timestamps.NIL ? "nothing"
                    : (write == null ? "no value" : write.isTombstone() ? "tombstone" : "value")
                            + (commit == Timestamps.NIL ? "" : ", commit " + commit);
        }
    }

    private final boolean deleteMarkers;
    private final EventLog log;
    private final Versions versions;
    private final Map<String, TreeMap<Long, Cells>> keys = new LinkedHashMap<>();
    private final Map<Long, Long> committed = new HashMap<>();
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
        Cells old = cells(key, version);
        change(key, version, old, new Cells(write, old.commit(), old.removed()));
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
        change(key, version, cells(key, version), new Cells(write, Timestamps.NIL, false));
    }

    /** A batch: all records with their commit cells, in one step. */
    void putBatch(Map<String, Write<Long>> writes, long startTs, long commitTs) {
        writes.forEach((key, write) -> {
            Cells old = cells(key, startTs);
            change(key, startTs, old, new Cells(write, commitTs, old.removed()));
        });
        committed.putIfAbsent(startTs, commitTs);
    }

    /** The commit timestamp of a transaction that has committed in one phase; NIL of others. For the judge only. */
    long committed(long startTs) {
        return committed.getOrDefault(startTs, Timestamps.NIL);
    }

    /** Value cell and commit cell at once. */
    void putRecord(String key, Record<Long> record) {
        Cells old = cells(key, record.version());
        change(key, record.version(), old, new Cells(Write.of(record.value()), record.commit(), old.removed()));
    }

    public void putCommitCell(String key, long version, long commitTs) {
        Cells old = cells(key, version);
        change(key, version, old, new Cells(old.write(), commitTs, old.removed()));
    }

    public void remove(String key, long version) {
        change(key, version, cells(key, version), deleteMarkers ? new Cells(null, Timestamps.NIL, true) : Cells.NONE);
    }

    /** The commit timestamp that is told here, even of a record whose value is gone; NIL if there is none. */
    public long commitCell(String key, long version) {
        return commit(version, cells(key, version));
    }

    private long commit(long version, Cells cells) {
        return cells.write() != null && versions.isFast(version) ? version : cells.commit();
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
        key(key).values().removeIf(Cells::removed);
    }

    private Record<Long> record(long version, Cells cells) {
        return cells.removed() || cells.write() == null ? null : new Record<>(version, cells.write().value(), commit(version, cells));
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
        }
    }
}
