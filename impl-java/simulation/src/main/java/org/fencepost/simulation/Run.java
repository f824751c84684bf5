package org.fencepost.simulation;

import org.fencepost.protocol.history.History;

/**
 * A run that is over.
 *
 * @param failure null if it is as it should be
 * @param steps   how often the scheduler decided
 */
public record Run(Plan plan, Failure failure, History history, EventLog log, long steps) {

    public boolean failed() {
        return failure != null;
    }
}
