/**
 * Mediator (SYSTOR'14, specs/Mediator.tla): transactions beside native puts and gets of the same data.
 *
 * <p>Read {@link org.fencepost.protocol.mediator.Mediator} first, the client; then
 * {@link org.fencepost.protocol.mediator.MediatorRegion}, what a database server does in addition to its own work. Both meet
 * the world in {@link org.fencepost.protocol.mediator.Oracle}, {@link org.fencepost.protocol.mediator.Log} and
 * {@link org.fencepost.protocol.mediator.DataServers}. The status oracle's own algorithm, its helper and its recovery are in
 * the tm module; they share {@link org.fencepost.protocol.mediator.BloomFilter} and
 * {@link org.fencepost.protocol.mediator.LogRecord} with the client.
 */
package org.fencepost.protocol.mediator;
