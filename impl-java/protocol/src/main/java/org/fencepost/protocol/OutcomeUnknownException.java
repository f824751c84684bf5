package org.fencepost.protocol;

/**
 * The commit table, or Mediator's log, did not tell whether the transaction committed. It may have, or may still. The two
 * timestamps are all that {@code OmidLL.resolve} needs to find out later, from any client.
 */
public class OutcomeUnknownException extends TransactionException {

    private final long startTs;
    private final long commitTs;

    /** @param commitTs NIL: it is a put transaction of Mediator, and nobody can find out */
    public OutcomeUnknownException(long startTs, long commitTs, Throwable cause) {
        super("Transaction " + startTs + " may or may not have committed" + (commitTs == Timestamps.NIL
                ? ": the answer to its only put was lost." : " at " + commitTs + ": call resolve(" + startTs + ", " + commitTs
                        + ") once the store answers again."), cause);
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
