package org.fencepost.protocol.omid;

import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.fencepost.protocol.Clock;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.store.CommitTable;
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
 * <p>In Omid 2PC a record without commit cell, an intent, keeps others from writing the key. There, whoever has found out
 * what became of it does away with it: writes the commit cell in any case, or removes the record.
 *
 * <p>What became of a writer is remembered for the rest of the transaction (a trace shows every look, so a traced reader
 * remembers nothing). A commit timestamp stays what it is. Nor can a writer commit any more one of whose records was found
 * without commit cell after the marker: while it has an entry, that is the marker; and had it committed before, its entry
 * would not have gone before that commit cell was there. So its other records without commit cell are void, too.
 *
 * <p>Version order is commit order, although versions are start timestamps: of two committed writers of a key the first
 * committed before the second began (first committer wins). Hence the first match is the right one.
 */
public final class SnapshotReader<K, V> {

    private static final long GONE = Timestamps.NIL;

    private final VersionedStore<K, V> store;
    private final CommitTable commitTable;
    private final Clock clock;
    private final OmidLL.Settings settings;
    private final Tracer tracer;
    private final Function<OmidLLTransaction<K, V>, TransactionAbortedException> expire;
    private final boolean intents;

    /**
     * @param expire  aborts a transaction that is past its deadline
     * @param intents whether records without commit cell are not to stay
     */
    public SnapshotReader(VersionedStore<K, V> store, CommitTable commitTable, Clock clock, OmidLL.Settings settings,
            Tracer tracer, Function<OmidLLTransaction<K, V>, TransactionAbortedException> expire, boolean intents) {
        this.store = store;
        this.commitTable = commitTable;
        this.clock = clock;
        this.settings = settings;
        this.tracer = tracer;
        this.expire = expire;
        this.intents = intents;
    }

    /** The newest record that was committed before the transaction's snapshot; null if there is none. */
    Record<V> traverse(OmidLLTransaction<K, V> tx, K key, Iterator<Record<V>> records) {
        long cursor = tx.startTs();
        for (Record<V> met = getRecord(tx, key, cursor, records); met != null; met = getRecord(tx, key, cursor, records)) {
            long commit = outcome(tx, key, met);
            if (committedBeforeSnapshot(tx, commit)) {
                return new Record<>(met.version(), met.value(), commit);
            }
            cursor = met.version();
            if (commit == GONE) {
                records = store.get(key, cursor - 1);
            }
        }
        return null;
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
        long known = met.hasCommitCell() || tracer.on() ? Timestamps.NIL : tx.outcomes().of(met.version());
        if (known == Timestamps.NIL) {
            long found = decide(tx, key, met);
            if (!met.hasCommitCell() && found != GONE) {
                tx.outcomes().remember(met.version(), found);
            }
            return found;
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
        long[] unknown = writers.stream().distinct().mapToLong(Long::longValue)
                .filter(writer -> tx.outcomes().of(writer) == Timestamps.NIL).toArray();
        if (tracer.on() || unknown.length < 2) {
            return;
        }
        long[] entries = commitTable.get(unknown);
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
        long entry = getCommitEntry(tx, met.version());
        if (Timestamps.isTimestamp(entry)) {
            healCommitCell(tx, key, met.version(), entry);
            return entry;
        }
        if (entry == Timestamps.NIL) {
            entry = invalidatePending(tx, met.version());
        }
        if (!Timestamps.isTimestamp(entry)) {
            return reReadRecord(tx, key, met.version());
        }
        if (intents) {
            healCommitCell(tx, key, met.version(), entry);
        }
        return entry;
    }

    private static boolean committedBeforeSnapshot(OmidLLTransaction<?, ?> tx, long commit) {
        return Timestamps.isTimestamp(commit) && commit < tx.startTs();
    }

    private long getCommitEntry(OmidLLTransaction<K, V> tx, long met) {
        long entry = commitTable.get(met);
        if (tracer.on()) {
            tracer.event(Action.GetCommitEntry, "txn", tx.startTs(), "met", met, "entry", entry);
        }
        return entry;
    }

    /** Optional: spares the next reader a look at the commit table. Whether it works is no matter of this read. */
    private void healCommitCell(OmidLLTransaction<K, V> tx, K key, long met, long commitTs) {
        if (!settings.heal() && !intents) {
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

    /** Takes the right to commit from a pending writer, unless it was faster. Returns what is in the table then. */
    private long invalidatePending(OmidLLTransaction<K, V> tx, long met) {
        if (settings.graceNanos() > 0) {
            clock.sleep(settings.graceNanos());
        }
        long previous = commitTable.checkAndMutate(met, Timestamps.INVALIDATED);
        if (tracer.on()) {
            tracer.event(Action.InvalidatePending, "txn", tx.startTs(), "met", met, "previous", previous);
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
        Record<V> now = store.reread(key, met);
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
        removeFalseInvalidation(tx, met);
        return commit;
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
        try {
            commitTable.remove(met);
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
    private void requireInTime(OmidLLTransaction<K, V> tx) {
        if (clock.nanos() - tx.deadlineNanos() > 0) {
            throw expire.apply(tx);
        }
    }
}
