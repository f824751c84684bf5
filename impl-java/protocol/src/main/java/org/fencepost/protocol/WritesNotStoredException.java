package org.fencepost.protocol;

/** A commit was refused because a write was sent and not acknowledged. The transaction is still active. */
public class WritesNotStoredException extends TransactionException {

    public WritesNotStoredException(long startTs, int count) {
        super("Transaction " + startTs + " cannot commit while " + count + " of its writes may be missing from the store:"
                + " call write(tx) to send them again, or roll back.");
    }
}
