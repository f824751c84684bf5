package org.fencepost.protocol;

/** The transaction did not commit and never will: none of its writes is or becomes visible. */
public class TransactionAbortedException extends TransactionException {

    private final long startTs;
    private final AbortCause abortCause;

    public TransactionAbortedException(long startTs, AbortCause abortCause, Throwable cause) {
        super("Transaction " + startTs + " was aborted: " + abortCause.sentence() + ".", cause);
        this.startTs = startTs;
        this.abortCause = abortCause;
    }

    public long startTs() {
        return startTs;
    }

    public AbortCause abortCause() {
        return abortCause;
    }
}
