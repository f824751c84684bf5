/** What clients saw of a run, and the checker that judges it: {@link org.fencepost.protocol.history.TimestampChecker}. */
package org.fencepost.protocol.history;
