package org.fencepost.tm.mediator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.protocol.store.StoreException;

/**
 * The log of one oracle's tenure: knows the first record of each transaction, which is the one that counts (SYSTOR'14 section 2).
 * A second record is not written; whoever brings it hears what the first one says, when that is durable.
 *
 * <p>A transaction that got its commit timestamp from an earlier oracle finds its log closed: what is in there holds, and what is not never will be.
 *
 * <p>Write sets are kept until they are written back, outcomes until {@link #forgetBelow}. Not thread-safe; confined to the thread that serves.
 *
 * @param <W> write sets
 */
public final class CommitLog<W> {

    /** The first record of a transaction. */
    private static final class First<W> {

        final boolean commits;
        /** Null once it is written back. */
        LogRecord<W> record;
        /** Null once the record is durable. */
        List<Answer> waiting = new ArrayList<>();

        First(LogRecord<W> record) {
            this.commits = record.commits();
            this.record = record;
        }
    }

    private record Answer(Consumer<Boolean> answer, Consumer<StoreException> failed) {
    }

    private final Ledger<W> ledger;
    /** From which commit timestamp on transactions are of this tenure. */
    private final long epoch;
    /** Whether they commit, by commit timestamp, of earlier tenures; and from where on all are known. */
    private final Map<Long, Boolean> closed;
    private final long closedFrom;
    private final TreeMap<Long, First<W>> firsts = new TreeMap<>();
    private long forgottenBelow;
    /** Why nothing can be appended any more; null while all is well. */
    private StoreException broken;

    CommitLog(Ledger<W> ledger, long epoch, Map<Long, Boolean> closed, long closedFrom) {
        this.ledger = ledger;
        this.epoch = epoch;
        this.closed = closed;
        this.closedFrom = closedFrom;
    }

    /**
     * Appends a record unless its transaction has one. Calls one of the two, at once or later.
     *
     * @param answer whether the first record commits the transaction
     * @param failed the outcome is unknown: the record may be in the log, or the transaction is too old to be remembered
     */
    public void append(LogRecord<W> record, Consumer<Boolean> answer, Consumer<StoreException> failed) {
        long commitTs = record.commitTs();
        First<W> first = firsts.get(commitTs);
        if (commitTs < epoch) {
            askClosed(commitTs, answer, failed);
        } else if (first == null && commitTs < forgottenBelow) {
            failed.accept(new StoreException("The log does not remember the transaction with commit timestamp " + commitTs + "."));
        } else if (broken != null) {
            failed.accept(broken);
        } else {
            First<W> counts = logAfterRecord(first, record);
            if (counts.waiting == null) {
                answer.accept(counts.commits);
            } else {
                counts.waiting.add(new Answer(answer, failed));
            }
            if (counts != first) {
                firsts.put(commitTs, counts);
                ledger.append(record, problem -> appended(counts, problem));
            }
        }
    }

    private void askClosed(long commitTs, Consumer<Boolean> answer, Consumer<StoreException> failed) {
        Boolean commits = closed.get(commitTs);
        if (commits == null && commitTs < closedFrom) {
            failed.accept(new StoreException("The log does not remember the transaction with commit timestamp " + commitTs + "."));
        } else {
            answer.accept(commits != null && commits);
        }
    }

    /** Guard (SYSTOR'14 section 2): of a transaction's records the first one counts. An abort that is in the log stays. */
    private First<W> logAfterRecord(First<W> first, LogRecord<W> record) {
        return first == null ? new First<>(record) : first;
    }

    private void appended(First<W> first, Exception problem) {
        List<Answer> waiting = first.waiting;
        if (problem == null) {
            first.waiting = null;
            waiting.forEach(one -> one.answer.accept(first.commits));
        } else {
            broken = new StoreException("The log could not be written: " + problem.getMessage(), problem);
            first.waiting = new ArrayList<>();
            waiting.forEach(one -> one.failed.accept(broken));
        }
    }

    /** Whether an append has failed: this tenure is over. */
    public boolean isBroken() {
        return broken != null;
    }

    /** The first record of a transaction of this tenure, for the helper; null if none is durable, or it was {@link #settled}. */
    public LogRecord<W> find(long commitTs) {
        First<W> first = firsts.get(commitTs);
        return first == null || first.waiting != null ? null : first.record;
    }

    /** Its write set is not needed any more. */
    public void settled(long commitTs) {
        First<W> first = firsts.get(commitTs);
        if (first != null) {
            first.record = null;
        }
    }

    /** Transactions with lower commit timestamps are settled, and nobody will be told what became of them. */
    public void forgetBelow(long commitTs) {
        if (commitTs > forgottenBelow) {
            forgottenBelow = commitTs;
            firsts.headMap(commitTs).clear();
        }
    }

    /** All transactions with lower commit timestamps are written back or aborted. */
    public void writtenBackBelow(long commitTs) {
        ledger.writtenBackBelow(commitTs);
    }
}
