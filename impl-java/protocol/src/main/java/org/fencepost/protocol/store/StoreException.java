package org.fencepost.protocol.store;

import org.fencepost.protocol.TransactionException;

/**
 * The data store or the commit table did not answer, or answered with an error: the outcome of the operation is
 * unknown, and it may still take effect.
 */
public class StoreException extends TransactionException {

    public StoreException(String message) {
        super(message);
    }

    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
