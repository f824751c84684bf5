package org.fencepost.protocol.memory;

import java.util.PrimitiveIterator;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.store.CommitTable;

/** A thread-safe commit table in memory, of one shard, for tests. */
public final class InMemoryCommitTable implements CommitTable {

    private final TreeMap<Long, Long> entries = new TreeMap<>();
    private long watermark;

    @Override
    public synchronized long get(long startTs) {
        return entries.getOrDefault(startTs, Timestamps.NIL);
    }

    @Override
    public synchronized long checkAndMutate(long startTs, long entry) {
        Long previous = entries.get(startTs);
        if (previous != null) {
            return previous;
        }
        if (startTs < watermark) {
            return entry == Timestamps.INVALIDATED ? Timestamps.INVALIDATED : Timestamps.COLLECTED;
        }
        entries.put(startTs, entry);
        return Timestamps.NIL;
    }

    @Override
    public synchronized void remove(long startTs) {
        entries.remove(startTs);
    }

    @Override
    public synchronized void raiseWatermark(long newWatermark) {
        watermark = Math.max(watermark, newWatermark);
    }

    @Override
    public synchronized long watermark() {
        return watermark;
    }

    @Override
    public synchronized PrimitiveIterator.OfLong entriesBelow(long limit) {
        long[] copy = entries.headMap(limit).keySet().stream().mapToLong(Long::longValue).toArray();
        return LongStream.of(copy).iterator();
    }

    /** Number of entries, for tests that want the table empty in the end. */
    public synchronized int size() {
        return entries.size();
    }
}
