package org.fencepost.tm.mediator;

import java.util.function.Consumer;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.protocol.store.StoreException;

/**
 * An oracle and its log, from {@link Recovery#openTso} to its end: what clients and the helper ask of it. Keeps in the log what the ring still
 * needs. Not thread-safe; confined to the thread that serves.
 *
 * @param <W> write sets
 */
public final class Tso<W> {

    private final StatusOracle oracle;
    private final CommitLog<W> log;

    Tso(StatusOracle oracle, CommitLog<W> log) {
        this.oracle = oracle;
        this.log = log;
    }

    public StatusOracle oracle() {
        return oracle;
    }

    /** See {@link StatusOracle#begin}. */
    public long begin() {
        return oracle.begin();
    }

    /** See {@link StatusOracle#txTryCommit}. */
    public long txTryCommit(long startTs, long[] writes, long[] conflicts, long[] since) {
        return oracle.txTryCommit(startTs, writes, conflicts, since);
    }

    /** See {@link CommitLog#append}. */
    public void append(LogRecord<W> record, Consumer<Boolean> answer, Consumer<StoreException> failed) {
        log.append(record, answer, failed);
    }

    /** See {@link StatusOracle#tsoAbort}. */
    public void tsoAbort(long commitTs) {
        oracle.tsoAbort(commitTs);
        log.settled(commitTs);
    }

    /** See {@link StatusOracle#active}. */
    public long[] active() {
        return oracle.active();
    }

    /** See {@link CommitLog#find}. */
    public LogRecord<W> find(long commitTs) {
        return log.find(commitTs);
    }

    /** See {@link StatusOracle#settleEntry}. */
    public void settleEntry(long commitTs, boolean committed) {
        oracle.settleEntry(commitTs, committed);
        log.settled(commitTs);
    }

    /** Lets go of what nobody needs; from time to time. */
    public void tidy() {
        log.forgetBelow(oracle.reachesBackTo());
        log.writtenBackBelow(oracle.settledBelow());
    }

    /** True when the log cannot be written any more. Nothing can be committed then but by another oracle. */
    public boolean isBroken() {
        return log.isBroken();
    }
}
