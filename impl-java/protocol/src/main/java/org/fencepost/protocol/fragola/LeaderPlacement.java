package org.fencepost.protocol.fragola;

import java.util.Collection;
import java.util.PrimitiveIterator;
import java.util.function.LongConsumer;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.omid.CommitPlacement;
import org.fencepost.protocol.store.Record;

/** Commit entries are in the commit cells of leaders (Fragola section 3.2). */
final class LeaderPlacement<K, V> implements CommitPlacement<K, V> {

    private final LeaderStore<K, V> store;

    LeaderPlacement(LeaderStore<K, V> store) {
        this.store = store;
    }

    @SuppressWarnings("unchecked") // the store has it from a put
    private static <K> K leader(K key, Record<?> met) {
        return met.leader() == null ? key : (K) met.leader();
    }

    /** Fragola Alg. 3, CheckLeader. */
    @Override
    public long lookUp(K key, Record<V> met) {
        return store.commitCell(leader(key, met), met.version());
    }

    /** Nobody knows where, without their records. */
    @Override
    public long[] lookUp(long[] writers) {
        return new long[writers.length];
    }

    @Override
    public long write(long startTs, K leader, long commitTs) {
        return store.checkAndMutate(leader, startTs, commitTs);
    }

    @Override
    public long invalidate(K key, Record<V> met) {
        return store.checkAndMutate(leader(key, met), met.version(), Timestamps.INVALIDATED);
    }

    @Override
    public boolean isInStore() {
        return true;
    }

    @Override
    public void remove(Collection<Long> startTs) {
        // They go with their records.
    }

    @Override
    public void raiseWatermark(long watermark) {
        // Nothing in the store knows it.
    }

    /** Guard: takes the right to commit, as a reader does. Nothing else keeps a slow client from it. */
    @Override
    public long settle(K key, Record<V> met) {
        long entry = lookUp(key, met);
        long previous = entry == Timestamps.NIL ? invalidate(key, met) : entry;
        return previous == Timestamps.NIL ? Timestamps.INVALIDATED : previous;
    }

    /** Guard: of leaders that are gone. */
    @Override
    public void collectEntries(Iterable<K> keys, long watermark, LongConsumer removed) {
        for (K key : keys) {
            for (PrimitiveIterator.OfLong markers = store.loneMarkers(key, watermark); markers.hasNext();) {
                long startTs = markers.nextLong();
                store.removeMarker(key, startTs);
                removed.accept(startTs);
            }
        }
    }
}
