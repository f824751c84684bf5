package org.fencepost.protocol;

/**
 * The commit table did not tell whether the transaction committed. It may have, or may still. The two timestamps are
 * all that {@link OmidLL#resolve} needs to find out later, from any client.
 */
public class OutcomeUnknownException extends TransactionException {

    private final long startTs;
    private final long commitTs;

    public OutcomeUnknownException(long startTs, long commitTs, Throwable cause) {
        super("Transaction " + startTs + " may or may not have committed at " + commitTs
                + ": call resolve(" + startTs + ", " + commitTs + ") once the commit table answers again.", cause);
        this.startTs = startTs;
        this.commitTs = commitTs;
    }

    public long startTs() {
        return startTs;
    }

    public long commitTs() {
        return commitTs;
    }
}
