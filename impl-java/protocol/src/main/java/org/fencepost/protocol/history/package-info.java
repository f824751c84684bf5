/**
 * What clients saw of a run, and the checkers that judge it by the three formulations of specs/Isolation.tla:
 * {@link org.fencepost.protocol.history.TimestampChecker} for histories of any size, and for small ones
 * {@link org.fencepost.protocol.history.ReadStatesChecker} and {@link org.fencepost.protocol.history.PhenomenaChecker},
 * which look at nothing but what clients saw. {@link org.fencepost.protocol.history.RelaxedChecker} is the first one where there
 * is a fast path.
 */
package org.fencepost.protocol.history;
