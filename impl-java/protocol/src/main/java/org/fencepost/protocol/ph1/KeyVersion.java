package org.fencepost.protocol.ph1;

/**
 * That a key had a value from one commit until another. True for ever, so it may be stored late, twice, or by anybody.
 *
 * @param from  the commit timestamp of the value's writer; 0: the key had never been written, or had been deleted long before
 * @param value null: there was nothing
 * @param until the commit timestamp of the writer who overwrote it
 * @param <V>   values
 */
public record KeyVersion<V>(long from, V value, long until) {

    /** Covers of specs/PH1.tla: whether it is what a snapshot has. */
    public boolean covers(long readTs) {
        return from < readTs && readTs <= until;
    }
}
