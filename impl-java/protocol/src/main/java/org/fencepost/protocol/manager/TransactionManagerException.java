package org.fencepost.protocol.manager;

import org.fencepost.protocol.TransactionException;

/** The transaction manager did not answer: whether it carried out the request is unknown. */
public class TransactionManagerException extends TransactionException {

    public TransactionManagerException(String message) {
        super(message);
    }

    public TransactionManagerException(String message, Throwable cause) {
        super(message, cause);
    }
}
