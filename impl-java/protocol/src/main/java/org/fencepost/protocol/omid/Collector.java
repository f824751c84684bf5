package org.fencepost.protocol.omid;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.PrimitiveIterator;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.store.CommitTable;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.UnreadableRecordException;
import org.fencepost.protocol.store.VersionedStore;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;

/**
 * Finishes what dead clients left behind and removes what no snapshot needs.
 *
 * <p>The order of the steps is the argument. First the commit table's watermark is raised, to a timestamp below which
 * no transaction reads any more: from now on nothing below it can commit. So a record below the watermark whose commit
 * cell is empty is settled for good: either the commit table knows its commit timestamp, which goes into the cell, or
 * it is garbage. "The table does not know" may also mean that post-commit has just finished, so the record is read
 * again before it goes. When a pass over all records is complete, no record refers to a commit-table entry below the
 * watermark any more, and these go too, invalidation markers included: what they prevented is impossible now.
 *
 * <p>Of the committed versions of a key, a reader at or above the watermark needs the newest that was committed below
 * it, and nothing older; and no tombstone that covers nothing. This assumes that no put of such a record is still under
 * way (NoPutInFlight): a late copy would bring it back. Pass a watermark that is older than any request lives.
 *
 * <p>Several collectors may run at once. {@code StoreException} ends a pass early; nothing is lost, begin another. Only with
 * {@link UnreadableRecordException} is it thrown when all other keys are done, and no commit-table entry has gone.
 */
public final class Collector<K, V> {

    private final VersionedStore<K, V> store;
    private final CommitTable commitTable;
    private final TransactionManager manager;
    private final Tracer tracer;

    public Collector(VersionedStore<K, V> store, CommitTable commitTable, TransactionManager manager, Tracer tracer) {
        this.store = store;
        this.commitTable = commitTable;
        this.manager = manager;
        this.tracer = tracer;
    }

    /** A full pass at the highest watermark that the transaction manager allows. */
    public void collect(Iterable<K> keys) {
        collect(keys, manager.collectableBelow());
    }

    /**
     * A full pass.
     *
     * @param keys      every key with a record below the watermark, of all tables that share the commit table
     * @param watermark what {@link TransactionManager#collectableBelow} said, now or earlier
     */
    public void collect(Iterable<K> keys, long watermark) {
        List<UnreadableRecordException> unreadable = new ArrayList<>();
        raiseWatermark(watermark);
        for (K key : keys) {
            collect(key, watermark, unreadable);
        }
        if (!unreadable.isEmpty()) {
            throw unreadable.get(0); // its record may need an entry: they stay
        }
        collectEntries(watermark);
    }

    private void collect(K key, long watermark, List<UnreadableRecordException> unreadable) {
        try {
            settleLeftovers(key, watermark);
            collectVersions(key, watermark);
        } catch (UnreadableRecordException e) {
            unreadable.add(e);
        }
    }

    /** Returns when every shard of the commit table refuses commits below the watermark. */
    public void raiseWatermark(long watermark) {
        commitTable.raiseWatermark(watermark);
        if (tracer.on()) {
            tracer.event(Action.RaiseWatermark, "watermark", watermark);
        }
    }

    private void settleLeftovers(K key, long watermark) {
        for (Iterator<Record<V>> records = store.get(key, watermark - 1); records.hasNext();) {
            Record<V> record = records.next();
            if (!record.hasCommitCell()) {
                settleLeftover(key, record.version());
            }
        }
    }

    /** Brings a record whose commit cell was empty to its end. Only after {@link #raiseWatermark} above its version. */
    public void settleLeftover(K key, long version) {
        long entry = commitTable.get(version);
        if (Timestamps.isTimestamp(entry)) {
            healLeftover(key, version, entry);
        } else if (canNeverCommit(inspectLeftover(key, version, entry))) {
            cleanLeftover(key, version);
        }
    }

    private static boolean canNeverCommit(Record<?> reread) {
        return reread != null && !reread.hasCommitCell();
    }

    private void healLeftover(K key, long version, long commitTs) {
        store.putCommitCells(List.of(key), version, commitTs);
        if (tracer.on()) {
            tracer.event(Action.HealLeftover, "key", key, "met", version, "commit", commitTs);
        }
    }

    /** The record as it is after the commit table was asked; null if it is gone. */
    private Record<V> inspectLeftover(K key, long version, long entry) {
        Record<V> now = store.reread(key, version);
        if (tracer.on()) {
            tracer.event(Action.InspectLeftover, "key", key, "met", version, "entry", entry,
                    "gone", now == null, "commit", now == null ? Timestamps.NIL : now.commit());
        }
        return now;
    }

    private void cleanLeftover(K key, long version) {
        store.remove(List.of(key), version);
        if (tracer.on()) {
            tracer.event(Action.CleanLeftover, "key", key, "met", version);
        }
    }

    /** Only after a complete pass over the records below the watermark has settled all leftovers. */
    public void collectEntries(long watermark) {
        for (PrimitiveIterator.OfLong entries = commitTable.entriesBelow(watermark); entries.hasNext();) {
            collectEntry(entries.nextLong());
        }
    }

    private void collectEntry(long startTs) {
        commitTable.remove(startTs);
        if (tracer.on()) {
            tracer.event(Action.CollectEntry, "met", startTs);
        }
    }

    /** Everything committed before the newest record that was committed below the watermark, oldest fate last. */
    private void collectVersions(K key, long watermark) {
        Record<V> newest = null;
        boolean olderLeft = false;
        for (Iterator<Record<V>> records = store.get(key, watermark - 1); records.hasNext();) {
            Record<V> record = records.next();
            if (newest == null) {
                newest = committedBelow(record, watermark) ? record : null;
            } else if (record.hasCommitCell()) {
                collectVersion(key, record.version());
            } else {
                olderLeft = true;
            }
        }
        if (newest != null && newest.isTombstone() && !olderLeft) {
            collectTombstone(key, newest.version());
        }
    }

    private static boolean committedBelow(Record<?> record, long watermark) {
        return record.hasCommitCell() && record.commit() < watermark;
    }

    private void collectVersion(K key, long version) {
        store.remove(List.of(key), version);
        if (tracer.on()) {
            tracer.event(Action.CollectVersion, "key", key, "met", version);
        }
    }

    private void collectTombstone(K key, long version) {
        store.remove(List.of(key), version);
        if (tracer.on()) {
            tracer.event(Action.CollectTombstone, "key", key, "met", version);
        }
    }
}
