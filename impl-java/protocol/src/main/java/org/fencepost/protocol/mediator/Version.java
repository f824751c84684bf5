package org.fencepost.protocol.mediator;

/**
 * One version of a key.
 *
 * @param ts    the commit timestamp of the transaction that wrote it, or the stamp of a native put; positive
 * @param value never null
 */
public record Version<V>(long ts, V value) {
}
