package org.fencepost.protocol.ph1;

import java.util.Map;
import java.util.Set;
import org.fencepost.protocol.store.StoreException;

/**
 * Group communication (pH1 section 4-C) as one instance of the middleware uses it. When two views become one, all members of the new one hold what
 * any of them held before.
 *
 * @param <K> keys
 * @param <V> values
 */
public interface Group<K, V> {

    /** @param number another one after each change @param members names, that of the instance included */
    record View(long number, Set<String> members) {
    }

    /** The present one. */
    View view();

    /** How many instances there are, in the view or not. */
    int instances();

    /** Returns when a member holds the versions. Throws {@link StoreException} if it does not answer. */
    void send(String member, Map<K, KeyVersion<V>> versions);

    /** Tells the members what the oldest snapshot of this instance is, or may be. Without waiting. */
    void tellFloor(long floor);

    /** What instances have told, as far as this one knows. */
    Map<String, Long> floors();

    /** Tells the members to drop what no snapshot from here on has. Without waiting. */
    void evict(long below);
}
