package org.fencepost.bench.scale;

/**
 * What a request keeps a core busy, in microseconds: measured, see docs/scale.md.
 *
 * @param read    of a region server
 * @param write   of a region server: each of a transaction's four, its put, its commit entry, its commit cell and the entry's removal
 * @param manager a request to the transaction manager, begin or commit
 * @param network one way, without queues
 */
record Costs(double read, double write, double manager, double network) {
}
