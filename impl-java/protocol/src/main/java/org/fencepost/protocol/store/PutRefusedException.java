package org.fencepost.protocol.store;

import org.fencepost.protocol.TransactionException;

/**
 * The store has a newer committed version of a key than the one to be put, so the writer conflicts with a fast-path
 * transaction (VLDB'18 Alg. 4, prePut). Unlike {@link StoreException} this is an answer: the writer must abort.
 */
public class PutRefusedException extends TransactionException {

    public PutRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
