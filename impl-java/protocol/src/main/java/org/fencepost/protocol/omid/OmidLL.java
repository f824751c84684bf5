package org.fencepost.protocol.omid;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.Clock;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.TransactionFinishedException;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.store.BatchStore;
import org.fencepost.protocol.store.CommitTable;
import org.fencepost.protocol.store.Committed;
import org.fencepost.protocol.store.PutRefusedException;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.VersionedStore;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;

/**
 * Omid LL, the client's part (VLDB'18 Alg. 3).
 *
 * <p>A transaction gets a start timestamp from the manager and writes tentative records whose version it is. To commit,
 * it asks the manager for a commit timestamp, which checks write-write conflicts, and then writes the commit entry into
 * the commit table by check-and-mutate: that single step decides. Afterwards, at leisure, it copies the commit
 * timestamp into the commit cells of its records and removes the entry.
 *
 * <p>Readers ({@link SnapshotReader}) look up writers in the commit table where the commit cell is still empty, and take
 * the right to commit from those that are pending.
 *
 * <p>A transaction may write in levels ({@link #checkpoint}, VLDB'18 section 6.2): the records of a level have a version of their own,
 * and all share the commit entry. Others see the last level of each key, which alone gets a commit cell.
 *
 * <p>A transaction whose writes are all buffered until it commits may take fewer trips: see {@link OnePhase}. One that reads nothing need not
 * ask before it commits ({@link #beginBlind}).
 *
 * <p>A client may die between any two steps. What it leaves behind is finished by readers and by the {@link Collector}.
 *
 * <p>Thread-safe if its parts are; each {@link OmidLLTransaction} belongs to one thread at a time. Every method on a
 * transaction throws {@link TransactionFinishedException} once that is over. {@link StoreException} from a read or a
 * write leaves the transaction active; the call may be repeated.
 */
public class OmidLL<K, V> {

    /**
     * @param lifetimeNanos  how long after begin a transaction may read; shorter where the transaction manager tells a
     *                       shorter lifetime, less what the two clocks may drift apart
     * @param graceNanos     how long a reader waits before it invalidates a pending writer (section 3.2); 0: not at all
     * @param departNanos    how long after the manager was asked to certify a transaction its puts may still depart
     * @param commitAttempts how often a commit entry is written before the outcome is given up as unknown; at least 1
     * @param heal           whether readers write the commit cells that they find missing
     */
    public record Settings(long lifetimeNanos, long graceNanos, long departNanos, int commitAttempts, boolean heal) {

        public Settings {
            if (lifetimeNanos <= 0 || graceNanos < 0 || departNanos <= 0 || commitAttempts < 1) {
                throw new IllegalArgumentException("Settings need a positive lifetime, a grace of 0 or more, a positive time to depart, and at"
                        + " least one commit attempt: " + lifetimeNanos + ", " + graceNanos + ", " + departNanos + ", " + commitAttempts + ".");
            }
        }
    }

    /** Within a lifetime, two clocks drift apart by less than this part of it. */
    private static final long DRIFT = 16;

    private final VersionedStore<K, V> store;
    /** Null where commit entries are elsewhere. */
    private final CommitTable commitTable;
    private final CommitPlacement<K, V> placement;
    private final TransactionManager manager;
    protected final Clock clock;
    private final ToLongFunction<? super K> conflictHash;
    private final Function<Collection<K>, long[]> tables;
    private final Settings settings;
    protected final Tracer tracer;
    private final SnapshotReader<K, V> reader;
    private final OnePhase<K, V> onePhase;

    /** Over keys that no fence is ever put around. */
    public OmidLL(VersionedStore<K, V> store, CommitTable commitTable, TransactionManager manager, Clock clock,
            ToLongFunction<? super K> conflictHash, Settings settings, Tracer tracer) {
        this(store, commitTable, manager, clock, conflictHash, keys -> TransactionManager.NO_TABLES, settings, tracer, false);
    }

    /**
     * @param conflictHash 64-bit hash of what conflicts are detected on: the key, or a coarser unit that contains it
     * @param tables       64-bit ids of the tables that keys are in, each once: what fences are put on
     * @param intents      whether a record without commit cell is in others' way: see {@link SnapshotReader}
     */
    public OmidLL(VersionedStore<K, V> store, CommitTable commitTable, TransactionManager manager, Clock clock,
            ToLongFunction<? super K> conflictHash, Function<Collection<K>, long[]> tables, Settings settings, Tracer tracer, boolean intents) {
        this(store, commitTable, new TablePlacement<>(store, commitTable), manager, clock, conflictHash, tables, settings, tracer, intents);
    }

    /** The same where commit entries are elsewhere. No model has them in a batch. */
    protected OmidLL(VersionedStore<K, V> store, CommitPlacement<K, V> placement, TransactionManager manager, Clock clock,
            ToLongFunction<? super K> conflictHash, Function<Collection<K>, long[]> tables, Settings settings, Tracer tracer) {
        this(store, null, placement, manager, clock, conflictHash, tables, settings, tracer, false);
    }

    private OmidLL(VersionedStore<K, V> store, CommitTable commitTable, CommitPlacement<K, V> placement, TransactionManager manager, Clock clock,
            ToLongFunction<? super K> conflictHash, Function<Collection<K>, long[]> tables, Settings settings, Tracer tracer, boolean intents) {
        this.store = store;
        this.commitTable = commitTable;
        this.placement = placement;
        this.manager = manager;
        this.clock = clock;
        this.conflictHash = conflictHash;
        this.tables = tables;
        this.settings = settings;
        this.tracer = tracer;
        this.reader = new SnapshotReader<>(store, placement, clock, settings, tracer, this::expire, intents);
        this.onePhase = new OnePhase<>(this, commitTable == null || intents ? BatchStore.none() : store.batches(), commitTable, manager,
                settings.commitAttempts(), tracer);
    }

    // ---- begin and write

    /** Throws {@link TransactionManagerException} if the manager does not answer; then there is no transaction. */
    public OmidLLTransaction<K, V> begin() {
        OmidLLTransaction<K, V> tx = new OmidLLTransaction<>();
        begin(tx);
        return tx;
    }

    private void begin(OmidLLTransaction<K, V> tx) {
        long sent = clock.nanos(); // the manager counts from later than this
        long startTs = manager.begin();
        if (tracer.on()) {
            tracer.event(Action.Begin, "txn", startTs);
        }
        tx.begun(startTs, deadline(sent));
    }

    /**
     * A transaction that reads nothing, and does not ask the manager before it commits (specs/OnePhase.tla, CommitBlindly): it begins then,
     * so that whatever was committed before is no conflict, and it replaces that. Until then it is at nobody's clock. Where its writes lie in
     * one region, one request to the manager begins and certifies it. Everything but {@link #buffer}, {@link #commit} and {@link #rollback}
     * throws {@code TransactionException}.
     */
    public OmidLLTransaction<K, V> beginBlind() {
        return new OmidLLTransaction<>();
    }

    long deadline(long sentNanos) {
        return sentNanos + Math.min(settings.lifetimeNanos(), lessDrift(manager.lifetimeNanos()));
    }

    /**
     * Lets the transaction live for another lifetime from now on; to be asked again and again by whoever needs longer. Throws
     * {@link TransactionManagerException} if the manager does not answer: the transaction keeps the time that it has, and may ask again.
     *
     * @return false if the manager does not let it: it has given the transaction up, or another one leads. It keeps the time that it has
     */
    public boolean renew(OmidLLTransaction<K, V> tx) {
        requireBegun(tx);
        long sent = clock.nanos(); // guard: as at begin
        if (!manager.renew(tx.startTs())) {
            return false;
        }
        tx.liveUntil(deadline(sent));
        return true;
    }

    /** The manager counts a lifetime by its own clock, which may be faster. */
    private static long lessDrift(long lifetimeNanos) {
        return lifetimeNanos - lifetimeNanos / DRIFT;
    }

    /**
     * Adds a write to the write set, without sending it; commit will. A later write of the key replaces it.
     * Throws {@code TransactionException} if the key was sent already at the present level, or has no version for that.
     */
    public void buffer(OmidLLTransaction<K, V> tx, K key, Write<V> write) {
        requireActive(tx);
        requireLevelsLeft(tx, key);
        tx.buffer(key, write);
    }

    /** The same for several keys, all or none: nothing is added if one of them was sent already. */
    public void buffer(OmidLLTransaction<K, V> tx, Map<K, Write<V>> writes) {
        buffer(tx, writes, Map.of());
    }

    /**
     * The same, with writes that the manager does not compare with those of others (VLDB'18 section 6.1, specs/IndexFence.tla, Compared):
     * index records, since whoever writes one writes its row; or what nobody else writes. They are committed, healed and removed like
     * others, and fences of their tables bind them. Throws {@code TransactionException} where the transaction has made checkpoints: no
     * model covers both.
     */
    public void buffer(OmidLLTransaction<K, V> tx, Map<K, Write<V>> writes, Map<K, Write<V>> conflictFree) {
        requireActive(tx);
        if (!conflictFree.isEmpty() && tx.level() > 0) {
            throw checkpointsWithConflictFree(tx);
        }
        writes.keySet().forEach(key -> requireLevelsLeft(tx, key));
        writes.keySet().forEach(tx::requireUnsent);
        conflictFree.keySet().forEach(tx::requireUnsent);
        writes.forEach(tx::buffer);
        conflictFree.forEach(tx::bufferConflictFree);
    }

    private static TransactionException checkpointsWithConflictFree(OmidLLTransaction<?, ?> tx) {
        return new TransactionException("Transaction " + tx.startTs() + " has conflict-free writes, such as index records, and cannot have checkpoints"
                + " too: use another transaction for one of them.");
    }

    /** Buffers and sends: see {@link #buffer} and {@link #write(OmidLLTransaction)}. */
    public void write(OmidLLTransaction<K, V> tx, Map<K, Write<V>> writes) {
        buffer(tx, writes);
        write(tx);
    }

    /**
     * Tentative puts, in one store call, of all that is buffered and of all that earlier calls left unacknowledged.
     * After a {@link StoreException} the transaction can call this again, commit, which does so, too, or roll back. Throws
     * {@link TransactionAbortedException} (REFUSED) where the store has a newer committed version.
     */
    public void write(OmidLLTransaction<K, V> tx) {
        requireBegun(tx);
        Map<K, Write<V>> batch = tx.nextBatch();
        try {
            put(tx, batch);
        } catch (PutRefusedException e) {
            throw refusePut(tx, e);
        } catch (StoreException e) {
            traceWrites(tx, batch, "lost", true);
            throw e;
        }
        traceWrites(tx, batch);
        tx.batchStored();
    }

    /** One store call. Throws {@link StoreException} and {@link PutRefusedException}. */
    protected void put(OmidLLTransaction<K, V> tx, Map<K, Write<V>> batch) {
        store.put(tx.writePoint(), batch);
    }

    void traceWrites(OmidLLTransaction<K, V> tx, Map<K, Write<V>> batch, Object... outcome) {
        traceEach(Action.Write, tx, batch, outcome);
    }

    protected final void traceEach(Action action, OmidLLTransaction<K, V> tx, Map<K, Write<V>> batch, Object... outcome) {
        if (!tracer.on()) {
            return;
        }
        batch.forEach((key, write) -> {
            List<Object> arguments = new ArrayList<>(List.of("txn", tx.startTs(), "key", key, "delete", write.isTombstone()));
            arguments.addAll(List.of(outcome));
            tracer.event(action, arguments.toArray());
        });
    }

    /** Fast-path transactions do not ask the manager, so a conflict with one shows at the store (VLDB'18 Alg. 4, prePut). */
    TransactionAbortedException refusePut(OmidLLTransaction<K, V> tx, PutRefusedException cause) {
        if (tracer.on()) {
            tracer.event(Action.RefusePut, "txn", tx.startTs());
        }
        endQuietly(tx);
        return abort(tx, AbortCause.REFUSED, cause);
    }

    // ---- levels: specs/Checkpoints.tla

    /** Guard (VLDB'18 section 6.2): the level after the last one is refused. Its number is a fast-path write's. */
    private void requireLevelsLeft(OmidLLTransaction<K, V> tx, K key) {
        int levels = store.versions(key).levels();
        if (tx.level() >= levels) {
            throw new TransactionException("Transaction " + tx.startTs() + " writes at level " + (tx.level() + 1) + " and key " + key
                    + " has versions for " + levels + ": give its table a span of more than " + 2 * Versions.LEVELS + ".");
        }
    }

    /**
     * Begins a level: from now on the transaction reads what it has written so far, and not what it writes. Sends what is buffered, and
     * throws as {@link #write(OmidLLTransaction)} does; then there is no new level. Throws {@code TransactionException} if the transaction
     * has used up its levels.
     */
    public void checkpoint(OmidLLTransaction<K, V> tx) {
        requireBegun(tx);
        if (tx.hasConflictFreeWrites()) {
            throw checkpointsWithConflictFree(tx);
        }
        if (tx.level() + 1 >= Versions.LEVELS) {
            throw new TransactionException("Transaction " + tx.startTs() + " has made " + tx.level()
                    + " checkpoints, which is all that there are: commit, and go on in another transaction.");
        }
        flush(tx);
        tx.nextLevel();
        if (tracer.on()) {
            tracer.event(Action.Checkpoint, "txn", tx.startTs(), "level", tx.level());
        }
    }

    /** From now on the transaction reads all that it has written and will write, until the next checkpoint. */
    public void takeSnapshot(OmidLLTransaction<K, V> tx) {
        requireBegun(tx);
        if (!tx.isExcluding()) {
            return;
        }
        tx.readOwnAgain();
        if (tracer.on()) {
            tracer.event(Action.TakeSnapshot, "txn", tx.startTs());
        }
    }

    /**
     * Sends what is buffered, and forgets its values: the transaction reads them from the store. Their keys cannot be written again
     * before the next checkpoint. Throws as {@link #write(OmidLLTransaction)} does; then nothing is forgotten.
     */
    public void flush(OmidLLTransaction<K, V> tx) {
        requireBegun(tx);
        sendRest(tx);
        tx.leaveToStore();
    }

    /**
     * Snapshot-all (VLDB'18 section 6.2): the transaction's own records of a key, tombstones among them and at whatever level, newest
     * first, and last the one of others that they replace, if there is one. Throws as {@link #read} does.
     */
    public List<Record<V>> readAll(OmidLLTransaction<K, V> tx, K key) {
        requireBegun(tx);
        return readAll(tx, key, store.get(key, tx.fetchPoint()));
    }

    /** The same over records that the caller has fetched, up to {@link OmidLLTransaction#fetchPoint}. */
    public List<Record<V>> readAll(OmidLLTransaction<K, V> tx, K key, Iterator<Record<V>> records) {
        requireBegun(tx);
        List<Record<V>> all = new ArrayList<>();
        if (tx.ownWrite(key) != null) {
            all.add(readOwnWrite(tx, key));
        }
        all.addAll(reader.readAll(tx, key, records));
        if (tracer.on()) {
            tracer.event(Action.ReadAll, "txn", tx.startTs(), "key", key);
        }
        return all;
    }

    // ---- read

    /**
     * The record of a key in the transaction's snapshot, its own write first, as far as it reads those (with an empty commit cell); null if
     * there is none. A delete may show as a tombstone or, once collected, as null. Throws
     * {@link TransactionAbortedException} (EXPIRED) after the deadline. See {@link SnapshotReader} for how it reads.
     */
    public Record<V> read(OmidLLTransaction<K, V> tx, K key) {
        requireBegun(tx);
        return tx.readsFromMemory(key) ? readOwnWrite(tx, key) : reader.read(tx, key, store.get(key, tx.fetchPoint()));
    }

    /**
     * The same over records that the caller has fetched since the transaction began: newest first, every record of the
     * key with a version below {@link OmidLLTransaction#startTs}, or up to {@link OmidLLTransaction#fetchPoint} as it was then. Writers that come later commit after the snapshot, and an
     * empty commit cell is looked up in any case, so it does not matter how long ago within the transaction that was.
     */
    public Record<V> read(OmidLLTransaction<K, V> tx, K key, Iterator<Record<V>> records) {
        requireBegun(tx);
        return tx.readsFromMemory(key) ? readOwnWrite(tx, key) : reader.read(tx, key, records);
    }

    /**
     * The same where the region server has decided: {@code decided} is what {@link SnapshotColumn} has found up to
     * {@link OmidLLTransaction#readPoint}, null for nothing or a tombstone.
     */
    public Record<V> readDecided(OmidLLTransaction<K, V> tx, K key, Record<V> decided) {
        requireBegun(tx);
        return tx.readsFromMemory(key) ? readOwnWrite(tx, key) : reader.readDecided(tx, key, decided);
    }

    /** What tells only that there is nothing is no answer either when it comes after the deadline. Throws as {@link #read} does. */
    public void requireInTime(OmidLLTransaction<K, V> tx) {
        requireBegun(tx);
        reader.requireInTime(tx);
    }

    /**
     * From now on commit cells that the transaction's reads find missing are written together, by {@link #healGathered} or when
     * there are many. That is optional work, and what is left when the transaction ends is left to other readers.
     */
    public void gatherHeals(OmidLLTransaction<K, V> tx) {
        tx.outcomes().gather();
    }

    /** Never throws StoreException. */
    public void healGathered(OmidLLTransaction<K, V> tx) {
        reader.healGathered(tx);
    }

    /**
     * Asks the commit table in one call about the writers of several records without commit cell that are to be read next. Throws
     * {@link StoreException}.
     */
    public void lookUp(OmidLLTransaction<K, V> tx, Collection<Long> writers) {
        requireBegun(tx);
        reader.lookUp(tx, writers);
    }

    /** Does to a writer that a write meets what a reader would do to it. */
    protected final void traverse(OmidLLTransaction<K, V> tx, K key, Iterator<Record<V>> records) {
        reader.traverse(tx, key, records);
    }

    /** From memory, sent or not. The specification's writes are those that the store has: the others leave no event. */
    private Record<V> readOwnWrite(OmidLLTransaction<K, V> tx, K key) {
        if (tracer.on() && tx.isStored(key)) {
            tracer.event(Action.ReadOwnWrite, "txn", tx.startTs(), "key", key);
        }
        return new Record<>(tx.writePoint(), tx.ownWrite(key).value(), Timestamps.NIL);
    }

    protected final TransactionAbortedException expire(OmidLLTransaction<K, V> tx) {
        return giveUp(tx, AbortCause.EXPIRED, null);
    }

    // ---- commit

    /**
     * Commits; on return the writes are visible to every transaction that begins from now on. The result tells what is
     * left to do: see {@link #postCommit}. The commit stands even if that is never done; readers merely take longer.
     *
     * <p>Throws {@link TransactionAbortedException}; {@link OutcomeUnknownException}; and, with the transaction still
     * active, {@link StoreException} if its writes did not get through and nobody was asked to certify them: another commit sends those again. What else is thrown,
     * by a part that fails in a way of its own, leaves the transaction ABORTED if nothing can have committed it and UNKNOWN if
     * the commit entry, or its batch, may have been written.
     */
    public Committed<K> commit(OmidLLTransaction<K, V> tx) {
        requireActive(tx);
        if (tx.isReadOnly()) {
            endReadOnly(tx);
            return new Committed<>(tx.startTs(), Timestamps.NIL, List.of());
        }
        if (onePhase.takesBatch(tx)) {
            ending(tx, TransactionStatus.ABORTED, () -> onePhase.certifyBatch(tx));
            ending(tx, TransactionStatus.UNKNOWN, () -> onePhase.commitInOnePhase(tx));
            if (tx.status() == TransactionStatus.COMMITTED) {
                return new Committed<>(tx.startTs(), tx.commitTs(), List.of());
            }
            ending(tx, TransactionStatus.ABORTED, () -> sendLongWay(tx));
        } else {
            if (!tx.hasBegun()) {
                ending(tx, TransactionStatus.ABORTED, () -> beginAtLast(tx));
            }
            if (onePhase.takesBeside(tx)) {
                ending(tx, TransactionStatus.ABORTED, () -> onePhase.putBeside(tx));
            } else {
                sendRest(tx);
            }
        }
        List<K> keys = List.copyOf(tx.writeSet());
        Map<K, Integer> levels = tx.lastLevels();
        if (tx.status() == TransactionStatus.ACTIVE) {
            ending(tx, TransactionStatus.ABORTED, () -> requestCommit(tx));
        }
        Committed<K> committed = new Committed<>(tx.startTs(), tx.commitTs(), keys, levels); // once it has committed nothing may fail
        ending(tx, TransactionStatus.UNKNOWN, () -> writeCommitEntry(tx));
        return committed;
    }

    /** A step that fails in a way that it does not know itself ends the transaction so: it is not to stay half-way. */
    private static void ending(OmidLLTransaction<?, ?> tx, TransactionStatus otherwise, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            if (!tx.isOver()) {
                tx.finish(otherwise);
            }
            throw e;
        }
    }

    private void sendRest(OmidLLTransaction<K, V> tx) {
        if (tx.hasBufferedWrites() || !tx.writesStored()) {
            write(tx);
        }
    }

    private void endReadOnly(OmidLLTransaction<K, V> tx) {
        endQuietly(tx);
        if (tx.hasBegun() && tracer.on()) {
            tracer.event(Action.EndReadOnly, "txn", tx.startTs());
        }
        tx.finish(TransactionStatus.COMMITTED);
    }

    /** A blind transaction whose writes one batch cannot hold. */
    private void beginAtLast(OmidLLTransaction<K, V> tx) {
        try {
            begin(tx);
        } catch (TransactionManagerException e) {
            throw abort(tx, AbortCause.MANAGER_UNREACHABLE, e);
        }
    }

    void requestCommit(OmidLLTransaction<K, V> tx) {
        long[] hashes = conflictHashes(tx);
        requesting(tx);
        certify(tx, () -> manager.commit(tx.startTs(), comparedUpTo(tx), hashes, tablesOf(tx)));
    }

    void requesting(OmidLLTransaction<K, V> tx) {
        tx.requesting(clock.nanos() + settings.departNanos());
    }

    /**
     * Guard (NoPutInFlight): what the manager was asked to certify does not keep collectors back any more. So its puts depart soon after that, or
     * never. Throws {@link TransactionAbortedException} (EXPIRED).
     */
    void requireDeparts(OmidLLTransaction<K, V> tx) {
        if (!mayDepart(tx)) {
            throw expire(tx);
        }
    }

    boolean mayDepart(OmidLLTransaction<K, V> tx) {
        return clock.nanos() <= tx.departsUntilNanos();
    }

    void certify(OmidLLTransaction<K, V> tx, LongSupplier certification) {
        long answer;
        try {
            answer = certification.getAsLong();
        } catch (TransactionManagerException e) {
            throw loseCommitAnswer(tx, e);
        }
        if (tracer.on()) {
            tracer.event(Action.RequestCommit, "txn", tx.startTs(), "answer", answer);
        }
        if (answer == TransactionManager.CONFLICT) {
            throw abort(tx, AbortCause.CONFLICT, null);
        }
        if (answer == TransactionManager.FENCED) {
            throw abort(tx, AbortCause.FENCED, null);
        }
        if (answer == TransactionManager.BELOW_WATERMARK) {
            throw abort(tx, AbortCause.BELOW_WATERMARK, null);
        }
        tx.certified(answer);
    }

    /** Guard (specs/OnePhase.tla): who was certified has passed all until then, and is not to be in its own way. */
    private static long comparedUpTo(OmidLLTransaction<?, ?> tx) {
        return tx.commitTs() == Timestamps.NIL ? tx.startTs() : tx.commitTs();
    }

    /** Whose fences the manager shall look at. */
    long[] tablesOf(OmidLLTransaction<K, V> tx) {
        return tables.apply(tx.writeSet());
    }

    /** What the manager shall compare with the writes of others. */
    protected long[] conflictHashes(OmidLLTransaction<K, V> tx) {
        return tx.writeSet().stream().filter(tx::isCompared).mapToLong(conflictHash).toArray();
    }

    /** The manager may have passed us. That costs spurious conflicts at most: no commit entry was ever sent. */
    private TransactionAbortedException loseCommitAnswer(OmidLLTransaction<K, V> tx, TransactionManagerException e) {
        if (tracer.on()) {
            tracer.event(Action.LoseCommitAnswer, "txn", tx.startTs());
        }
        return abort(tx, AbortCause.MANAGER_UNREACHABLE, e);
    }

    // ---- commit the long way

    /** Nothing can be read or written any more: the manager has ended the transaction. So what does not get through aborts it. */
    private void sendLongWay(OmidLLTransaction<K, V> tx) {
        requireDeparts(tx);
        try {
            write(tx);
        } catch (StoreException e) {
            throw abandon(tx, AbortCause.STORE_UNREACHABLE, e);
        }
    }

    /** The commit point. Repeated when the answer is lost: an entry that is there already tells that it was ours. */
    private void writeCommitEntry(OmidLLTransaction<K, V> tx) {
        StoreException lost = null;
        for (int attempt = 0; attempt < settings.commitAttempts(); attempt++) {
            long previous;
            try {
                previous = tryCommitEntry(tx.startTs(), leader(tx), tx.commitTs());
            } catch (StoreException e) {
                lost = e;
                continue;
            } catch (RuntimeException e) {
                throw unknown(tx, e);
            }
            settle(tx, previous, lost);
            return;
        }
        throw unknown(tx, lost);
    }

    private void settle(OmidLLTransaction<K, V> tx, long previous, StoreException lost) {
        switch (outcome(previous, tx.startTs(), tx.commitTs(), lost != null)) {
            case COMMITTED -> tx.finish(TransactionStatus.COMMITTED);
            case ABORTED -> throw abortedByCommitTable(tx, previous);
            default -> throw unknown(tx, lost);
        }
    }

    private OutcomeUnknownException unknown(OmidLLTransaction<K, V> tx, RuntimeException lost) {
        tx.finish(TransactionStatus.UNKNOWN);
        return new OutcomeUnknownException(tx.startTs(), tx.commitTs(), leader(tx), lost);
    }

    /** The key that has the transaction's commit entry; null if the commit table has that. */
    protected K leader(OmidLLTransaction<K, V> tx) {
        return null;
    }

    private long tryCommitEntry(long startTs, K leader, long commitTs) {
        try {
            long previous = placement.write(startTs, leader, commitTs);
            if (tracer.on()) {
                tracer.tell(Action.WriteCommitEntry, "txn", startTs, "commit", commitTs, "previous", previous);
            }
            return previous;
        } catch (StoreException e) {
            if (tracer.on()) {
                tracer.tell(Action.WriteCommitEntry, "txn", startTs, "commit", commitTs, "lost", true);
            }
            throw e;
        }
    }

    /** What the commit table's answer says, given whether an earlier attempt may have got through. */
    private static TransactionStatus outcome(long previous, long startTs, long commitTs, boolean mayBeWritten) {
        if (previous == Timestamps.NIL || previous == commitTs) {
            return TransactionStatus.COMMITTED;
        }
        if (previous == Timestamps.INVALIDATED) {
            return TransactionStatus.ABORTED;
        }
        if (previous == Timestamps.COLLECTED) {
            // An earlier attempt may have committed, been healed and collected since.
            return mayBeWritten ? TransactionStatus.UNKNOWN : TransactionStatus.ABORTED;
        }
        throw new IllegalStateException("The commit entry is " + previous + " for transaction " + startTs
                + ", which was to commit at " + commitTs + ".");
    }

    private TransactionAbortedException abortedByCommitTable(OmidLLTransaction<K, V> tx, long previous) {
        if (previous == Timestamps.INVALIDATED) {
            return abort(tx, AbortCause.INVALIDATED, null);
        }
        tx.finish(TransactionStatus.ABORTED); // the collector is past us: cleaning up is its task
        return new TransactionAbortedException(tx.startTs(), AbortCause.COLLECTED, null);
    }

    /**
     * What became of a transaction after {@link OutcomeUnknownException}, by writing its commit entry once more: if it
     * was still pending, it commits now. UNKNOWN means that it is too late to tell and will stay so. Throws
     * {@link StoreException} if the commit table does not answer; try again then.
     */
    public TransactionStatus resolve(long startTs, long commitTs) {
        if (commitTs <= startTs) {
            throw new IllegalArgumentException("Transaction " + startTs + " has no commit-table entry at " + commitTs
                    + ": give resolve the OutcomeUnknownException itself.");
        }
        return resolve(startTs, null, commitTs);
    }

    /**
     * The same where {@link OutcomeUnknownException#leader} tells a key.
     *
     * @param leader null if it does not
     */
    public TransactionStatus resolve(long startTs, K leader, long commitTs) {
        return outcome(tryCommitEntry(startTs, leader, commitTs), startTs, commitTs, true);
    }

    /** The same for any transaction, including those whose leader, or the rows of whose batch, have the outcome. */
    @SuppressWarnings("unchecked")
    public TransactionStatus resolve(OutcomeUnknownException unknown) {
        return unknown.batch() == null ? resolve(unknown.startTs(), (K) unknown.leader(), unknown.commitTs())
                : onePhase.resolveBatch(unknown.startTs(), unknown.batch().commitTs(), (Collection<K>) unknown.batch().keys());
    }

    // ---- post-commit

    /** {@link #postCommit} and {@link #removeCommitEntry} of one transaction. */
    public void finishCommit(Committed<K> committed) {
        removeCommitEntry(postCommit(List.of(committed)));
    }

    /**
     * Writes the commit cells of transactions that {@link #commit} has returned, in one store call: soon after, and on any
     * thread. Never throws StoreException; repeating is harmless. Returns whose commit entries can go now, at leisure:
     * removing an entry before every commit cell is durable would turn a commit into an abort for later readers.
     */
    public List<Long> postCommit(List<Committed<K>> committed) {
        List<Committed<K>> writers = committed.stream().filter(each -> !each.isReadOnly()).toList();
        boolean commitCellsDurable = writers.isEmpty() || putCommitCells(writers);
        return commitCellsDurable ? writers.stream().map(Committed::startTs).toList() : List.of();
    }

    private boolean putCommitCells(List<Committed<K>> committed) {
        try {
            store.putCommitCells(committed);
        } catch (StoreException e) {
            return false; // readers and the collector finish it
        }
        if (tracer.on()) {
            committed.forEach(each -> each.keys().forEach(
                    key -> tracer.event(Action.PostCommit, "txn", each.startTs(), "key", key, "commit", each.commitTs())));
        }
        return true;
    }

    /** Of transactions that {@link #postCommit} has returned, in one call of the commit table. Never throws StoreException. */
    public void removeCommitEntry(List<Long> startTs) {
        if (startTs.isEmpty() || placement.isInStore()) {
            return;
        }
        try {
            placement.remove(startTs);
            if (tracer.on()) {
                startTs.forEach(each -> tracer.event(Action.RemoveCommitEntry, "txn", each));
            }
        } catch (StoreException e) {
            // The collector removes them.
        }
    }

    // ---- abort

    /** Gives the transaction up and removes its records. Store errors are left to the collector. */
    public void rollback(OmidLLTransaction<K, V> tx) {
        requireActive(tx);
        giveUp(tx, AbortCause.ROLLED_BACK, null);
    }

    TransactionAbortedException giveUp(OmidLLTransaction<K, V> tx, AbortCause why, Throwable cause) {
        endQuietly(tx);
        return abandon(tx, why, cause);
    }

    /** The same where the manager has ended it. */
    private TransactionAbortedException abandon(OmidLLTransaction<K, V> tx, AbortCause why, Throwable cause) {
        if (tx.hasBegun() && tracer.on()) {
            tracer.event(Action.Rollback, "txn", tx.startTs());
        }
        return abort(tx, why, cause);
    }

    protected final TransactionAbortedException abort(OmidLLTransaction<K, V> tx, AbortCause why, Throwable cause) {
        tx.finish(TransactionStatus.ABORTED);
        cleanUp(tx.startTs(), tx.sentKeys());
        return new TransactionAbortedException(tx.startTs(), why, cause);
    }

    /**
     * Removes the transaction's records, and not its invalidation marker, although Alg. 3 does: a copy of the commit
     * entry that is still under way would find the place free and commit what was aborted.
     */
    private void cleanUp(long startTs, Map<Long, Collection<K>> sent) {
        try {
            sent.forEach((version, keys) -> {
                store.removeAborted(keys, version);
                if (tracer.on()) {
                    keys.forEach(key -> tracer.event(Action.CleanUp, "txn", startTs, "key", key));
                }
            });
        } catch (RuntimeException e) {
            // An abort all the same: without a commit entry no reader accepts the records.
        }
    }

    /** Without an answer the manager ends the transaction by itself, after its lifetime. */
    protected final void endQuietly(OmidLLTransaction<K, V> tx) {
        if (!tx.hasBegun()) {
            return;
        }
        try {
            manager.end(tx.startTs());
        } catch (RuntimeException e) {
            // Only collection is delayed.
        }
    }

    protected static void requireBegun(OmidLLTransaction<?, ?> tx) {
        requireActive(tx);
        tx.requireBegun();
    }

    protected static void requireActive(OmidLLTransaction<?, ?> tx) {
        if (tx.status() != TransactionStatus.ACTIVE) {
            throw new TransactionFinishedException(tx.startTs(), tx.status());
        }
    }
}
