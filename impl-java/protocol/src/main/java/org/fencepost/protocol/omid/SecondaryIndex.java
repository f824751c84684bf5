package org.fencepost.protocol.omid;

import java.util.LinkedHashMap;
import java.util.Map;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;

/**
 * A secondary index as writers keep it (VLDB'18 section 6.1, specs/IndexFence.tla): a record for each row of a table, at a key that is a
 * function of the row's value. Whoever writes a row also deletes the index record of the value that it had in his snapshot, and
 * writes that of the new one. These records are conflict-free: two who write one have written the row.
 *
 * <p>{@link IndexBuild} brings in the rows that were there before.
 */
public final class SecondaryIndex<K, V> {

    /** What the index has for a row. */
    public record Entry<K, V>(K key, V value) {
    }

    /** Of the row and its value alone. Different rows have different keys. */
    @FunctionalInterface
    public interface Function<K, V> {

        /** Never null. */
        Entry<K, V> entry(K row, V value);
    }

    private final OmidLL<K, V> ll;
    private final Function<K, V> function;
    private final Tracer tracer;

    public SecondaryIndex(OmidLL<K, V> ll, Function<K, V> function, Tracer tracer) {
        this.ll = ll;
        this.function = function;
        this.tracer = tracer;
    }

    Entry<K, V> entry(K row, V value) {
        Entry<K, V> entry = function.entry(row, value);
        if (entry == null || entry.key() == null || entry.value() == null) {
            throw new IllegalArgumentException("The function of an index must have a key and a value for each row, and has none for row " + row + ".");
        }
        return entry;
    }

    /** Buffers the write of a row, and those of its {@link #entries}; all or none. Throws as {@link OmidLL#buffer} does. */
    public void writeIndex(OmidLLTransaction<K, V> tx, K row, V was, Write<V> write) {
        Map<K, Write<V>> entries = entries(row, was, write);
        ll.buffer(tx, Map.of(row, write), entries);
        if (tracer.on()) {
            entries.forEach((key, each) -> tracer.event(Action.WriteIndex, "txn", tx.startTs(), "row", row, "key", key, "delete", each.isTombstone()));
        }
    }

    /**
     * What goes to the index with the write of a row.
     *
     * @param was the row's value as the transaction reads it, its own write included; null for none
     */
    public Map<K, Write<V>> entries(K row, V was, Write<V> write) {
        Map<K, Write<V>> entries = new LinkedHashMap<>();
        if (was != null) {
            entries.put(entry(row, was).key(), Write.tombstone());
        }
        if (!write.isTombstone()) {
            Entry<K, V> entry = entry(row, write.value()); // the same key may have had the row before
            entries.put(entry.key(), Write.of(entry.value()));
        }
        return entries;
    }

    /**
     * Whether a transaction of this snapshot may ask the index. Guard: when it is ready, and for snapshots from the last part's of its
     * build on; an older one would miss what was overwritten before.
     *
     * @param readyFrom what {@link IndexBuild#ready} has returned; NIL while it has not
     */
    public static boolean mayUse(long readyFrom, long startTs) {
        boolean isReady = readyFrom != Timestamps.NIL;
        boolean coversSnapshot = readyFrom <= startTs;
        return isReady && coversSnapshot;
    }
}
