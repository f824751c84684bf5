package org.fencepost.protocol.omid;

import java.util.Collection;
import java.util.PrimitiveIterator;
import java.util.function.LongConsumer;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.store.CommitTable;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.VersionedStore;

/** Commit entries are in the commit table, in the row of their writer's start timestamp. */
final class TablePlacement<K, V> implements CommitPlacement<K, V> {

    private final VersionedStore<K, V> store;
    private final CommitTable commitTable;

    TablePlacement(VersionedStore<K, V> store, CommitTable commitTable) {
        this.store = store;
        this.commitTable = commitTable;
    }

    /** Guard: the entry of all levels of a transaction is in the row of its start timestamp. */
    private long writer(K key, Record<V> met) {
        return store.versions(key).writerOf(met.version());
    }

    @Override
    public long lookUp(K key, Record<V> met) {
        return commitTable.get(writer(key, met));
    }

    @Override
    public long[] lookUp(long[] writers) {
        return commitTable.get(writers);
    }

    @Override
    public long write(long startTs, K leader, long commitTs) {
        return commitTable.checkAndMutate(startTs, commitTs);
    }

    @Override
    public long invalidate(K key, Record<V> met) {
        return commitTable.checkAndMutate(writer(key, met), Timestamps.INVALIDATED);
    }

    @Override
    public boolean isInStore() {
        return false;
    }

    @Override
    public void remove(Collection<Long> startTs) {
        commitTable.remove(startTs);
    }

    @Override
    public void raiseWatermark(long watermark) {
        commitTable.raiseWatermark(watermark);
    }

    /** The watermark keeps him from it. */
    @Override
    public long settle(K key, Record<V> met) {
        return lookUp(key, met);
    }

    @Override
    public void collectEntries(Iterable<K> keys, long watermark, LongConsumer removed) {
        for (PrimitiveIterator.OfLong entries = commitTable.entriesBelow(watermark); entries.hasNext();) {
            long startTs = entries.nextLong();
            commitTable.remove(startTs);
            removed.accept(startTs);
        }
    }
}
