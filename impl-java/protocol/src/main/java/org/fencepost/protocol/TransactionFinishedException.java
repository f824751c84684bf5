package org.fencepost.protocol;

/** A transaction was used after its commit or rollback. Nothing was done. */
public class TransactionFinishedException extends TransactionException {

    public TransactionFinishedException(long startTs, TransactionStatus status) {
        super("Transaction " + startTs + " is already over (" + status + "): begin a new one.");
    }
}
