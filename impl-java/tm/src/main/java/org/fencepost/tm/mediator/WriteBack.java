package org.fencepost.tm.mediator;

import org.fencepost.protocol.store.StoreException;

/**
 * The database as the helper and a recovering oracle use it.
 *
 * @param <W> write sets
 */
@FunctionalInterface
public interface WriteBack<W> {

    /**
     * Stores all writes of a transaction at its commit timestamp. Repeating it is harmless.
     *
     * @throws StoreException if they may not all be stored
     */
    void writeBack(W writes, long commitTs);
}
