package org.fencepost.tm.client;

import org.fencepost.protocol.manager.TransactionManagerException;

/** No transaction manager carried out the request, for certain: none was found in time, or it was refused. */
public final class NotServedException extends TransactionManagerException {

    public NotServedException(String message) {
        super(message);
    }
}
