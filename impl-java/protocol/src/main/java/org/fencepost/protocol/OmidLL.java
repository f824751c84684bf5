package org.fencepost.protocol;

import java.util.Iterator;
import java.util.Map;
import java.util.function.ToLongFunction;

/** The client algorithm. (Signatures only so far.) */
public final class OmidLL<K, V> {

    /**
     * @param lifetimeNanos  how long after begin a transaction may read; less than the transaction manager's own limit
     *                       by the drift of the two clocks
     * @param graceNanos     how long a reader waits before it invalidates a pending writer (section 3.2); 0: not at all
     * @param commitAttempts how often a commit entry is written before the outcome is given up as unknown; at least 1
     * @param heal           whether readers write the commit cells that they find missing
     */
    public record Settings(long lifetimeNanos, long graceNanos, int commitAttempts, boolean heal) {
    }

    /** @param conflictHash 64-bit hash of what conflicts are detected on: the key, or a coarser unit that contains it */
    public OmidLL(VersionedStore<K, V> store, CommitTable commitTable, TransactionManager manager, Clock clock,
                  ToLongFunction<? super K> conflictHash, Settings settings, Tracer tracer) {
        throw new UnsupportedOperationException();
    }

    /** Throws TransactionManagerException if the manager does not answer. */
    public Transaction<K, V> begin() {
        throw new UnsupportedOperationException();
    }

    /** Adds writes to the write set without sending them: {@link #commit} or {@link #write(Transaction)} does. */
    public void buffer(Transaction<K, V> tx, K key, Write<V> write) {
        throw new UnsupportedOperationException();
    }

    /** Buffers and sends: one store call for all keys. */
    public void write(Transaction<K, V> tx, Map<K, Write<V>> writes) {
        throw new UnsupportedOperationException();
    }

    /** Sends, in one store call, what is buffered and what an earlier call did not get acknowledged. */
    public void write(Transaction<K, V> tx) {
        throw new UnsupportedOperationException();
    }

    /** The record of the key in the snapshot: null if there is none, a tombstone if it was deleted. Own writes first. */
    public Record<V> read(Transaction<K, V> tx, K key) {
        throw new UnsupportedOperationException();
    }

    /**
     * The same over records the caller has fetched since the transaction began: newest first, all records of the key
     * with versions below {@link Transaction#startTs}, commit cells as of any moment since.
     */
    public Record<V> read(Transaction<K, V> tx, K key, Iterator<Record<V>> records) {
        throw new UnsupportedOperationException();
    }

    /**
     * Commits. Returns the post-commit work, which the caller runs now or later on any thread; it never throws
     * StoreException, and if it is not run the commit stands all the same.
     */
    public Runnable commit(Transaction<K, V> tx) {
        throw new UnsupportedOperationException();
    }

    public void rollback(Transaction<K, V> tx) {
        throw new UnsupportedOperationException();
    }

    /** What became of a transaction after OutcomeUnknownException: COMMITTED, ABORTED, or still UNKNOWN. */
    public Transaction.Status resolve(long startTs, long commitTs) {
        throw new UnsupportedOperationException();
    }
}
