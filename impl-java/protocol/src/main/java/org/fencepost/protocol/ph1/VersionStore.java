package org.fencepost.protocol.ph1;

import java.util.Map;
import org.fencepost.protocol.store.StoreException;

/**
 * The non-persistent version store (pH1 section 4-C) as one instance of the middleware uses it: memory, of which every instance
 * has a copy.
 *
 * <p>Save, read and evict throw {@link StoreException} where the instance is not in a view of most instances, or a member does not answer.
 *
 * @param <K> keys, with equals and hashCode
 * @param <V> values
 */
public interface VersionStore<K, V> {

    /** Returns when all instances of one view hold the versions. If views change in the meantime, it begins anew. */
    void save(Map<K, KeyVersion<V>> versions);

    /** The version that a snapshot has, from the instance's own copy; null if it is lost. */
    KeyVersion<V> read(K key, long readTs);

    /** Tells the others that no snapshot here is below, nor will be. */
    void tellFloor(long floor);

    /** The lowest floor of the instances in the view; 0 while one has told none. */
    long oldestSnapshot();

    /** Whether the view has all instances that there are: nobody else reads the store. */
    boolean hasAllInstances();

    /** All instances of the view drop what no snapshot from here on has. */
    void evict(long below);
}
