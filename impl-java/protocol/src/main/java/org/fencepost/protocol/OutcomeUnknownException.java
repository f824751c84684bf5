package org.fencepost.protocol;

import java.util.Collection;
import java.util.List;

/**
 * The commit table, the leader, the rows of its batch, or Mediator's log did not tell whether the transaction committed. It may have, or may
 * still. {@code OmidLL.resolve} finds out later: any client with the two timestamps, and the leader if there is one; and with this exception if it was
 * to commit in one phase.
 */
public class OutcomeUnknownException extends TransactionException {

    /**
     * What was to commit in one phase (specs/OnePhase.tla).
     *
     * @param commitTs of the batch
     * @param keys     that it wrote
     */
    public record Batch(long commitTs, Collection<?> keys) {
    }

    private final long startTs;
    private final long commitTs;
    private final transient Object leader;
    private final transient Batch batch;

    /** @param commitTs NIL: it is a put transaction of Mediator, and nobody can find out */
    public OutcomeUnknownException(long startTs, long commitTs, Throwable cause) {
        this(startTs, commitTs, null, cause);
    }

    /** @param leader the first key that it has written, where that has the commit entry; else null */
    public OutcomeUnknownException(long startTs, long commitTs, Object leader, Throwable cause) {
        this(startTs, commitTs, leader, null, commitTs == Timestamps.NIL ? ": the answer to its only put was lost."
                : " at " + commitTs + ": call resolve(" + startTs + ", " + (leader == null ? "" : leader + ", ") + commitTs
                        + ") once the store answers again.", cause);
    }

    /** Of one that was to commit in one phase. It has no commit-table entry, and must not get one. */
    public OutcomeUnknownException(long startTs, Batch batch, Throwable cause) {
        this(startTs, Timestamps.NIL, null, new Batch(batch.commitTs(), List.copyOf(batch.keys())), " at " + batch.commitTs()
                + ": call resolve with this exception once the store answers again.", cause);
    }

    private OutcomeUnknownException(long startTs, long commitTs, Object leader, Batch batch, String what, Throwable cause) {
        super("Transaction " + startTs + " may or may not have committed" + what, cause);
        this.startTs = startTs;
        this.commitTs = commitTs;
        this.leader = leader;
        this.batch = batch;
    }

    public long startTs() {
        return startTs;
    }

    /** Of its commit-table entry; NIL if there is none. */
    public long commitTs() {
        return commitTs;
    }

    /** At which it has committed, if it has; NIL if that is not known. */
    public long possibleCommitTs() {
        return batch == null ? commitTs : batch.commitTs();
    }

    /** Null unless it was to commit in one phase. */
    public Batch batch() {
        return batch;
    }

    /** The key whose commit cell is the transaction's commit entry; null if the commit table has that. */
    public Object leader() {
        return leader;
    }
}
