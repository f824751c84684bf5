package org.fencepost.tm.wire;

/**
 * How a serving transaction manager is.
 *
 * @param epoch         the first timestamp of its tenure; a later primary has a greater one
 * @param leaseNanos    what was left of its lease when it answered
 * @param nextTimestamp everything it has handed out is below
 * @param lowWatermark  transactions that began below abort at commit
 * @param limit         the durable limit: when it answered, nothing at or above it had been handed out
 */
public record Condition(long epoch, long leaseNanos, long nextTimestamp, long lowWatermark, long limit) {
}
