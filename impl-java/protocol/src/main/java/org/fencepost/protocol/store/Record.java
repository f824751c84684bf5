package org.fencepost.protocol.store;

import org.fencepost.protocol.Timestamps;

/**
 * One version of one key, as the store shows it (VLDB'18 Fig. 2). The value and the commit timestamp are two cells:
 * the value cell is written by the tentative put, the commit cell by post-commit or by whoever heals the record.
 *
 * @param version start timestamp of the writer
 * @param value   the value; null is a tombstone
 * @param commit  commit timestamp of the writer, or {@link Timestamps#NIL} while the commit cell is empty
 * @param leader  the key whose commit cell is the writer's commit entry (Fragola section 3.2); null if it is the record's own key, or if
 *                the commit table has the entry
 */
public record Record<V>(long version, V value, long commit, Object leader) {

    /** Of a writer whose entry is in the commit table. */
    public Record(long version, V value, long commit) {
        this(version, value, commit, null);
    }

    public boolean isTombstone() {
        return value == null;
    }

    /** True when the record itself tells its writer's commit timestamp. */
    public boolean hasCommitCell() {
        return commit != Timestamps.NIL;
    }
}
