package org.fencepost.protocol.omid;

import java.util.Collection;
import java.util.function.LongConsumer;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.StoreException;

/**
 * Where the commit entries of transactions are: in the commit table (VLDB'18 section 3.2), or in the store, in the commit cell of the
 * first key that each has written, its leader (Fragola section 3.2). An entry is absent ({@link Timestamps#NIL}), a commit timestamp,
 * or {@link Timestamps#INVALIDATED}. All else is the same, and is written once.
 *
 * <p>Every method may throw {@link StoreException}: its effect may then have happened or may still happen later. An implementation that
 * repeats a request on its own must not turn a lost answer into {@link Timestamps#COLLECTED}.
 */
public interface CommitPlacement<K, V> {

    /** The entry of the writer of a record that was met. */
    long lookUp(K key, Record<V> met);

    /** The same of several writers, in one call; NIL, too, where their records must be met to tell. */
    long[] lookUp(long[] writers);

    /**
     * Stores the commit timestamp if there is no entry, atomically, and returns the previous entry; NIL means stored. COLLECTED means that
     * it was not, and never will be.
     *
     * @param leader the first key that the transaction has written; null where the commit table has its entry
     */
    long write(long startTs, K leader, long commitTs);

    /**
     * Stores INVALIDATED for the writer of a record that was met, if there is no entry, atomically, and returns the previous one; NIL means
     * stored. No timestamp: he has not committed, or a commit cell beside the record tells that he has.
     */
    long invalidate(K key, Record<V> met);

    /** Whether an entry is part of a record, and goes with it; then {@link #remove} does nothing. */
    boolean isInStore();

    /** Removes entries that no record needs any more. */
    void remove(Collection<Long> startTs);

    /** Returns when whoever began below the watermark cannot commit, unless {@link #settle} sees to that. */
    void raiseWatermark(long watermark);

    /** The entry of the writer of a record below the watermark, who cannot commit any more. */
    long settle(K key, Record<V> met);

    /**
     * Removes the entries below the watermark that are there by themselves, once all records below it are settled.
     *
     * @param keys    every key with a record below the watermark
     * @param removed told of each, with the start timestamp of its transaction
     */
    void collectEntries(Iterable<K> keys, long watermark, LongConsumer removed);
}
