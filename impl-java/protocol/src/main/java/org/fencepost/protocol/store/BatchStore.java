package org.fencepost.protocol.store;

import java.util.Collection;
import java.util.Map;

/**
 * What commit in one phase asks of a store beside {@link VersionedStore} (specs/OnePhase.tla): a batch is all writes of a transaction,
 * stored at once with their commit cells, in one region.
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
