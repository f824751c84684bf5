package org.fencepost.protocol;

/** A transaction was used after its commit or rollback. Nothing was done. */
public class TransactionFinishedException extends TransactionException {

    public TransactionFinishedException(long startTs, Transaction.Status status) {
        super("Transaction " + startTs + " is already over (" + status + "): begin a new one.");
    }
}
