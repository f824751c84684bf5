package org.fencepost.protocol.omid;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongPredicate;
import org.fencepost.protocol.Clock;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.store.Committed;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.VersionedStore;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;

/**
 * The read of Omid LL (VLDB'18 Alg. 3, Read).
 *
 * <p>A reader goes through the records of a key from new to old and takes the first that was committed before its
 * snapshot. Where the commit cell is empty the commit table tells. If that has no entry, the writer is still pending,
 * and the reader marks it as invalidated in the commit table, so that it cannot commit behind the reader's back. But
 * the entry may also be missing because post-commit is complete; so whoever creates or finds the marker reads the
 * record again, and a commit cell that has appeared meanwhile wins.
 *
 * <p>Where a reader may ask the transaction manager, it does before it invalidates: a writer that has not asked to commit by now commits
 * above the snapshot, and is passed over (no paper has this; the manager answers only what it knows).
 *
 * <p>In Omid 2PC a record without commit cell, an intent, keeps others from writing the key. There, whoever has found out
 * what became of it does away with it: writes the commit cell in any case, or removes the record.
 *
 * <p>What became of a writer is remembered for the rest of the transaction (a trace shows every look, so a traced reader
 * remembers nothing). A commit timestamp stays what it is. Nor can a writer commit any more one of whose records was found
 * without commit cell after the marker: while it has an entry, that is the marker; and had it committed before, its entry
 * would not have gone before that commit cell was there. So its other records without commit cell are void, too.
 *
 * <p>Of a writer with several levels (specs/Checkpoints.tla) only the last one of a key counts, as it is the one that gets a commit cell.
 * A record that was met may not be the last: the writer may have stored another since. Such a writer commits after the snapshot, so that he
 * is not read in any case. But neither may the record be healed, nor does its empty commit cell tell anything: what is read again is the
 * last level.
 *
 * <p>Version order is commit order, although versions are start timestamps: of two committed writers of a key the first
 * committed before the second began (first committer wins). Hence the first match is the right one.
 */
public final class SnapshotReader<K, V> {

    private static final long GONE = Timestamps.NIL;
    /** Stands for a commit timestamp that is not given yet, and so is after every snapshot. */
    private static final long LATER = Long.MAX_VALUE;

    private final VersionedStore<K, V> store;
    private final CommitPlacement<K, V> placement;
    private final Clock clock;
    private final OmidLL.Settings settings;
    private final Tracer tracer;
    private final Function<OmidLLTransaction<K, V>, TransactionAbortedException> expire;
    private final boolean intents;
    /** Whether a writer has surely not asked to commit: {@link TransactionManager#isPending}. */
    private final LongPredicate pending;

    /** Asks nobody who is pending. */
    SnapshotReader(VersionedStore<K, V> store, CommitPlacement<K, V> placement, Clock clock, OmidLL.Settings settings,
            Tracer tracer, Function<OmidLLTransaction<K, V>, TransactionAbortedException> expire, boolean intents) {
        this(store, placement, clock, settings, tracer, expire, intents, writer -> false);
    }

    /**
     * @param expire  aborts a transaction that is past its deadline
     * @param intents whether records without commit cell are not to stay
     * @param pending whether a writer, by its start timestamp, has surely not asked to commit yet
     */
    public SnapshotReader(VersionedStore<K, V> store, CommitPlacement<K, V> placement, Clock clock, OmidLL.Settings settings,
            Tracer tracer, Function<OmidLLTransaction<K, V>, TransactionAbortedException> expire, boolean intents,
            LongPredicate pending) {
        this.store = store;
        this.placement = placement;
        this.clock = clock;
        this.settings = settings;
        this.tracer = tracer;
        this.expire = expire;
        this.intents = intents;
        this.pending = pending;
    }

    /** The record that the transaction reads: its own of the last level that it reads, else that of its snapshot. Null for none. */
    Record<V> read(OmidLLTransaction<K, V> tx, K key, Iterator<Record<V>> records) {
        long own = tx.ownVersion(key);
        return own == Timestamps.NIL ? traverse(tx, key, records) : readOwn(tx, key, own, records);
    }

    /** @param records hold it, unless they were fetched before it was written */
    private Record<V> readOwn(OmidLLTransaction<K, V> tx, K key, long version, Iterator<Record<V>> records) {
        Record<V> met = next(records);
        while (met != null && met.version() > version) {
            met = next(records);
        }
        Record<V> own = met != null && met.version() == version ? met : store.reread(key, version);
        requireInTime(tx);
        if (own == null) {
            throw new IllegalStateException("The store has lost version " + version + " of key " + key + ", which transaction " + tx.startTs()
                    + " has written.");
        }
        return own;
    }

    /** What was decided, unless the transaction has written the key itself, perhaps since it was decided. */
    Record<V> readDecided(OmidLLTransaction<K, V> tx, K key, Record<V> decided) {
        requireInTime(tx);
        long own = tx.ownVersion(key);
        return own == Timestamps.NIL || decided != null && decided.version() == own ? decided
                : readOwn(tx, key, own, Collections.emptyIterator());
    }

    private static <V> Record<V> next(Iterator<Record<V>> records) {
        return records.hasNext() ? records.next() : null;
    }

    /** All own records that were left to the store, newest first, and the one of others that the transaction would read below them. */
    List<Record<V>> readAll(OmidLLTransaction<K, V> tx, K key, Iterator<Record<V>> records) {
        List<Record<V>> all = new ArrayList<>();
        Record<V> met = next(records);
        while (met != null && met.version() >= tx.startTs()) {
            if (isListed(tx, key, met)) {
                all.add(met);
            }
            met = next(records);
        }
        Record<V> before = met == null ? traverse(tx, key, records) : traverse(tx, key, beginning(met, records));
        if (before != null) {
            all.add(before);
        }
        return all;
    }

    /** Guard: at whatever level, tombstones among them; but not again what was read from memory. */
    private boolean isListed(OmidLLTransaction<K, V> tx, K key, Record<V> own) {
        return writer(key, own) == tx.startTs() && isInStore(tx, key, own);
    }

    private static <K, V> boolean isInStore(OmidLLTransaction<K, V> tx, K key, Record<V> own) {
        return own.version() != tx.writePoint() || tx.ownWrite(key) == null;
    }

    private static <V> Iterator<Record<V>> beginning(Record<V> first, Iterator<Record<V>> others) {
        Iterator<Record<V>> one = List.of(first).iterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return one.hasNext() || others.hasNext();
            }

            @Override
            public Record<V> next() {
                return one.hasNext() ? one.next() : others.next();
            }
        };
    }

    /** The newest record that was committed before the transaction's snapshot; null if there is none. */
    Record<V> traverse(OmidLLTransaction<K, V> tx, K key, Iterator<Record<V>> records) {
        long cursor = tx.fetchPoint() + 1;
        long passed = Timestamps.NIL;
        for (Record<V> met = getRecord(tx, key, cursor, records); met != null; met = getRecord(tx, key, cursor, records)) {
            cursor = met.version();
            long writer = store.versions(key).writerOf(cursor);
            if (isAbove(tx, cursor) || isPassed(writer, passed)) {
                continue;
            }
            passed = writer;
            long commit = outcome(tx, key, met);
            if (committedBeforeSnapshot(tx, commit)) {
                return new Record<>(met.version(), met.value(), commit);
            }
            if (commit == GONE) {
                records = store.get(key, cursor - 1);
            }
        }
        return null;
    }

    /**
     * Guard: what lies above the snapshot is not asked for. It is the transaction's own, of a level that it does not read, and it would force
     * itself to abort; or somebody's who began later.
     */
    private static boolean isAbove(OmidLLTransaction<?, ?> tx, long version) {
        return version >= tx.startTs();
    }

    /** Guard: earlier levels of a writer whose last one was met are passed over, since their missing commit cells tell nothing. */
    private static boolean isPassed(long writer, long passed) {
        return writer == passed;
    }

    /** The next record below the cursor, null at the end. */
    private Record<V> getRecord(OmidLLTransaction<K, V> tx, K key, long cursor, Iterator<Record<V>> records) {
        Record<V> met = records.hasNext() ? records.next() : null;
        requireInTime(tx);
        if (met != null && met.version() >= cursor) {
            throw new IllegalStateException("The store returned version " + met.version() + " of key " + key
                    + " where one below " + cursor + " was due.");
        }
        if (tracer.on()) {
            tracer.event(Action.GetRecord, "txn", tx.startTs(), "key", key,
                    "met", met == null ? 0 : met.version(), "commit", met == null ? Timestamps.NIL : met.commit());
        }
        return met;
    }

    /** The same as {@link #decide}, from memory if the writer is known. */
    private long outcome(OmidLLTransaction<K, V> tx, K key, Record<V> met) {
        long known = met.hasCommitCell() || tracer.on() ? Timestamps.NIL : tx.outcomes().of(writer(key, met));
        if (known == Timestamps.NIL) {
            long found = decide(tx, key, met);
            if (!met.hasCommitCell() && found != GONE) {
                tx.outcomes().remember(writer(key, met), found);
            }
            return found;
        }
        if (known == LATER) {
            return known;
        }
        if (Timestamps.isTimestamp(known)) {
            healCommitCell(tx, key, met.version(), known);
        } else if (intents) {
            removeIntent(tx, key, met.version());
        }
        return known;
    }

    /** Asks the commit table about several writers at once, some of whose records are to be read next. */
    void lookUp(OmidLLTransaction<K, V> tx, Collection<Long> writers) {
        if (writers.size() < 2) {
            return; // as for nearly every row
        }
        long[] unknown = writers.stream().distinct().mapToLong(Long::longValue)
                .filter(writer -> tx.outcomes().of(writer) == Timestamps.NIL).toArray();
        if (tracer.on() || unknown.length < 2) {
            return;
        }
        long[] entries = placement.lookUp(unknown);
        for (int i = 0; i < unknown.length; i++) {
            if (Timestamps.isTimestamp(entries[i])) {
                tx.outcomes().remember(unknown[i], entries[i]);
            }
        }
    }

    /**
     * The commit timestamp of a record's writer, INVALIDATED if it has not committed and now never will, or GONE if the
     * record was removed before that could be found out.
     */
    private long decide(OmidLLTransaction<K, V> tx, K key, Record<V> met) {
        if (met.hasCommitCell()) {
            return met.commit();
        }
        long entry = getCommitEntry(tx, key, met);
        if (Timestamps.isTimestamp(entry)) {
            healCommitCell(tx, key, met.version(), entry);
            return entry;
        }
        if (entry == Timestamps.NIL && passPending(key, met)) {
            return LATER;
        }
        if (entry == Timestamps.NIL) {
            entry = invalidatePending(tx, key, met);
        }
        if (!Timestamps.isTimestamp(entry)) {
            return reReadRecord(tx, key, met.version());
        }
        if (intents) {
            healCommitCell(tx, key, met.version(), entry);
        }
        return entry;
    }

    private long writer(K key, Record<V> met) {
        return store.versions(key).writerOf(met.version());
    }

    /** Guard: whoever asks to commit from now on gets a timestamp above the snapshot, which was given before; no need to invalidate. */
    private boolean passPending(K key, Record<V> met) {
        return pending.test(writer(key, met));
    }

    private static boolean committedBeforeSnapshot(OmidLLTransaction<?, ?> tx, long commit) {
        return Timestamps.isTimestamp(commit) && commit < tx.startTs();
    }

    private long getCommitEntry(OmidLLTransaction<K, V> tx, K key, Record<V> met) {
        long entry = placement.lookUp(key, met);
        if (tracer.on()) {
            tracer.event(Action.GetCommitEntry, "txn", tx.startTs(), "met", writer(key, met), "entry", entry);
        }
        return entry;
    }

    /** Optional: spares the next reader a look at the commit table. Whether it works is no matter of this read. */
    private void healCommitCell(OmidLLTransaction<K, V> tx, K key, long met, long commitTs) {
        if (!settings.heal() && !intents) {
            return;
        }
        if (!isLastLevel(tx, key, met, commitTs)) {
            return;
        }
        if (tx.outcomes().gathers() && !intents && !tracer.on()) {
            if (tx.outcomes().gather(key, met, commitTs)) {
                healGathered(tx);
            }
            return;
        }
        try {
            store.putCommitCells(List.of(key), met, commitTs);
            if (tracer.on()) {
                tracer.event(Action.HealCommitCell, "txn", tx.startTs(), "key", key, "met", met, "commit", commitTs);
            }
        } catch (StoreException e) {
            // The entry stays until someone has written the cell.
        }
    }

    /**
     * Guard: only last levels get a commit cell. All levels of who committed before the snapshot were there when it was read. Whoever
     * committed later may have stored another one since, and it is there now.
     */
    private boolean isLastLevel(OmidLLTransaction<K, V> tx, K key, long met, long commitTs) {
        if (store.versions(key).levels() == 1 || commitTs < tx.startTs()) {
            return true;
        }
        try {
            Record<V> last = rereadLastLevel(key, met);
            return last != null && last.version() == met;
        } catch (StoreException e) {
            return false; // somebody else heals it
        }
    }

    /** Writes the commit cells that {@link Outcomes} has gathered, in one store call. */
    void healGathered(OmidLLTransaction<K, V> tx) {
        List<Committed<K>> heals = tx.outcomes().takeGathered();
        if (heals.isEmpty()) {
            return;
        }
        try {
            store.putCommitCells(heals);
        } catch (StoreException e) {
            // As above.
        }
    }

    /** Takes the right to commit from a pending writer, unless it was faster. Returns what is there then. */
    private long invalidatePending(OmidLLTransaction<K, V> tx, K key, Record<V> met) {
        if (settings.graceNanos() > 0) {
            clock.sleep(settings.graceNanos());
        }
        long previous = placement.invalidate(key, met);
        if (tracer.on()) {
            tracer.event(Action.InvalidatePending, "txn", tx.startTs(), "met", writer(key, met), "previous", previous);
        }
        return previous == Timestamps.NIL ? Timestamps.INVALIDATED : previous;
    }

    /**
     * The marker does not prove an abort: the entry may have been removed after a complete post-commit. Then the commit
     * cell is there now. A record that is gone was cleaned up, or it was a tombstone that hid nothing any more and was
     * collected under our eyes. Either way, what is below it in the store now decides. What had been fetched together
     * with it does not: it may hold the versions that the tombstone did hide, which were collected first.
     */
    private long reReadRecord(OmidLLTransaction<K, V> tx, K key, long met) {
        Record<V> now = rereadLastLevel(key, met);
        long commit = now == null ? Timestamps.NIL : now.commit();
        if (tracer.on()) {
            tracer.event(Action.ReReadRecord, "txn", tx.startTs(), "key", key, "met", met,
                    "gone", now == null, "commit", commit);
        }
        if (commit == Timestamps.NIL) {
            if (intents && now != null) {
                removeIntent(tx, key, met);
            }
            return now == null ? GONE : Timestamps.INVALIDATED;
        }
        removeFalseInvalidation(tx, store.versions(key).writerOf(met));
        return commit;
    }

    /** Of the writer of this version. */
    private Record<V> rereadLastLevel(K key, long met) {
        Versions versions = store.versions(key);
        if (versions.levels() == 1) {
            return store.reread(key, met);
        }
        Iterator<Record<V>> levels = store.get(key, versions.writerOf(met) + versions.levels() - 1);
        Record<V> last = levels.hasNext() ? levels.next() : null;
        return last == null || versions.writerOf(last.version()) != versions.writerOf(met) ? null : last;
    }

    /** It was aborted, and stays so. */
    private void removeIntent(OmidLLTransaction<K, V> tx, K key, long met) {
        try {
            store.remove(List.of(key), met);
            if (tracer.on()) {
                tracer.event(Action.RemoveIntent, "txn", tx.startTs(), "key", key, "met", met);
            }
        } catch (StoreException e) {
            // Whoever meets it next removes it.
        }
    }

    private void removeFalseInvalidation(OmidLLTransaction<K, V> tx, long met) {
        if (placement.isInStore()) {
            return; // nobody marks what is missing there
        }
        try {
            placement.remove(List.of(met));
            if (tracer.on()) {
                tracer.event(Action.RemoveFalseInvalidation, "txn", tx.startTs(), "met", met);
            }
        } catch (StoreException e) {
            // Harmless: readers find the commit cell first. The collector removes the marker.
        }
    }

    /**
     * Asked after the store has answered, not before: a record read in time is part of the snapshot however late we
     * look at it, one read late may lack newer versions that were collected once the manager had given this transaction
     * up. Later answers need no such test: a commit timestamp stays true, and without one we go on to the next record.
     */
    void requireInTime(OmidLLTransaction<K, V> tx) {
        if (clock.nanos() - tx.deadlineNanos() > 0) {
            throw expire.apply(tx);
        }
    }
}
