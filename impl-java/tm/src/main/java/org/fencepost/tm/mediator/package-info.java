/**
 * Mediator's status oracle (SYSTOR'14 section 4.3, specs/Mediator.tla), its log, its helper and its recovery, without network, threads or
 * BookKeeper.
 *
 * <p>Read {@link org.fencepost.tm.mediator.StatusOracle} first, then {@link org.fencepost.tm.mediator.CommitLog}; both are confined to the thread
 * that serves. {@link org.fencepost.tm.mediator.Helper} and {@link org.fencepost.tm.mediator.Recovery} finish what clients and earlier
 * oracles have left. Their world is {@link org.fencepost.tm.mediator.Ledgers} and {@link org.fencepost.tm.mediator.WriteBack}.
 */
package org.fencepost.tm.mediator;
