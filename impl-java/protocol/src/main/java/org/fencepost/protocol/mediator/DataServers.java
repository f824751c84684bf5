package org.fencepost.protocol.mediator;

import java.util.Collection;
import java.util.Map;
import org.fencepost.protocol.store.StoreException;

/**
 * The database as Mediator's client uses it (SYSTOR'14 Alg. 3). Each method sends one request to each server that is concerned, for
 * all its keys. A fence comes before the look of the same request, in one opening of the region: {@link MediatorRegion}.
 *
 * <p>Every method may throw {@link StoreException}: its effect may then have happened, or may still happen later.
 *
 * @param <K> keys, with equals and hashCode
 * @param <V> values, never null
 */
public interface DataServers<K, V> {

    /**
     * Fences the servers of the keys with a start timestamp, waits for older puts of these keys to be stored, and looks.
     *
     * @param due the keys, with the timestamp of the version that is due at least, 0 if none is
     * @return the last version of each key before {@code startTs}; keys that have none are left out. What is not older than due
     *         may be called older than it is, or left out if nothing is due: a server need not look at all of a key to see
     *         what is asked for
     */
    Map<K, Version<V>> txGet(Map<K, Long> due, long startTs);

    /** The last version of each key, without a fence; keys that have none are left out. */
    Map<K, Version<V>> get(Collection<K> keys);

    /**
     * Fences the servers of both with a commit timestamp, waits for older puts of the keys in {@code since} to be stored, and
     * looks for versions of them between the timestamp given for each and {@code commitTs}.
     *
     * @param since the keys to be checked, with the timestamp since when nobody else may have written them
     * @param fence more keys whose servers are to be fenced
     * @return whether there are none
     */
    boolean txCheckConflict(Map<K, Long> since, Collection<K> fence, long commitTs);

    /** Stores values at a commit timestamp. Repeating it is harmless. Not atomic across keys. */
    void writeBack(Map<K, V> writes, long commitTs);

    /**
     * A put as a native one, but stamped after {@code startTs}. Never sent twice: two copies would be two puts.
     *
     * @return its stamp
     */
    long localCommit(K key, V value, long startTs);
}
