package org.fencepost.hbase.client;

/**
 * Which way the transactions of a client took that have written something.
 *
 * @param inOnePhase committed by one batch
 * @param theLongWay committed by an entry in the commit table
 * @param refused    whose batch was not stored, and that went the long way then, whether or not they have committed
 * @param passed     that were certified while they were put, and asked once more, since somebody may have read a row too early; whether or not
 *                   they have committed
 */
public record CommitCounts(long inOnePhase, long theLongWay, long refused, long passed) {
}
