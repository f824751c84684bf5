package org.fencepost.simulation.world;

import org.fencepost.protocol.manager.TransactionManagerException;

/** The request has certainly not been carried out: whoever it reached does not serve. */
public final class NotServedException extends TransactionManagerException {

    private static final long serialVersionUID = 1;

    public NotServedException(String message) {
        super(message);
    }
}
