package org.fencepost.protocol.ph1;

import java.util.Collection;
import java.util.List;
import org.fencepost.protocol.manager.TransactionManagerException;

/**
 * The certifier as instances see it (pH1 section 4-D). Every method throws {@link TransactionManagerException} if there is no answer; the request
 * may have been carried out, or may be later.
 *
 * @param <K> keys
 */
public interface Certifier<K> {

    /** In place of a commit timestamp. */
    long CONFLICT = 0;

    /** The same: the snapshot is older than what the certifier remembers of conflicts. */
    long BELOW_WATERMARK = -1;

    /** The read horizon: a snapshot at it has what was committed below, all of which can be read. Never goes back. */
    long horizon();

    /**
     * Checks for conflicts with those who were certified outside of the snapshot. Not repeated: a second request would be in conflict with
     * the first.
     *
     * @return the commit timestamp, which stands in the way of the horizon from now on; {@link #CONFLICT} or {@link #BELOW_WATERMARK}
     */
    long requestCommit(long readTs, Collection<K> keys);

    /** The transaction was flushed to the last key. Without effect if it is known already. */
    void complete(long commitTs);

    /** The redo log has aborted the transaction. Without effect if it is known already. */
    void release(long commitTs);

    /** The commit timestamps that stand in the way of the horizon, in order. */
    List<Long> flushing();
}
