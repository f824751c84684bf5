package org.fencepost.protocol.store;

/**
 * What a transaction stores under a key: a value, or a tombstone for a delete.
 *
 * @param value the new value; null is a tombstone
 */
public record Write<V>(V value) {

    public static <V> Write<V> of(V value) {
        if (value == null) {
            throw new IllegalArgumentException("A value must not be null; use Write.tombstone() to delete.");
        }
        return new Write<>(value);
    }

    public static <V> Write<V> tombstone() {
        return new Write<>(null);
    }

    public boolean isTombstone() {
        return value == null;
    }
}
