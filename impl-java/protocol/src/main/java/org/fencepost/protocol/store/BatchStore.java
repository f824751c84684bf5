package org.fencepost.protocol.store;

import java.util.Collection;
import java.util.Map;

/**
 * What commit in one phase asks of a store beside {@link VersionedStore} (specs/OnePhase.tla): a batch is all writes of a transaction,
 * stored at once with their commit cells, in one region. Puts of what lies in several are answered with the clocks of their rows.
 */
public interface BatchStore<K, V> {

    /** Of a store without batches. */
    static <K, V> BatchStore<K, V> none() {
        return new BatchStore<>() {
            @Override
            public boolean inOneRegion(Collection<K> keys) {
                return false;
            }

            @Override
            public boolean tellsClocks(Collection<K> keys) {
                return false;
            }

            @Override
            public long putTelling(long version, Map<K, Write<V>> writes, Runnable departs) {
                throw new UnsupportedOperationException("This store has no clocks.");
            }

            @Override
            public boolean putBatch(long startTs, long commitTs, Map<K, Write<V>> writes) {
                throw new UnsupportedOperationException("This store takes no batches.");
            }

            @Override
            public boolean findsRecord(long startTs, long commitTs, Collection<K> keys) {
                throw new UnsupportedOperationException("This store takes no batches.");
            }
        };
    }

    /** Guard (InOneRegion): whether these keys lie in one region that takes batches. Otherwise nothing makes them atomic. */
    boolean inOneRegion(Collection<K> keys);

    /** Whether the servers of these keys answer a put with the clock of its row. */
    boolean tellsClocks(Collection<K> keys);

    /**
     * Puts as {@link VersionedStore#put} does, and throws what that throws.
     *
     * @param departs run before each request, on whatever thread; what it throws keeps that from being sent
     * @return no read before the records could be read had a later snapshot (HasPassed); Long.MAX_VALUE where a server cannot tell
     */
    long putTelling(long version, Map<K, Write<V>> writes, Runnable departs);

    /**
     * Stores the records with their commit cells, all or none (AcceptBatch, StoreBatch); that is the commit. Sent once; a copy may arrive
     * late all the same. Throws {@link StoreException} if the answer was lost: then ask {@link #findsRecord}.
     *
     * @return false if it was refused (RefuseBatch): it is not stored, and no copy of it will be
     */
    boolean putBatch(long startTs, long commitTs, Map<K, Write<V>> writes);

    /**
     * Whether the batch is stored (FindsRecord). If not, no copy of it will be any more. It may have been stored, though, and collected
     * since. May throw {@link StoreException}.
     */
    boolean findsRecord(long startTs, long commitTs, Collection<K> keys);
}
