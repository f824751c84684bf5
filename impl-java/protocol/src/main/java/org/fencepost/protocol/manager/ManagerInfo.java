package org.fencepost.protocol.manager;

/**
 * What a transaction manager tells of itself, so that whoever holds its timestamps can see whether it is still the one that gave them, and
 * what it can have given.
 *
 * @param identity       of the system of primary and backups: drawn once, kept where the durable limit is kept, the same after a
 *                       failover. Never null or empty
 * @param tenure         of this time as primary: drawn at random when it begins
 * @param epoch          where the timestamps of this tenure begin
 * @param next           the next timestamp; all that were given are below
 * @param limit          the durable limit: when this was told, nothing at or above it had been given
 * @param lifetimeMillis how long a transaction may live from its begin on, as the manager counts it
 */
public record ManagerInfo(String identity, long tenure, long epoch, long next, long limit, long lifetimeMillis) {
}
