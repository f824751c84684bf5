/**
 * The protocols, as plain blocking Java: no HBase, ZooKeeper or network, no threads, no clocks.
 *
 * <p>Read {@link org.fencepost.protocol.omid.OmidLL} first, then {@link org.fencepost.protocol.omid.SnapshotReader} and
 * {@link org.fencepost.protocol.omid.Collector}; these three are the client and the recovery of specs/OmidLL.tla, and
 * {@link org.fencepost.protocol.manager.TransactionManagerCore} is its manager. Everything nondeterministic comes in through an
 * interface: {@link org.fencepost.protocol.store.VersionedStore}, {@link org.fencepost.protocol.store.CommitTable},
 * {@link org.fencepost.protocol.manager.TransactionManager}, {@link org.fencepost.protocol.Clock}. A method that performs an
 * action of the specification has its name, and {@link org.fencepost.protocol.trace.Action} lists them.
 */
package org.fencepost.protocol;
