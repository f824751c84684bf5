package org.fencepost.protocol.fragola;

import java.util.Map;
import java.util.PrimitiveIterator;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.VersionedStore;
import org.fencepost.protocol.store.Write;

/**
 * A store whose commit cells can be commit entries, which is what Fragola asks of it beside {@link VersionedStore} (Fragola section 3.3).
 * The commit cell of a leader may hold the marker, {@link Timestamps#INVALIDATED}, also without a value: a {@link Record} shows it as empty.
 * {@link #removeAborted} leaves it.
 */
public interface LeaderStore<K, V> extends VersionedStore<K, V> {

    /** Tentative puts, with a pointer to the leader: {@link Record#leader}. */
    void put(long version, K leader, Map<K, Write<V>> writes);

    /**
     * The same for the only key of a transaction, which must not have been sent before. The store may answer before its log has the put, so
     * that it is lost if a server dies before {@link #checkAndMutate} has written the leader's commit cell. Guard (SentOnce): such a put is
     * sent once; what is sent again, for want of an answer, is answered when the log has it, as all of {@link #put} is.
     */
    default void putOnce(long version, K leader, Write<V> write) {
        put(version, leader, Map.of(leader, write));
    }

    /** What the leader's commit cell holds: a timestamp, the marker or NIL. */
    long commitCell(K leader, long version);

    /**
     * Check-and-mutate, one atomic step: writes the leader's commit cell if {@link #previous} is NIL, and returns that. A copy may arrive
     * late.
     *
     * @param entry a commit timestamp or INVALIDATED
     */
    long checkAndMutate(K leader, long version, long entry);

    /**
     * The previous entry; NIL means that a new one may be stored, COLLECTED that there is no leader. Guards: a commit needs a leader, and one
     * without marker or timestamp; the marker needs one without timestamp.
     *
     * @param isStored whether the leader has a value
     * @param cell     its commit cell, or NIL
     */
    static long previous(boolean isStored, long cell) {
        return isStored ? cell : Timestamps.COLLECTED;
    }

    /** Versions below the watermark of markers under this key whose leader is gone. */
    PrimitiveIterator.OfLong loneMarkers(K key, long watermark);

    /** Removes such a marker. Removing nothing is no error. */
    void removeMarker(K key, long version);
}
