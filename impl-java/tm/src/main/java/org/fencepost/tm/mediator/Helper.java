package org.fencepost.tm.mediator;

import org.fencepost.protocol.mediator.Log;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;

/**
 * Finishes what clients leave (SYSTOR'14 section 2). Of an active entry it looks up the record: what is in the log is written back, of what is not
 * the abort is brought into the log. Only when that is there does it take effect, for the client's own record may be on its way and come first.
 *
 * <p>Works beside clients, oracle and other helpers. Every method throws {@link org.fencepost.protocol.store.StoreException} if the log or the
 * database does not answer; the entry then stays as it is, for the next time.
 *
 * @param <W> write sets
 */
public final class Helper<W> {

    /**
     * The oracle and its log, from the helper's thread.
     *
     * @param <W> write sets
     */
    public interface Oracle<W> extends Log<W> {

        /** See {@link CommitLog#find}. */
        LogRecord<W> find(long commitTs);

        /** See {@link StatusOracle#settleEntry}. */
        void settleEntry(long commitTs, boolean committed);
    }

    private final Oracle<W> oracle;
    private final WriteBack<W> database;
    private final Tracer tracer;

    public Helper(Oracle<W> oracle, WriteBack<W> database, Tracer tracer) {
        this.oracle = oracle;
        this.database = database;
        this.tracer = tracer;
    }

    /** Brings an active entry to its end. */
    public void settle(long commitTs) {
        LogRecord<W> record = oracle.find(commitTs);
        if (record == null && !helperAbort(commitTs)) {
            record = LogRecord.abort(commitTs);
        } else if (record == null) {
            record = oracle.find(commitTs);
        }
        if (record != null && !isAborted(record)) {
            replay(record);
        }
        if (record != null) {
            settleEntry(record);
        } // else its client has settled it meanwhile
    }

    /** Returns whether the transaction's first record is a commit all the same. */
    private boolean helperAbort(long commitTs) {
        if (tracer.on()) {
            tracer.event(Action.HelperAbort, "commit", commitTs);
        }
        return oracle.append(LogRecord.abort(commitTs));
    }

    /** Guard (erratum to SYSTOR'14 section 2): an abort takes effect when it is in the log. */
    private boolean isAborted(LogRecord<W> record) {
        return !record.commits();
    }

    private void replay(LogRecord<W> record) {
        database.writeBack(record.writes(), record.commitTs());
        if (tracer.on()) {
            tracer.event(Action.Replay, "commit", record.commitTs());
        }
    }

    private void settleEntry(LogRecord<W> record) {
        oracle.settleEntry(record.commitTs(), !isAborted(record));
    }
}
