package org.fencepost.protocol.ph1;

import java.util.Map;
import org.fencepost.protocol.store.StoreException;

/**
 * The redo log: of a transaction's records the first one counts. A row of any store with check-and-put is enough.
 *
 * <p>Both methods may throw {@link StoreException}; a record may then be in the log, or come to be later. It may be sent again.
 *
 * @param <K> keys
 * @param <V> values
 */
public interface RedoLog<K, V> {

    /**
     * That a transaction commits, with all that it writes, or that it is aborted.
     *
     * @param commitTs positive, names the transaction
     * @param writes   a null value deletes its key; null: the transaction is aborted
     */
    record RedoRecord<K, V>(long commitTs, Map<K, V> writes) {

        public boolean commits() {
            return writes != null;
        }
    }

    /** Appends a record unless there is one; the first of the transaction is returned, and is durable. */
    RedoRecord<K, V> append(RedoRecord<K, V> record);

    /** The first record of a transaction; null if it has none. */
    RedoRecord<K, V> find(long commitTs);
}
