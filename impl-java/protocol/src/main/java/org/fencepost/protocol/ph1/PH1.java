package org.fencepost.protocol.ph1;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.Clock;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.ph1.RedoLog.RedoRecord;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;

/**
 * pH1, one instance of the middleware (Coelho et al. section IV, specs/PH1.tla): snapshot isolation over a store without versions.
 *
 * <p>A transaction gets a snapshot from the certifier, and buffers its writes. It reads the store; a value that was committed outside of
 * its snapshot was overwritten, and then the old one is in the version store. To commit, it asks the certifier for a commit timestamp, and
 * appends its writes to the redo log: that is the commit. Then it is flushed: the old values of its keys are saved in the version store of
 * every instance, and then the new ones put. When all are put, the certifier lets snapshots pass.
 *
 * <p>An instance may die between any two steps. Whoever calls {@link #redo} ends its flush, or aborts what has no record.
 *
 * <p>Reads never block. A transaction is aborted (UNREADABLE) where the version that it needs was lost with the instances that held it.
 *
 * <p>Thread-safe if its parts are; each {@link PH1Transaction} belongs to one thread at a time.
 *
 * @param <K> keys, with equals and hashCode
 * @param <V> values, never null, with equals and hashCode
 */
public final class PH1<K, V> {

    private final Certifier<K> certifier;
    private final RedoLog<K, V> log;
    private final UnversionedStore<K, V> store;
    private final VersionStore<K, V> npvs;
    private final Clock clock;
    private final long pauseNanos;
    private final int attempts;
    private final long patienceNanos;
    private final Tracer tracer;
    /** How many transactions have each snapshot. */
    private final TreeMap<Long, Integer> snapshots = new TreeMap<>();
    private long lastHorizon;

    /**
     * @param pauseNanos between two looks at the horizon, and two attempts
     * @param attempts   how often a begin looks, and a record, a version or a put is sent; at least 1
     */
    public PH1(Certifier<K> certifier, RedoLog<K, V> log, UnversionedStore<K, V> store, VersionStore<K, V> npvs, Clock clock, long pauseNanos, int attempts,
            Tracer tracer) {
        this(certifier, log, store, npvs, clock, pauseNanos, attempts, Long.MAX_VALUE, tracer);
    }

    /**
     * The same with a limit of time, for parts that take theirs to fail.
     *
     * @param patienceNanos after this long nothing is sent or looked at once more
     */
    public PH1(Certifier<K> certifier, RedoLog<K, V> log, UnversionedStore<K, V> store, VersionStore<K, V> npvs, Clock clock, long pauseNanos, int attempts,
            long patienceNanos, Tracer tracer) {
        if (attempts < 1 || pauseNanos < 0) {
            throw new IllegalArgumentException("pH1 needs at least one attempt and a pause of 0 or more: " + attempts + ", " + pauseNanos + ".");
        }
        this.certifier = certifier;
        this.log = log;
        this.store = store;
        this.npvs = npvs;
        this.clock = clock;
        this.pauseNanos = pauseNanos;
        this.attempts = attempts;
        this.patienceNanos = patienceNanos;
        this.tracer = tracer;
    }

    // ---- begin, write, read

    /**
     * Waits until the horizon has passed what was committed in the session.
     *
     * @throws TransactionManagerException if that takes too long, or the certifier does not answer; then there is no transaction
     */
    public PH1Transaction<K, V> begin(Session session) {
        long start = clock.nanos();
        long readTs = open();
        try {
            for (int attempt = 1; !seesSession(session, readTs); attempt++) {
                if (isEnough(attempt, start)) {
                    throw new TransactionManagerException("What this session committed at " + session.lastCommit()
                            + " is behind a flush that has not ended: begin again later, or have redo called.");
                }
                clock.sleep(pauseNanos);
                close(readTs);
                readTs = open();
            }
        } catch (RuntimeException | Error e) {
            close(readTs);
            throw e;
        }
        if (tracer.on()) {
            tracer.event(Action.Begin, "snapshot", readTs);
        }
        return new PH1Transaction<>(session, readTs);
    }

    private static boolean seesSession(Session session, long readTs) {
        return session.lastCommit() < readTs;
    }

    /** A snapshot that counts from before it is asked for: the horizon does not go back. */
    private long open() {
        long before;
        synchronized (this) {
            before = lastHorizon;
            snapshots.merge(before, 1, Integer::sum);
        }
        try {
            long readTs = certifier.horizon();
            synchronized (this) {
                snapshots.merge(readTs, 1, Integer::sum);
                lastHorizon = Math.max(lastHorizon, readTs);
            }
            return readTs;
        } finally {
            close(before);
        }
    }

    private synchronized void close(long readTs) {
        snapshots.computeIfPresent(readTs, (ts, count) -> count == 1 ? null : count - 1);
    }

    /** pH1 Alg. 1. */
    public void write(PH1Transaction<K, V> tx, K key, V value) {
        tx.requireActive();
        if (value == null) {
            throw new IllegalArgumentException("A value is not null: call delete.");
        }
        buffer(tx, key, value);
    }

    /** pH1 Alg. 2. */
    public void delete(PH1Transaction<K, V> tx, K key) {
        tx.requireActive();
        buffer(tx, key, null);
    }

    private void buffer(PH1Transaction<K, V> tx, K key, V value) {
        tx.writes().put(key, value);
        if (tracer.on()) {
            tracer.event(Action.Write, "snapshot", tx.readTs(), "key", key, "delete", value == null);
        }
    }

    /**
     * What the transaction sees of a key; null if there is nothing (pH1 Alg. 3).
     *
     * @throws TransactionAbortedException (UNREADABLE) if the version that it needs was lost
     * @throws StoreException              if the store does not answer; still active, the call may be repeated
     */
    public V read(PH1Transaction<K, V> tx, K key) {
        tx.requireActive();
        return isOwnWrite(tx, key) ? readOwnWrite(tx, key) : seen(tx, key, getCell(tx, key));
    }

    /**
     * What a transaction sees of the beginning of a range.
     *
     * @param found in order
     * @param last  up to which key, itself included, all was found; null: to the range's end
     */
    public record Page<K, V>(Map<K, V> found, K last) {
    }

    /**
     * What the transaction sees of a range of keys, its own writes included. Each key is a read, and throws as {@link #read} does.
     *
     * @param from  inclusive; null: from the first
     * @param to    exclusive; null: to the last
     * @param limit of the store's keys in one page, at least 1
     * @param order of keys, the store's
     */
    public Page<K, V> scan(PH1Transaction<K, V> tx, K from, K to, int limit, Comparator<K> order) {
        tx.requireActive();
        TreeMap<K, V> found = new TreeMap<>(order);
        int cells = 0;
        K last = null;
        for (Map.Entry<K, Cell<V>> entry : store.scan(from, to, limit).entrySet()) {
            cells++;
            last = entry.getKey();
            V value = isOwnWrite(tx, last) ? null : seen(tx, last, entry.getValue());
            if (value != null) {
                found.put(last, value);
            }
        }
        K end = cells < limit ? null : last;
        for (K key : tx.writes().keySet()) {
            boolean covered = (from == null || order.compare(from, key) <= 0) && (to == null || order.compare(key, to) < 0)
                    && (end == null || order.compare(key, end) <= 0);
            V value = covered ? readOwnWrite(tx, key) : null;
            if (value != null) {
                found.put(key, value);
            }
        }
        return new Page<>(found, end);
    }

    private boolean isOwnWrite(PH1Transaction<K, V> tx, K key) {
        return tx.writes().containsKey(key);
    }

    private V readOwnWrite(PH1Transaction<K, V> tx, K key) {
        V value = tx.writes().get(key);
        if (tracer.on()) {
            tracer.event(Action.ReadOwnWrite, "snapshot", tx.readTs(), "key", key, "gone", value == null);
        }
        return value;
    }

    private Cell<V> getCell(PH1Transaction<K, V> tx, K key) {
        Cell<V> cell = store.get(key);
        if (tracer.on()) {
            tracer.event(Action.GetCell, "snapshot", tx.readTs(), "key", key, "from", Cell.tsOf(cell));
        }
        return cell;
    }

    private V seen(PH1Transaction<K, V> tx, K key, Cell<V> cell) {
        return committedBefore(Cell.tsOf(cell), tx.readTs()) ? Cell.valueOf(cell) : getVersion(tx, key);
    }

    /** Commits below the snapshot are in it; one that it was given at is not (pH1 Alg. 3 and its text differ). */
    private static boolean committedBefore(long ts, long readTs) {
        return ts < readTs;
    }

    private V getVersion(PH1Transaction<K, V> tx, K key) {
        KeyVersion<V> version = null;
        StoreException why = null;
        try {
            version = npvs.read(key, tx.readTs());
        } catch (StoreException e) {
            why = e;
        }
        if (tracer.on()) {
            tracer.event(Action.GetVersion, "snapshot", tx.readTs(), "key", key, "from", version == null ? -1 : version.from());
        }
        if (version == null) {
            throw abort(tx, AbortCause.UNREADABLE, why);
        }
        return version.value();
    }

    // ---- commit

    /** Ends the transaction without commit. */
    public void rollback(PH1Transaction<K, V> tx) {
        tx.requireActive();
        traceRollback(tx);
        end(tx, TransactionStatus.ABORTED);
    }

    private void traceRollback(PH1Transaction<K, V> tx) {
        if (tracer.on()) {
            tracer.event(Action.Rollback, "snapshot", tx.readTs());
        }
    }

    /**
     * Returns when the values can be read by who begins in this session, and by others as soon as earlier flushes have ended.
     *
     * @throws TransactionAbortedException if it did not commit and never will
     * @throws OutcomeUnknownException     if the redo log does not tell, or the flush was not ended; {@link #redo} of any instance does
     */
    public void commit(PH1Transaction<K, V> tx) {
        tx.requireActive();
        if (tx.writes().isEmpty()) {
            if (tracer.on()) {
                tracer.event(Action.EndReadOnly, "snapshot", tx.readTs());
            }
            end(tx, TransactionStatus.COMMITTED);
            return;
        }
        requestCommit(tx);
        RedoRecord<K, V> record = new RedoRecord<>(tx.commitTs(), new LinkedHashMap<>(tx.writes()));
        try {
            if (!retried(() -> appendRecord(record))) {
                throw abort(tx, AbortCause.SETTLED, null);
            }
            flush(record);
            answer(tx);
        } catch (StoreException | TransactionManagerException e) {
            end(tx, TransactionStatus.UNKNOWN);
            throw new OutcomeUnknownException(tx.readTs(), tx.commitTs(), e);
        }
    }

    private void requestCommit(PH1Transaction<K, V> tx) {
        long answer;
        try {
            answer = certifier.requestCommit(tx.readTs(), tx.writes().keySet());
        } catch (TransactionManagerException e) {
            traceRollback(tx);
            throw abort(tx, AbortCause.MANAGER_UNREACHABLE, e); // redo aborts what it may have certified
        }
        if (answer == Certifier.CONFLICT) {
            throw abort(tx, AbortCause.CONFLICT, null);
        }
        if (answer == Certifier.BELOW_WATERMARK) {
            throw abort(tx, AbortCause.BELOW_WATERMARK, null);
        }
        tx.certified(answer);
    }

    /** Whether the log says that the transaction commits. */
    private boolean appendRecord(RedoRecord<K, V> record) {
        RedoRecord<K, V> first = log.append(record);
        if (tracer.on()) {
            tracer.event(Action.AppendRecord, "commit", record.commitTs(), "commits", first.commits());
        }
        return first.commits();
    }

    private void answer(PH1Transaction<K, V> tx) {
        tx.session().committed(tx.commitTs());
        end(tx, TransactionStatus.COMMITTED);
        if (tracer.on()) {
            tracer.event(Action.Answer, "commit", tx.commitTs());
        }
    }

    private TransactionAbortedException abort(PH1Transaction<K, V> tx, AbortCause cause, Throwable why) {
        end(tx, TransactionStatus.ABORTED);
        return new TransactionAbortedException(tx.readTs(), cause, why);
    }

    private void end(PH1Transaction<K, V> tx, TransactionStatus outcome) {
        tx.finish(outcome);
        close(tx.readTs());
    }

    // ---- flush and redo

    /** Saves and puts the keys of a record, all together (pH1 section 4-B, Flush). A step that fails is begun anew. */
    private void flush(RedoRecord<K, V> record) {
        Set<K> keys = retried(() -> {
            Map<K, KeyVersion<V>> old = overwritten(record);
            save(record, old);
            return old.keySet();
        });
        retried(() -> put(record, keys));
        retried(() -> {
            certifier.complete(record.commitTs());
            return true;
        });
    }

    /** What the keys had that are still to be put: another flusher may have put some. */
    private Map<K, KeyVersion<V>> overwritten(RedoRecord<K, V> record) {
        Map<K, Cell<V>> cells = store.get(record.writes().keySet());
        Map<K, KeyVersion<V>> old = new LinkedHashMap<>();
        for (K key : record.writes().keySet()) {
            Cell<V> cell = cells.get(key);
            if (Cell.tsOf(cell) < record.commitTs()) {
                old.put(key, new KeyVersion<>(Cell.tsOf(cell), Cell.valueOf(cell), record.commitTs()));
            } else if (tracer.on()) {
                tracer.event(Action.FindPut, "commit", record.commitTs(), "key", key);
            }
        }
        return old;
    }

    private void save(RedoRecord<K, V> record, Map<K, KeyVersion<V>> old) {
        if (old.isEmpty()) {
            return;
        }
        npvs.save(old);
        trace(Action.Save, record, old.keySet());
    }

    private boolean put(RedoRecord<K, V> record, Set<K> keys) {
        Map<K, Cell<V>> cells = new LinkedHashMap<>();
        keys.forEach(key -> cells.put(key, new Cell<>(record.commitTs(), record.writes().get(key))));
        store.put(cells);
        trace(Action.Put, record, keys);
        return true;
    }

    private void trace(Action action, RedoRecord<K, V> record, Set<K> keys) {
        if (tracer.on()) {
            keys.forEach(key -> tracer.event(action, "commit", record.commitTs(), "key", key));
        }
    }

    /**
     * Ends what stands in the way of the horizon: flushes what has its record, aborts what has none. Harmless where the transaction's own instance is alive,
     * though it may be aborted by that.
     *
     * @throws StoreException              if the log, the store or the version store does not answer; to be called again
     * @throws TransactionManagerException the same of the certifier
     */
    public void redo(long commitTs) {
        RedoRecord<K, V> record = log.find(commitTs);
        if (record == null) {
            record = appendAbort(commitTs);
        }
        if (record.commits()) {
            if (tracer.on()) {
                tracer.event(Action.Redo, "commit", commitTs);
            }
            flush(record);
        } else {
            certifier.release(commitTs);
        }
    }

    private RedoRecord<K, V> appendAbort(long commitTs) {
        RedoRecord<K, V> first = log.append(new RedoRecord<>(commitTs, null));
        if (tracer.on()) {
            tracer.event(Action.AppendAbort, "commit", commitTs, "commits", first.commits());
        }
        return first;
    }

    private <T> T retried(Supplier<T> step) {
        long start = clock.nanos();
        for (int attempt = 1;; attempt++) {
            try {
                return step.get();
            } catch (StoreException | TransactionManagerException e) {
                if (isEnough(attempt, start)) {
                    throw e;
                }
                clock.sleep(pauseNanos);
            }
        }
    }

    private boolean isEnough(int attempt, long startNanos) {
        return attempt >= attempts || clock.nanos() - startNanos > patienceNanos;
    }

    // ---- eviction and collection

    /** Tells the others how old this instance's snapshots are, and has versions evicted that nobody needs any more. To be called now and then. */
    public void evict() {
        close(open()); // so that the floor rises where nobody begins
        npvs.tellFloor(floor());
        long below = npvs.oldestSnapshot();
        npvs.evict(below);
        if (tracer.on()) {
            tracer.event(Action.Evict, "below", below);
        }
    }

    /** No snapshot of the instance is below, nor will be: the certifier's horizon does not go back. */
    private synchronized long floor() {
        return snapshots.isEmpty() ? lastHorizon : Math.min(lastHorizon, snapshots.firstKey());
    }

    /**
     * Removes the cell of a deleted key if nobody needs it any more.
     *
     * @param below only deletions below; so old that no put from before is under way
     * @return whether it was removed
     */
    public boolean collectTombstone(K key, long below) {
        Cell<V> cell = store.get(key);
        boolean collectable = cell != null && cell.value() == null && cell.ts() < below
                && cell.ts() < npvs.oldestSnapshot() && npvs.hasAllInstances();
        if (collectable) {
            store.delete(key, cell.ts());
            if (tracer.on()) {
                tracer.event(Action.CollectTombstone, "key", key, "commit", cell.ts());
            }
        }
        return collectable;
    }
}
