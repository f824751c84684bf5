package org.fencepost.protocol.mediator;

/**
 * What a transaction knows of the status oracle's ring: the entries that were in it, and not aborted, when the transaction
 * began (SYSTOR'14 section 4.2). It does not change while the transaction runs.
 */
@FunctionalInterface
public interface Replica {

    /** For transactions that do not ask: under serializability the latest version is read. */
    Replica NONE = key -> 0;

    /**
     * The commit timestamp of the latest entry whose filter holds a key (SYSTOR'14 Alg. 1, latestCommitted); 0 if none does.
     * Entries that are complete may be left out, since what they wrote is in the database.
     *
     * @param key 64-bit hash
     */
    long latestCommitted(long key);
}
