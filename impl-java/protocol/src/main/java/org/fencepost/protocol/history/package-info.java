/**
 * What clients saw of a run, and the checkers that judge it: {@link org.fencepost.protocol.history.TimestampChecker}, and
 * {@link org.fencepost.protocol.history.RelaxedChecker} where there is a fast path.
 */
package org.fencepost.protocol.history;
