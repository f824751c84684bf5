package org.fencepost.hbase.client;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionFinishedException;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.omid.OmidLLTransaction;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.Write;

/**
 * A transaction over any tables of the client that began it: under snapshot isolation it reads what had been committed when
 * it began, and its own writes. These stay in memory until commit. Used by one thread at a time:
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
    /** Of the writes that it holds now. */
    private long writeBytes;

    /** @param client that began it */
    Transaction(Object client, ClientTransaction state, long maxWriteBytes) {
        this.client = client;
        this.state = state;
        this.maxWriteBytes = maxWriteBytes;
    }

    /** The snapshot that it reads. */
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
     *                                      which sends them again. A column that was sent cannot be written anew
     * @throws TransactionFinishedException if it is over already
     */
    public void commit() {
        state.commit();
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

    void requireActive() {
        if (status() != TransactionStatus.ACTIVE) {
            throw new TransactionFinishedException(startTimestamp(), status());
        }
    }

    /** All of them or, if it throws, none. A write replaces an earlier one of its column, whose bytes are free again. */
    void buffer(Map<CellKey, Write<byte[]>> writes) {
        long after = writeBytes;
        for (Map.Entry<CellKey, Write<byte[]>> write : writes.entrySet()) {
            after += bytes(write.getKey(), write.getValue()) - bytes(write.getKey(), state.ownWrite(write.getKey()));
        }
        if (after > maxWriteBytes) {
            throw new IllegalArgumentException("Transaction " + startTimestamp() + " would hold more than " + maxWriteBytes
                    + " bytes of writes: split it, or raise " + Settings.MAX_WRITE_BYTES + ".");
        }
        state.buffer(writes);
        writeBytes = after;
        for (CellKey key : writes.keySet()) {
            ownWrites.computeIfAbsent(key.table(), t -> new TreeMap<>(Bytes.BYTES_COMPARATOR))
                    .computeIfAbsent(key.row(), r -> new TreeSet<>(CellKey.COLUMN_ORDER)).add(key);
        }
    }

    /** Of no write none. */
    private static long bytes(CellKey key, Write<byte[]> write) {
        return write == null ? 0 : key.row().length + key.family().length + key.qualifier().length
                + (write.isTombstone() ? 0 : write.value().length);
    }

    /** The columns written so far, by row; a live view. */
    NavigableMap<byte[], NavigableSet<CellKey>> ownWrites(TableName table) {
        return ownWrites.getOrDefault(table, NO_ROWS);
    }
}
