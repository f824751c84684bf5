package org.fencepost.hbase.layout;

import org.fencepost.protocol.TransactionException;

/** A table lacks what transactions need of it. The message says what to do. */
public class InvalidTableException extends TransactionException {

    public InvalidTableException(String message) {
        super(message);
    }

    InvalidTableException(String message, Throwable cause) {
        super(message, cause);
    }
}
