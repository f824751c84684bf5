package org.fencepost.protocol.twophase;

import java.util.Iterator;
import java.util.Map;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.VersionedStore;
import org.fencepost.protocol.store.Write;

/**
 * A store that checks for conflicts itself, which is what Omid 2PC asks of it beside {@link VersionedStore}
 * (VLDB'18 section 5.1.1).
 */
public interface IntentStore<K, V> extends VersionedStore<K, V> {

    /** In place of an intent's version: a version was committed after the transaction began. */
    long NEWER_COMMIT = TransactionManager.CONFLICT;

    /**
     * Check-and-mutate of each key on its own: writes the value cell if {@link #obstacle} finds nothing, with which nobody
     * can interfere. A call may be repeated, and a copy may arrive late.
     *
     * @return the keys that were not written, each with the version of the intent in its way, or NEWER_COMMIT. A store may
     *         write several keys together or not at all, for the reason of one of them
     */
    Map<K, Long> prewrite(long version, Map<K, Write<V>> writes);

    /**
     * What keeps a transaction from writing a key: the version of another one's intent (a record without commit cell),
     * NEWER_COMMIT, or NIL. It stands in the newest record but for the transaction's own, since there is no intent below
     * that (OneIntent), and no later commit.
     *
     * @param version of the transaction
     * @param records of the key, newest first
     */
    static long obstacle(long version, Iterator<? extends Record<?>> records) {
        while (records.hasNext()) {
            Record<?> record = records.next();
            if (record.version() != version) {
                return !record.hasCommitCell() ? record.version() : record.commit() > version ? NEWER_COMMIT : Timestamps.NIL;
            }
        }
        return Timestamps.NIL;
    }
}
