package org.fencepost.protocol.store;

import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import org.fencepost.protocol.Versions;

/**
 * The multi-versioned data store (VLDB'18 section 2.1), reduced to what the protocol asks of it.
 *
 * <p>A record is two cells under one version, the value cell and the commit cell, and each method says which one it
 * touches. "Not committed" is the absence of the commit cell and is never written: a tentative put that arrives late
 * or twice can therefore not wipe a commit cell. A commit cell without value cell is no record; readers do not see it.
 *
 * <p>Each key is written atomically; a call for several keys is not atomic across them. Every method may throw
 * {@link StoreException}, after which any part of the call may have happened, or may still happen later.
 *
 * @param <K> keys, with equals and hashCode
 * @param <V> values, never null
 */
public interface VersionedStore<K, V> {

    /**
     * Tentative puts: writes the value cells, and only those. Repeating a call is harmless. A copy of a put may take
     * effect after the call returned (a retried request), so no version of a key is ever given two different values.
     * Throws {@link PutRefusedException} where the store has a newer committed version; other keys may be stored.
     */
    void put(long version, Map<K, Write<V>> writes);

    /**
     * Records that are born committed, value cell and commit cell at once (specs/IndexFence.tla, StoreIndex). Repeating a call is
     * harmless, and a copy may arrive late, as with {@link #put}.
     *
     * @param records none of which is a tombstone, all with a commit timestamp
     * @param departs called right before a request departs; what it throws keeps that back
     */
    default void putCommitted(Map<K, Record<V>> records, Runnable departs) {
        throw new UnsupportedOperationException("This store takes no records that are born committed.");
    }

    /**
     * The records of a key, newest first, versions at most {@code fromVersion}. The iterator may fetch lazily; it
     * shows every record that was stored before this call and not removed meanwhile. Its methods may throw StoreException.
     */
    Iterator<Record<V>> get(K key, long fromVersion);

    /** The record as it is now, read afresh; null if there is none. */
    Record<V> reread(K key, long version);

    /** What the versions of a key's records tell. */
    default Versions versions(K key) {
        return Versions.DENSE;
    }

    /** Writes the commit cells of one transaction's records, whether or not the value cells are there. Idempotent. */
    void putCommitCells(Collection<K> keys, long version, long commitTs);

    /** The same for several transactions, which a store may do in one round trip. */
    default void putCommitCells(Collection<Committed<K>> committed) {
        committed.forEach(each -> each.byVersion().forEach((version, keys) -> putCommitCells(keys, version, each.commitTs())));
    }

    /** For commits in one phase. */
    default BatchStore<K, V> batches() {
        return BatchStore.none();
    }

    /** Removes both cells of one transaction's records. Removing nothing is no error. */
    void remove(Collection<K> keys, long version);

    /** The same of a transaction that has not committed and never will. Where a commit cell is a commit entry, it stays. */
    default void removeAborted(Collection<K> keys, long version) {
        remove(keys, version);
    }
}
