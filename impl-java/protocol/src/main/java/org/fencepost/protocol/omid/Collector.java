package org.fencepost.protocol.omid;

import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
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
 * it, and nothing older; and no tombstone that covers nothing. Where a record is the commit entry of others (Fragola section 3.2), none goes
 * before all are settled. This assumes that no put of such a record is still under
 * way (NoPutInFlight): a late copy would bring it back. Pass a watermark that is older than any request lives.
 *
 * <p>A transaction may have several levels of a key (specs/Checkpoints.tla). The last one is settled as above. An earlier one goes when its
 * transaction can no longer commit, or when the last one has its commit cell.
 *
 * <p>Several collectors may run at once; so a {@link Walk} may take several keys at a time, as if there were one for each. {@code StoreException}
 * ends a pass early; nothing is lost, begin another. Only with {@link UnreadableRecordException} is it thrown when all other keys are done, and no
 * commit-table entry has gone.
 */
public class Collector<K, V> {

    /** How each step of a pass goes over the keys. */
    public interface Walk {

        Walk ONE_BY_ONE = Iterable::forEach;

        /** Takes the step for each key, and returns when all have ended. Throws what one of them has thrown; those after it may be left out. */
        <K> void over(Iterable<K> keys, Consumer<? super K> step);
    }

    private final VersionedStore<K, V> store;
    private final CommitPlacement<K, V> placement;
    private final TransactionManager manager;
    private final Walk walk;
    private final Tracer tracer;

    public Collector(VersionedStore<K, V> store, CommitTable commitTable, TransactionManager manager, Tracer tracer) {
        this(store, commitTable, manager, Walk.ONE_BY_ONE, tracer);
    }

    public Collector(VersionedStore<K, V> store, CommitTable commitTable, TransactionManager manager, Walk walk, Tracer tracer) {
        this(store, new TablePlacement<>(store, commitTable), manager, walk, tracer);
    }

    /** The same where commit entries may be elsewhere. */
    protected Collector(VersionedStore<K, V> store, CommitPlacement<K, V> placement, TransactionManager manager, Walk walk, Tracer tracer) {
        this.store = store;
        this.placement = placement;
        this.manager = manager;
        this.walk = walk;
        this.tracer = tracer;
    }

    /** A full pass at the highest watermark that the transaction manager allows. */
    public void collect(Iterable<K> keys) {
        collect(keys, manager.collectableBelow());
    }

    /**
     * A full pass.
     *
     * @param keys      every key with a record below the watermark, of all tables that share the commit table, or leaders
     * @param watermark what {@link TransactionManager#collectableBelow} said, now or earlier
     */
    public void collect(Iterable<K> keys, long watermark) {
        raiseWatermark(watermark);
        if (placement.isInStore()) {
            settleFirst(keys, watermark);
        }
        forAll(keys, key -> {
            settleLeftovers(key, watermark);
            collectVersions(key, watermark);
        });
        collectEntries(keys, watermark);
    }

    /**
     * Guard (Fragola, FollowersHealed): no version is collected before a pass over all records, which one of them may be the entry of.
     */
    protected final void settleFirst(Iterable<K> keys, long watermark) {
        forAll(keys, key -> settleLeftovers(key, watermark));
    }

    /** Guard: no entry goes after a record that could not be read, which may need it; all other keys are done. */
    private void forAll(Iterable<K> keys, Consumer<K> step) {
        Queue<UnreadableRecordException> unreadable = new ConcurrentLinkedQueue<>();
        walk.over(keys, key -> {
            try {
                step.accept(key);
            } catch (UnreadableRecordException e) {
                unreadable.add(e);
            }
        });
        if (!unreadable.isEmpty()) {
            throw unreadable.peek();
        }
    }

    /** Returns when every shard of the commit table refuses commits below the watermark, if there is one. */
    public void raiseWatermark(long watermark) {
        placement.raiseWatermark(watermark);
        if (tracer.on()) {
            tracer.event(Action.RaiseWatermark, "watermark", watermark);
        }
    }

    private void settleLeftovers(K key, long watermark) {
        long above = Timestamps.NIL;
        for (Iterator<Record<V>> records = store.get(key, watermark - 1); records.hasNext();) {
            Record<V> record = records.next();
            if (!record.hasCommitCell()) {
                settleLeftover(key, record, writerOf(key, record) != above);
            }
            above = writerOf(key, record);
        }
    }

    /** Brings a record whose commit cell was empty to its end. Only after {@link #raiseWatermark} above its version. */
    public void settleLeftover(K key, Record<V> record) {
        settleLeftover(key, record, true);
    }

    /** Guard: only last levels get a commit cell. */
    private void settleLeftover(K key, Record<V> record, boolean isLastLevel) {
        long version = record.version();
        long entry = placement.settle(key, record);
        if (Timestamps.isTimestamp(entry) && !isLastLevel) {
            return; // until the last one has it
        }
        if (Timestamps.isTimestamp(entry)) {
            healLeftover(key, version, entry);
        } else if (canNeverCommit(inspectLeftover(key, version, entry))) {
            cleanLeftover(key, version);
        }
    }

    private long writerOf(K key, Record<V> record) {
        return store.versions(key).writerOf(record.version());
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

    /** The record as it is after its writer's entry was looked up; null if it is gone. */
    private Record<V> inspectLeftover(K key, long version, long entry) {
        Record<V> now = store.reread(key, version);
        if (tracer.on()) {
            tracer.event(Action.InspectLeftover, "key", key, "met", version, "entry", entry,
                    "gone", now == null, "commit", now == null ? Timestamps.NIL : now.commit());
        }
        return now;
    }

    private void cleanLeftover(K key, long version) {
        store.removeAborted(List.of(key), version);
        if (tracer.on()) {
            tracer.event(Action.CleanLeftover, "key", key, "met", version);
        }
    }

    /** Only after a complete pass over the records below the watermark has settled all leftovers. */
    public void collectEntries(Iterable<K> keys, long watermark) {
        placement.collectEntries(keys, watermark, this::collectEntry);
    }

    private void collectEntry(long startTs) {
        if (tracer.on()) {
            tracer.event(Action.CollectEntry, "met", startTs);
        }
    }

    /** Everything committed before the newest record that was committed below the watermark, oldest fate last. */
    private void collectVersions(K key, long watermark) {
        Record<V> newest = null;
        boolean olderLeft = false;
        long committed = Timestamps.NIL;
        for (Iterator<Record<V>> records = store.get(key, watermark - 1); records.hasNext();) {
            Record<V> record = records.next();
            if (isEarlierLevel(key, record, committed)) {
                dropLevel(key, record.version());
                continue;
            }
            committed = record.hasCommitCell() ? writerOf(key, record) : committed;
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

    /** Guard: an earlier level goes only when the last one tells that its transaction has committed. A living one may yet read it. */
    private boolean isEarlierLevel(K key, Record<V> record, long committed) {
        return writerOf(key, record) == committed;
    }

    private void dropLevel(K key, long version) {
        store.remove(List.of(key), version);
        if (tracer.on()) {
            tracer.event(Action.DropLevel, "key", key, "met", version);
        }
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
