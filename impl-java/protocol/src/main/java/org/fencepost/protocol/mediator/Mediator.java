package org.fencepost.protocol.mediator;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.Clock;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;

/**
 * Mediator, the client's part (SYSTOR'14 Alg. 1 and 4, specs/Mediator.tla): transactions on data that others put and get
 * natively, under snapshot isolation or serializability.
 *
 * <p>A transaction gets a start timestamp from the status oracle, and buffers its writes. To commit, it asks the oracle for a
 * commit timestamp, which checks for conflicts with other transactions and enters it into the ring; lets the servers look for
 * native puts that conflict, behind a fence; and appends its write set to the log. That is the commit. Then it writes the
 * write set back, which makes it visible, and only then commit returns.
 *
 * <p>Under snapshot isolation it reads what was there at its start, behind a fence. Transactions that were in the ring at that time
 * may not have written back yet: their filters tell which versions are due, and where one is missing the read is tried
 * again, and in the end the transaction gives up. What is written is checked for conflicts. Under serializability it
 * reads the latest version, and what is read is checked, of read-only transactions, too.
 *
 * <p>A transaction of one write and no read is a native put that is stamped after its start.
 *
 * <p>A client may die between any two steps. Before the log has its record, the helper aborts it, by a record; afterwards the
 * helper writes it back.
 *
 * <p>A process that wants its own accesses to a key kept in order does nothing natively while its transaction is open.
 *
 * <p>Thread-safe if its parts are; each {@link MediatorTransaction} belongs to one thread at a time. Every method on a transaction
 * throws {@link org.fencepost.protocol.TransactionFinishedException} once that is over.
 *
 * @param <K> keys, with equals and hashCode
 * @param <V> values, never null
 */
public final class Mediator<K, V> {

    /**
     * @param serializable serializability (Alg. 4); else snapshot isolation
     * @param readAttempts how often a read looks for what is due (Alg. 1: RETRY_GET); at least 1
     * @param pauseNanos   between two such looks
     * @param attempts     how often a check, a log record or a write-back is sent; at least 1
     */
    public record Settings(boolean serializable, int readAttempts, long pauseNanos, int attempts) {

        public Settings {
            if (readAttempts < 1 || pauseNanos < 0 || attempts < 1) {
                throw new IllegalArgumentException("Settings need at least one attempt to read and one to commit, and a pause of 0"
                        + " or more: " + readAttempts + ", " + attempts + ", " + pauseNanos + ".");
            }
        }
    }

    private final Oracle oracle;
    private final Log<Map<K, V>> log;
    private final DataServers<K, V> servers;
    private final Clock clock;
    private final ToLongFunction<? super K> hash;
    private final Settings settings;
    private final Tracer tracer;

    /** @param hash 64-bit hash of a key, or of a coarser unit that contains it: what transactions conflict on */
    public Mediator(Oracle oracle, Log<Map<K, V>> log, DataServers<K, V> servers, Clock clock, ToLongFunction<? super K> hash,
            Settings settings, Tracer tracer) {
        this.oracle = oracle;
        this.log = log;
        this.servers = servers;
        this.clock = clock;
        this.hash = hash;
        this.settings = settings;
        this.tracer = tracer;
    }

    // ---- begin, read, write

    /** Throws {@link TransactionManagerException} if the status oracle does not answer; then there is no transaction. */
    public MediatorTransaction<K, V> begin() {
        MediatorTransaction<K, V> tx = new MediatorTransaction<>(oracle.begin(!settings.serializable()));
        if (tracer.on()) {
            tracer.event(Action.Begin, "txn", tx.startTs());
        }
        return tx;
    }

    /**
     * What the transaction sees of some keys, its own writes first (with the start timestamp); keys that have nothing are left out.
     * A key that was read before is the same again.
     *
     * @throws TransactionAbortedException (UNREADABLE) if something due is not written back in time
     * @throws StoreException              if a server does not answer; still active, the call may be repeated
     */
    public Map<K, Version<V>> read(MediatorTransaction<K, V> tx, Collection<K> keys) {
        tx.requireActive();
        Map<K, Version<V>> found = new LinkedHashMap<>();
        List<K> missing = new ArrayList<>();
        for (K key : keys) {
            if (tx.ownWrite(key) != null) {
                found.put(key, new Version<>(tx.startTs(), tx.ownWrite(key)));
            } else if (!tx.reads().containsKey(key)) {
                missing.add(key);
            } else if (tx.reads().get(key) != null) {
                found.put(key, tx.reads().get(key));
            }
        }
        if (!missing.isEmpty()) {
            found.putAll(settings.serializable() ? readLatest(tx, missing) : readSnapshot(tx, missing));
        }
        return found;
    }

    private Map<K, Version<V>> readLatest(MediatorTransaction<K, V> tx, List<K> keys) {
        Map<K, Version<V>> found = servers.get(keys);
        for (K key : keys) {
            tx.reads().put(key, found.get(key));
            txGet(tx, key, found.get(key));
        }
        return found;
    }

    private Map<K, Version<V>> readSnapshot(MediatorTransaction<K, V> tx, List<K> keys) {
        Map<K, Version<V>> found = new LinkedHashMap<>();
        List<K> missing = keys;
        for (int attempt = 1; !missing.isEmpty(); attempt++) {
            Map<K, Long> due = latestCommitted(tx, missing);
            Map<K, Version<V>> answer = servers.txGet(due, tx.startTs());
            List<K> late = new ArrayList<>();
            for (K key : missing) {
                Version<V> version = answer.get(key);
                if (!isDue(version, due.get(key))) {
                    late.add(key);
                    continue;
                }
                txGet(tx, key, version);
                if (version != null) {
                    found.put(key, version);
                }
            }
            missing = late;
            if (!missing.isEmpty() && attempt == settings.readAttempts()) {
                throw giveUp(tx);
            }
            if (!missing.isEmpty()) {
                clock.sleep(settings.pauseNanos());
            }
        }
        return found;
    }

    private Map<K, Long> latestCommitted(MediatorTransaction<K, V> tx, List<K> keys) {
        Map<K, Long> latest = new LinkedHashMap<>();
        keys.forEach(key -> latest.put(key, tx.replica().latestCommitted(hash.applyAsLong(key))));
        return latest;
    }

    /** Guard (SYSTOR'14 Alg. 1, line 5): what was read is not older than what the ring says is due. */
    private static boolean isDue(Version<?> version, long due) {
        return ts(version) >= due;
    }

    private static long ts(Version<?> version) {
        return version == null ? Timestamps.NIL : version.ts();
    }

    private void txGet(MediatorTransaction<K, V> tx, K key, Version<V> version) {
        tx.noteRead();
        if (tracer.on()) {
            tracer.event(Action.TxGet, "txn", tx.startTs(), "key", key, "from", ts(version));
        }
    }

    /** What is due cannot be read. The status oracle has not heard of the transaction since its begin. */
    private TransactionAbortedException giveUp(MediatorTransaction<K, V> tx) {
        if (tracer.on()) {
            tracer.event(Action.GiveUp, "txn", tx.startTs());
        }
        return abort(tx, AbortCause.UNREADABLE, null);
    }

    /** Adds a write to the write set; commit sends it. A later write of the key replaces it. */
    public void txPut(MediatorTransaction<K, V> tx, K key, V value) {
        tx.requireActive();
        if (tx.writes().put(key, value) == null && tracer.on()) {
            tracer.event(Action.TxPut, "txn", tx.startTs(), "key", key);
        }
    }

    // ---- commit

    /**
     * Commits; on return the writes are visible to every transaction that begins from now on, and to native gets.
     *
     * @throws TransactionAbortedException if it did not commit and never will
     * @throws OutcomeUnknownException     if the answer was lost, or if it has committed and could not be written back to the
     *                                     last key, which the helper will do: see {@link #resolve}. What else is thrown, by a
     *                                     part that fails in a way of its own, leaves the transaction ABORTED if nothing can
     *                                     have committed it, else UNKNOWN
     */
    public void commit(MediatorTransaction<K, V> tx) {
        tx.requireActive();
        if (isPutTransaction(tx)) {
            ending(tx, TransactionStatus.UNKNOWN, () -> localCommit(tx));
            return;
        }
        if (!needsNoCommit(tx)) {
            ending(tx, TransactionStatus.ABORTED, () -> {
                txTryCommit(tx);
                checkConflicts(tx);
            });
        }
        if (tx.writes().isEmpty()) {
            endReadOnly(tx);
            return;
        }
        ending(tx, TransactionStatus.UNKNOWN, () -> {
            appendLog(tx);
            writeBack(tx);
            txCommit(tx);
        });
    }

    /** A step that fails in a way that it does not know itself ends the transaction so: it is not to stay half-way. */
    private static void ending(MediatorTransaction<?, ?> tx, TransactionStatus otherwise, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            if (!tx.isOver()) {
                tx.finish(otherwise);
            }
            throw e;
        }
    }

    /** A transaction of one put commits as a native one (SYSTOR'14 Alg. 1, line 13). */
    private boolean isPutTransaction(MediatorTransaction<K, V> tx) {
        return !tx.hasRead() && tx.writes().size() == 1;
    }

    /** Guard (SYSTOR'14 sec. 4.5): under serializability a read-only transaction is validated like any other. */
    private boolean needsNoCommit(MediatorTransaction<K, V> tx) {
        return tx.writes().isEmpty() && (!settings.serializable() || !tx.hasRead());
    }

    private void endReadOnly(MediatorTransaction<K, V> tx) {
        if (tracer.on() && tx.hasRead()) {
            tracer.event(Action.EndReadOnly, "txn", tx.startTs());
        }
        tx.finish(TransactionStatus.COMMITTED);
    }

    private void localCommit(MediatorTransaction<K, V> tx) {
        Map.Entry<K, V> write = tx.writes().entrySet().iterator().next();
        try {
            tx.certified(servers.localCommit(write.getKey(), write.getValue(), tx.startTs()));
        } catch (StoreException e) {
            tx.finish(TransactionStatus.UNKNOWN);
            throw new OutcomeUnknownException(tx.startTs(), Timestamps.NIL, e);
        }
        if (tracer.on()) {
            tracer.tell(Action.LocalCommit, "txn", tx.startTs(), "key", write.getKey(), "commit", tx.commitTs());
        }
        tx.finish(TransactionStatus.COMMITTED);
    }

    /** The keys for which the transaction is checked, with the timestamp since when nobody else may have written them. */
    private Map<K, Long> conflictSet(MediatorTransaction<K, V> tx) {
        Map<K, Long> since = new LinkedHashMap<>();
        if (settings.serializable()) {
            tx.reads().forEach((key, version) -> since.put(key, ts(version)));
        } else {
            tx.writes().keySet().forEach(key -> since.put(key, tx.startTs()));
        }
        return since;
    }

    private long[] hashes(Collection<K> keys) {
        return keys.stream().mapToLong(hash).toArray();
    }

    private void txTryCommit(MediatorTransaction<K, V> tx) {
        Map<K, Long> since = conflictSet(tx);
        long answer;
        try {
            answer = oracle.txTryCommit(tx.startTs(), hashes(tx.writes().keySet()), hashes(since.keySet()),
                    since.values().stream().mapToLong(Long::longValue).toArray());
        } catch (TransactionManagerException e) {
            throw abort(tx, AbortCause.MANAGER_UNREACHABLE, e); // if it has an entry, the helper will find no record for it
        }
        if (tracer.on()) {
            tracer.event(Action.TxTryCommit, "txn", tx.startTs(), "answer", answer);
        }
        if (answer == TransactionManager.CONFLICT) {
            throw abort(tx, AbortCause.CONFLICT, null);
        }
        if (answer == TransactionManager.BELOW_WATERMARK) {
            throw abort(tx, AbortCause.BELOW_WATERMARK, null);
        }
        tx.certified(answer);
    }

    /** Guard (SYSTOR'14 Alg. 1, line 30): all keys are checked, and all servers fenced, before the transaction commits. */
    private void checkConflicts(MediatorTransaction<K, V> tx) {
        StoreException lost = null;
        for (int attempt = 0; attempt < settings.attempts(); attempt++) {
            try {
                if (!txCheckConflict(tx)) {
                    throw abortCertified(tx, AbortCause.NATIVE_CONFLICT, null);
                }
                return;
            } catch (StoreException e) {
                lost = e;
            }
        }
        throw abortCertified(tx, AbortCause.UNCHECKED, lost);
    }

    private boolean txCheckConflict(MediatorTransaction<K, V> tx) {
        boolean free = servers.txCheckConflict(conflictSet(tx), needFence(tx), tx.commitTs());
        if (tracer.on()) {
            tracer.event(Action.TxCheckConflict, "txn", tx.startTs(), "free", free);
        }
        return free;
    }

    /** Guard (erratum to SYSTOR'14 Alg. 4): under serializability, too, the servers of the write set are fenced. */
    private Set<K> needFence(MediatorTransaction<K, V> tx) {
        return tx.writes().keySet();
    }

    private TransactionAbortedException abortCertified(MediatorTransaction<K, V> tx, AbortCause why, Throwable cause) {
        if (!tx.writes().isEmpty()) {
            tsoAbort(tx);
        }
        return abort(tx, why, cause);
    }

    /** No record was sent and none will be, so the abort needs none either. */
    private void tsoAbort(MediatorTransaction<K, V> tx) {
        try {
            oracle.tsoAbort(tx.commitTs());
            if (tracer.on()) {
                tracer.event(Action.TsoAbort, "txn", tx.startTs());
            }
        } catch (TransactionManagerException e) {
            // The helper aborts it.
        }
    }

    /** The commit point. A record that was not answered is sent again: of two, the first one counts. */
    private void appendLog(MediatorTransaction<K, V> tx) {
        LogRecord<Map<K, V>> record = new LogRecord<>(tx.startTs(), tx.commitTs(), tx.writes());
        StoreException lost = null;
        for (int attempt = 0; attempt < settings.attempts(); attempt++) {
            try {
                boolean commits = log.append(record);
                if (tracer.on()) {
                    tracer.tell(Action.AppendLog, "txn", tx.startTs(), "commits", commits);
                }
                if (!commits) {
                    throw abort(tx, AbortCause.SETTLED, null);
                }
                return;
            } catch (StoreException e) {
                lost = e;
            }
        }
        throw unknown(tx, lost);
    }

    /** Guard (SYSTOR'14 Alg. 1, lines 38 and 39): a commit is answered, and its entry complete, when all is written back. */
    private void writeBack(MediatorTransaction<K, V> tx) {
        StoreException lost = null;
        for (int attempt = 0; attempt < settings.attempts(); attempt++) {
            try {
                servers.writeBack(tx.writes(), tx.commitTs());
                if (tracer.on()) {
                    tracer.tell(Action.WriteBack, "txn", tx.startTs());
                }
                return;
            } catch (StoreException e) {
                lost = e;
            }
        }
        throw unknown(tx, lost);
    }

    private OutcomeUnknownException unknown(MediatorTransaction<K, V> tx, StoreException lost) {
        tx.finish(TransactionStatus.UNKNOWN);
        return new OutcomeUnknownException(tx.startTs(), tx.commitTs(), lost);
    }

    /** The oracle is told, and not waited for. What does not reach it, the helper finds in the log. */
    private void txCommit(MediatorTransaction<K, V> tx) {
        try {
            oracle.txCommit(tx.commitTs());
        } catch (RuntimeException e) {
            // The helper settles the entry.
        }
        if (tracer.on()) {
            tracer.tell(Action.TxCommit, "txn", tx.startTs());
        }
        tx.finish(TransactionStatus.COMMITTED);
    }

    /**
     * What became of a transaction after {@link OutcomeUnknownException}, by asking the log to abort it: if nothing of it has
     * come there, it is aborted now. COMMITTED may mean that the helper is still to write some of it back. UNKNOWN: it was a
     * put transaction, of which nobody can tell. Any client may ask. Throws {@link StoreException} if the log does not answer; try again then.
     */
    public TransactionStatus resolve(long startTs, long commitTs) {
        if (commitTs == Timestamps.NIL) {
            return TransactionStatus.UNKNOWN;
        }
        return log.append(LogRecord.abort(commitTs)) ? TransactionStatus.COMMITTED : TransactionStatus.ABORTED;
    }

    // ---- abort

    /** Gives the transaction up; nobody need be told. */
    public void rollback(MediatorTransaction<K, V> tx) {
        tx.requireActive();
        abort(tx, AbortCause.ROLLED_BACK, null);
    }

    private TransactionAbortedException abort(MediatorTransaction<K, V> tx, AbortCause why, Throwable cause) {
        tx.finish(TransactionStatus.ABORTED);
        return new TransactionAbortedException(tx.startTs(), why, cause);
    }
}
