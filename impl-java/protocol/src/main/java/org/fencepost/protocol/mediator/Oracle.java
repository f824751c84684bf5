package org.fencepost.protocol.mediator;

import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerException;

/**
 * The status oracle (SYSTOR'14 section 4.3: TSO), as its clients see it. It does not know whether they want snapshot isolation
 * or serializability: that shows in what they ask to be compared.
 *
 * <p>Timestamps are multiples of Delta. Who asks gets {@link TransactionManagerException} if there is no answer; the
 * request may have been carried out, or may be carried out later, and is not repeated. For a commit that means an entry in the ring that
 * nobody asks about: the helper aborts it. Those who only tell need not wait, and what they tell may be lost: the helper finds it out.
 */
public interface Oracle {

    /**
     * Allocates a start timestamp.
     *
     * @param replica whether to bring the ring along; if not, {@link Begun#replica} is {@link Replica#NONE}
     */
    Begun begin(boolean replica);

    /** @param replica the ring as it was when startTs was allocated */
    record Begun(long startTs, Replica replica) {
    }

    /**
     * Checks for conflicts with the transactions in the ring, and enters this one unless it writes nothing (SYSTOR'14 Alg. 2,
     * txTryCommit). All hashes are of 64 bits.
     *
     * @param writes    the keys of the write set
     * @param conflicts the keys to compare: the write set, or under serializability the read set
     * @param since     for each of them the timestamp since when nobody else may have written it: the start timestamp, or
     *                  that of the version that was read, 0 if there was none
     * @return the commit timestamp, {@link TransactionManager#CONFLICT} or {@link TransactionManager#BELOW_WATERMARK}
     */
    long txTryCommit(long startTs, long[] writes, long[] conflicts, long[] since);

    /**
     * The transaction was aborted by its client, which has sent no record to the log and never will. Without effect if the entry is
     * settled already or was never made.
     */
    void tsoAbort(long commitTs);

    /** The transaction is in the log and written back to the last key. Without effect if the entry is settled already. */
    void txCommit(long commitTs);
}
