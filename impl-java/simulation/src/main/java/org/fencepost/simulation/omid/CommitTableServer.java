package org.fencepost.simulation.omid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fencepost.protocol.Timestamps;
import org.fencepost.simulation.world.EventLog;

/**
 * The state of the commit table, in shards with a watermark each. Each method is one atomic step: HBase executes them
 * under the lock of the entry's row, or of the shard's watermark.
 *
 * <p>It also keeps the truth for the judge: which transactions ever got their entry, and hence committed.
 */
public final class CommitTableServer {

    private final long[] watermarks;
    private final TreeMap<Long, Long> entries = new TreeMap<>();
    private final Map<Long, Long> committed = new HashMap<>();
    private final EventLog log;
    private Runnable watcher = () -> {};

    public CommitTableServer(int shards, EventLog log) {
        this.watermarks = new long[shards];
        this.log = log;
    }

    /** Called after each change of an entry. */
    void watch(Runnable called) {
        watcher = called;
    }

    int shards() {
        return watermarks.length;
    }

    public long get(long startTs) {
        return entries.getOrDefault(startTs, Timestamps.NIL);
    }

    public long checkAndMutate(long startTs, long entry) {
        long present = get(startTs);
        if (present != Timestamps.NIL) {
            return present;
        }
        if (startTs < watermarks[shard(startTs)]) {
            return entry == Timestamps.INVALIDATED ? Timestamps.INVALIDATED : Timestamps.COLLECTED;
        }
        store(startTs, entry);
        return Timestamps.NIL;
    }

    private void store(long startTs, long entry) {
        log.change("CT", Long.toString(startTs), "entry " + startTs, text(get(startTs)), text(entry));
        entries.put(startTs, entry);
        if (Timestamps.isTimestamp(entry)) {
            committed.put(startTs, entry);
        }
        watcher.run();
    }

    public void remove(long startTs) {
        Long old = entries.remove(startTs);
        if (old != null) {
            log.change("CT", Long.toString(startTs), "entry " + startTs, text(old), text(Timestamps.NIL));
            watcher.run();
        }
    }

    public void raiseWatermark(int shard, long watermark) {
        if (watermark > watermarks[shard]) {
            log.change("CT", "watermark", "watermark " + shard, watermarks[shard], watermark);
            watermarks[shard] = watermark;
        }
    }

    public long watermark() {
        return Arrays.stream(watermarks).min().orElseThrow();
    }

    public List<Long> entriesBelow(int shard, long limit) {
        List<Long> found = new ArrayList<>(entries.headMap(limit).keySet());
        found.removeIf(startTs -> shard(startTs) != shard);
        return found;
    }

    private int shard(long startTs) {
        return (int) (startTs / 2 % watermarks.length);
    }

    /** The commit timestamp of a transaction; NIL if it has not committed. For the judge only. */
    public long committed(long startTs) {
        return committed.getOrDefault(startTs, Timestamps.NIL);
    }

    private static String text(long entry) {
        return entry == Timestamps.NIL ? "nothing" : entry == Timestamps.INVALIDATED ? "invalidated" : Long.toString(entry);
    }
}
