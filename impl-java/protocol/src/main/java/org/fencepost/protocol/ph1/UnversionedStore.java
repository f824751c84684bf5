package org.fencepost.protocol.ph1;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.fencepost.protocol.store.StoreException;

/**
 * A store that keeps one cell for each key, and no older ones. What a put was answered for, every later get returns, or something
 * newer; and what one get has returned, no later one falls behind. With replicas that takes reads and writes at quorum.
 *
 * <p>Every method may throw {@link StoreException}. A put may then have happened, or may still happen.
 *
 * @param <K> keys, with equals and hashCode
 * @param <V> values
 */
public interface UnversionedStore<K, V> {

    /** The cell; null if there is none. */
    Cell<V> get(K key);

    /** The cells of several keys, asked for side by side where the store can; no entry for a key that has none. */
    default Map<K, Cell<V>> get(Collection<K> keys) {
        Map<K, Cell<V>> cells = new HashMap<>();
        for (K key : keys) {
            Cell<V> cell = get(key);
            if (cell != null) {
                cells.put(key, cell);
            }
        }
        return cells;
    }

    /** Stores a cell unless the store's is at least as new, whenever the put arrives. */
    void put(K key, Cell<V> cell);

    /** The same of several keys, side by side where the store can. What it throws leaves open which were stored. */
    default void put(Map<K, Cell<V>> cells) {
        cells.forEach(this::put);
    }

    /** Removes the cell of a deleted key if it is of this timestamp or older. */
    void delete(K key, long ts);

    /**
     * The cells of the first keys of a range, in their order, deleted ones included.
     *
     * @param from  inclusive; null: from the first
     * @param to    exclusive; null: to the last
     * @param limit of keys, at least 1; fewer come only where the range has no more
     */
    Map<K, Cell<V>> scan(K from, K to, int limit);
}
