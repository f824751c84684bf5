package org.fencepost.protocol.ph1;

/**
 * What the store holds of a key.
 *
 * @param ts    the commit timestamp of its writer, positive
 * @param value null: the key was deleted then
 * @param <V>   values
 */
public record Cell<V>(long ts, V value) {

    /** When a cell was committed; what was never written is older than all. */
    static long tsOf(Cell<?> cell) {
        return cell == null ? 0 : cell.ts();
    }

    /** Its value; null where there is none. */
    static <V> V valueOf(Cell<V> cell) {
        return cell == null ? null : cell.value();
    }
}
