package org.fencepost.simulation;

import org.fencepost.protocol.TransactionManagerException;

/** The request has certainly not been carried out: whoever it reached does not serve. */
final class NotServedException extends TransactionManagerException {

    private static final long serialVersionUID = 1;

    NotServedException(String message) {
        super(message);
    }
}
