package org.fencepost.ph1.store;

import java.nio.ByteBuffer;
import java.util.List;
import org.fencepost.protocol.ph1.RedoLog.RedoRecord;

/**
 * The redo log, of generations. Each keeper of the read horizon begins one, and with that ends all earlier ones: a record that was certified
 * in one that is over does not get in any more. So who begins a generation finds all that was ever committed before it.
 *
 * <p>Every method may throw {@link org.fencepost.protocol.store.StoreException}; what it was to do may have happened, or may happen later. It may
 * be called again.
 */
public interface GenerationLog {

    /** Partitions of the log: each is fenced alone, and appends to one are done one after the other. */
    int PARTS = 16;

    /** Begins a generation. Returns false if one that is not lower was begun by somebody else. */
    boolean begin(long generation);

    /**
     * Appends a record, if the transaction has none and the generation is not over.
     *
     * @param generation in which the transaction was certified
     * @return the first record of the transaction, durable; one that aborts, if the generation is over
     */
    RedoRecord<Key, ByteBuffer> append(long generation, RedoRecord<Key, ByteBuffer> record);

    /** The first record of a transaction; null if it has none. */
    RedoRecord<Key, ByteBuffer> find(long commitTs);

    /** The commit timestamps, in order, of all records that commit from {@link #flushed} on. */
    List<Long> unflushed();

    /** Tells that all commits below were flushed. Without effect if the generation is over. */
    void flushed(long generation, long below);

    /** Removes the records below, which nobody asks for any more. */
    void trim(long below);

    /** Where a transaction's record is. */
    static int part(long commitTs) {
        return (int) Long.remainderUnsigned((commitTs * 0x9E3779B97F4A7C15L) >>> 32, PARTS);
    }
}
