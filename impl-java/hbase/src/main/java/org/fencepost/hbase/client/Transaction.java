package org.fencepost.hbase.client;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.TransactionFinishedException;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.omid.OmidLLTransaction;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.Write;

/**
 * A transaction over any tables of the client that began it: under snapshot isolation it reads what had been committed when
 * it began, and its own writes. These stay in memory until commit, {@link #flush} or {@link #checkpoint}. Used by one thread at a time:
 *
 * <pre>{@code
 * try (Transaction tx = client.begin()) {
 *     table.put(tx, put);
 *     tx.commit();
 * }
 * }</pre>
 */
public final class Transaction implements AutoCloseable {

    private static final NavigableMap<byte[], NavigableSet<CellKey>> NO_ROWS =
            Collections.unmodifiableNavigableMap(new TreeMap<>(Bytes.BYTES_COMPARATOR));

    private final Object client;
    private final ClientTransaction state;
    private final Map<TableName, NavigableMap<byte[], NavigableSet<CellKey>>> ownWrites = new HashMap<>();
    private final long maxWriteBytes;
    /** Of the writes that it holds now, and of the keys of those that it has left to the store. */
    private long writeBytes;
    /** What of it goes when they are left to the store. */
    private long valueBytes;
    private boolean all;

    /** @param client that began it */
    Transaction(Object client, ClientTransaction state, long maxWriteBytes) {
        this.client = client;
        this.state = state;
        this.maxWriteBytes = maxWriteBytes;
    }

    /** The snapshot that it reads; 0 of a blind transaction that does not commit yet. */
    public long startTimestamp() {
        return state.startTs();
    }

    /** When it took effect, in the order of the same timestamps; 0 before commit and for a transaction without writes. */
    public long commitTimestamp() {
        return state.commitTs();
    }

    public TransactionStatus status() {
        return state.status();
    }

    /**
     * Makes the writes visible, all at once, to the transactions that begin from now on.
     *
     * @throws TransactionAbortedException  if it did not commit and never will; its cause says why, and running the
     *                                      transaction again is the usual answer
     * @throws OutcomeUnknownException      if the answer was lost; see {@link TransactionClient#resolve}
     * @throws StoreException               if the writes did not get through; still active, and commit may be tried again,
     *                                      which sends them again. A column that was sent cannot be written anew. (Where the
     *                                      transaction manager is asked first or meanwhile, as in tables with the fast path, it
     *                                      has aborted instead, by STORE_UNREACHABLE)
     * @throws TransactionFinishedException if it is over already
     */
    public void commit() {
        state.commit();
    }

    /**
     * Ends a statement and begins another one, which does not see what it writes: from now on the transaction reads what it has written so
     * far, until the next checkpoint, or until {@link #visibility(Visibility)} makes all of it visible. Sends what is in memory. A
     * transaction has {@link org.fencepost.protocol.Versions#LEVELS} levels, so it can make one checkpoint less, and writes after the first
     * one only tables that have versions for them: see {@code Tables.enableCheckpoints}.
     *
     * @throws TransactionException         if it has made all its checkpoints; still active. If it is one of Omid 2PC or Mediator, which
     *                                      have none
     * @throws StoreException               if the writes did not get through; still active, and without a new checkpoint
     * @throws TransactionAbortedException  if a newer version is committed
     * @throws TransactionFinishedException if it is over already
     */
    public void checkpoint() {
        leavingToStore(client -> client.protocol().checkpoint(state()));
        all = false;
    }

    /**
     * Sends what is in memory, and frees that: a transaction may write more than fits. It reads it from the store then. A column that was
     * sent can be written again after the next checkpoint. Throws as {@link #checkpoint} does.
     */
    public void flush() {
        leavingToStore(client -> client.protocol().flush(state()));
    }

    /**
     * Lets it live for another {@code Settings.LIFETIME} from now on, in which it may read, and its snapshot is kept. Whoever needs longer calls this again in
     * time, every third of a lifetime, say.
     *
     * @return false if the transaction manager does not let it live longer: it has given it up, or another one leads. It keeps the time that it has
     * @throws TransactionManagerException  if the transaction manager does not answer; it keeps the time that it has, and may be asked again
     * @throws TransactionException         if it is Mediator's: nothing is given up there after a time
     * @throws TransactionFinishedException if it is over already
     */
    public boolean renew() {
        if (!(state instanceof OmidTransaction)) {
            throw new TransactionException("Mediator's transactions are not renewed: use a TransactionClient for that.");
        }
        return ((TransactionClient) client).protocol().renew(state());
    }

    private void leavingToStore(Consumer<TransactionClient> step) {
        requireLevels();
        step.accept((TransactionClient) client);
        writeBytes -= valueBytes;
        valueBytes = 0;
    }

    private void requireLevels() {
        if (!(state instanceof OmidTransaction)) {
            throw new TransactionException("Mediator's transactions have neither checkpoints nor flushes: use a TransactionClient for that.");
        }
    }

    /**
     * Chooses what the transaction reads of its own writes. A checkpoint chooses EXCLUDE_CURRENT.
     *
     * @throws TransactionException         if EXCLUDE_CURRENT is chosen where all was visible since the last checkpoint: make another one
     * @throws TransactionFinishedException if it is over already
     */
    public void visibility(Visibility chosen) {
        requireLevels();
        requireActive();
        if (chosen == Visibility.EXCLUDE_CURRENT && !state().isExcluding()) {
            throw new TransactionException("Transaction " + startTimestamp() + " has seen what it wrote since its last checkpoint: make another one"
                    + " to exclude what follows.");
        }
        if (chosen == Visibility.SNAPSHOT) {
            ((TransactionClient) client).protocol().takeSnapshot(state());
        }
        all = chosen == Visibility.ALL;
    }

    /** What it reads of its own writes now. */
    public Visibility visibility() {
        return all ? Visibility.ALL : state instanceof OmidTransaction omid && omid.state().isExcluding() ? Visibility.EXCLUDE_CURRENT : Visibility.SNAPSHOT;
    }

    /** How many checkpoints it has made. */
    public int level() {
        return state instanceof OmidTransaction omid ? omid.state().level() : 0;
    }

    /**
     * Whether a column of the row was sent since the last checkpoint, by {@link #flush} or by a commit that failed: it cannot be written
     * again before the next one.
     */
    public boolean hasSent(TableName table, byte[] row) {
        return state instanceof OmidTransaction omid
                && ownWrites(table).getOrDefault(row, Collections.emptyNavigableSet()).stream().anyMatch(omid.state()::isSent);
    }

    /**
     * From now on, what was put without comparison (see {@link TransactionalTable#putConflictFree}) is compared with what others write, like
     * all else: so the transaction may make checkpoints.
     */
    public void compareAll() {
        requireLevels();
        requireActive();
        state().compareAll();
    }

    /** Throws {@link TransactionAbortedException} (EXPIRED) if it has outlived its lifetime: what was read for it meanwhile may be wrong. */
    public void requireInTime() {
        requireLevels();
        ((TransactionClient) client).protocol().requireInTime(state());
    }

    /** Gives it up. Throws {@link TransactionFinishedException} if it is over already. */
    public void rollback() {
        state.rollback();
    }

    /** Rolls back if neither commit nor rollback came before. */
    @Override
    public void close() {
        if (state.status() == TransactionStatus.ACTIVE) {
            rollback();
        }
    }

    /** Of the protocol that the client runs. */
    ClientTransaction protocol() {
        return state;
    }

    /** What Omid LL knows of it. */
    OmidLLTransaction<CellKey, byte[]> state() {
        return ((OmidTransaction) state).state();
    }

    void requireActiveIn(Object expected) {
        if (client != expected) {
            throw new IllegalArgumentException("Transaction " + startTimestamp()
                    + " was begun by another " + expected.getClass().getSimpleName() + " than the table comes from.");
        }
        requireActive();
    }

    /** Whether it is blind, and does not commit yet. */
    boolean isBlind() {
        return startTimestamp() == Timestamps.NIL;
    }

    void requireActive() {
        if (status() != TransactionStatus.ACTIVE) {
            throw new TransactionFinishedException(startTimestamp(), status());
        }
    }

    /** All of them or, if it throws, none. A write replaces an earlier one of its column, whose bytes are free again. */
    void buffer(Map<CellKey, Write<byte[]>> writes) {
        buffer(writes, () -> state.buffer(writes));
    }

    /** The same, with writes that are not compared with those of others. */
    void buffer(Map<CellKey, Write<byte[]>> compared, Map<CellKey, Write<byte[]>> conflictFree) {
        Map<CellKey, Write<byte[]>> writes = new LinkedHashMap<>(compared);
        writes.putAll(conflictFree);
        buffer(writes, () -> state.buffer(compared, conflictFree));
    }

    private void buffer(Map<CellKey, Write<byte[]>> writes, Runnable buffers) {
        long after = writeBytes;
        long values = valueBytes;
        for (Map.Entry<CellKey, Write<byte[]>> write : writes.entrySet()) {
            Write<byte[]> before = state.ownWrite(write.getKey());
            after += bytes(write.getKey(), write.getValue()) - bytes(write.getKey(), before);
            values += valueBytes(write.getValue()) - valueBytes(before);
        }
        if (after > maxWriteBytes) {
            throw new IllegalArgumentException("Transaction " + startTimestamp() + " would hold more than " + maxWriteBytes
                    + " bytes of writes: split it, flush it, or raise " + Settings.MAX_WRITE_BYTES + ".");
        }
        buffers.run();
        writeBytes = after;
        valueBytes = values;
        for (CellKey key : writes.keySet()) {
            ownWrites.computeIfAbsent(key.table(), t -> new TreeMap<>(Bytes.BYTES_COMPARATOR))
                    .computeIfAbsent(key.row(), r -> new TreeSet<>(CellKey.COLUMN_ORDER)).add(key);
        }
    }

    /** Of no write none. */
    private static long bytes(CellKey key, Write<byte[]> write) {
        return write == null ? 0 : key.row().length + key.family().length + key.qualifier().length + valueBytes(write);
    }

    private static long valueBytes(Write<byte[]> write) {
        return write == null || write.isTombstone() ? 0 : write.value().length;
    }

    /** The columns written so far, by row; a live view. */
    NavigableMap<byte[], NavigableSet<CellKey>> ownWrites(TableName table) {
        return ownWrites.getOrDefault(table, NO_ROWS);
    }
}
