package org.fencepost.protocol.store;

import java.util.Collection;
import java.util.PrimitiveIterator;
import java.util.stream.LongStream;

/**
 * The commit table (VLDB'18 section 3.2): start timestamp to commit timestamp, the one place that decides whether a
 * transaction has committed. An entry is absent ({@code Timestamps.NIL}), a commit timestamp, or
 * {@code Timestamps.INVALIDATED}.
 *
 * <p>Every method may throw {@link StoreException}: its effect may then have happened or may still happen later.
 * An implementation that repeats a request on its own must not turn a lost answer into {@code Timestamps.COLLECTED}:
 * the lost copy may have committed. It throws StoreException instead.
 */
public interface CommitTable {

    /** The entry of a transaction: NIL, INVALIDATED or its commit timestamp. */
    long get(long startTs);

    /** The entries of several transactions, in the same order; a commit table may do it in one round trip. */
    default long[] get(long[] startTs) {
        return LongStream.of(startTs).map(this::get).toArray();
    }

    /**
     * Stores {@code entry} if the transaction has none, atomically, and returns the previous entry; NIL means stored.
     * Below the watermark nothing is stored; where an entry is absent there, the answer is COLLECTED if {@code entry}
     * is a commit timestamp and INVALIDATED if it is INVALIDATED. The watermark is tested in the same atomic step as
     * the entry.
     *
     * @param entry a commit timestamp or INVALIDATED
     */
    long checkAndMutate(long startTs, long entry);

    /** Removes the entry of a transaction. Removing nothing is no error. */
    void remove(long startTs);

    /** The same for several transactions, which a commit table may do in one round trip. */
    default void remove(Collection<Long> startTs) {
        startTs.forEach(this::remove);
    }

    /**
     * Raises the watermark, durably and on all shards before it returns; it never sinks. Once this has returned, no
     * transaction that began below {@code watermark} can commit any more.
     */
    void raiseWatermark(long watermark);

    /** The lowest watermark of any shard; 0 at first. */
    long watermark();

    /** Start timestamps of the entries below {@code watermark}, in any order; may fetch lazily. */
    PrimitiveIterator.OfLong entriesBelow(long watermark);
}
