package org.fencepost.protocol.mediator;

/**
 * A record of the write-ahead log: that a transaction commits, with all that it writes, or that it is aborted. The commit
 * timestamp names the transaction.
 *
 * @param startTs  0 where whoever aborts it does not know
 * @param commitTs positive; who replays a record writes at it
 * @param writes   null: the transaction is aborted
 * @param <W>      write sets, in whatever form
 */
public record LogRecord<W>(long startTs, long commitTs, W writes) {

    /** That a transaction is aborted. */
    public static <W> LogRecord<W> abort(long commitTs) {
        return new LogRecord<>(0, commitTs, null);
    }

    public boolean commits() {
        return writes != null;
    }
}
