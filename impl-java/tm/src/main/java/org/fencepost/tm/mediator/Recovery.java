package org.fencepost.tm.mediator;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.LongSupplier;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;

/**
 * A new oracle takes over from one that failed (SYSTOR'14 section 2). It closes the log to all who have their commit timestamp from the old
 * one: whoever is not in there is aborted by that. It writes back what is in there. Then it opens with an empty ring, and whoever began
 * before cannot commit.
 *
 * <p>Timestamps come from whoever gave them before, with a durable bound: see specs/TMFailover.tla.
 *
 * <p>Every method throws {@link org.fencepost.protocol.store.StoreException} if the log or the database does not answer; begin with a new object then.
 *
 * @param <W> write sets
 */
public final class Recovery<W> {

    private final Ledgers<W> ledgers;
    private final WriteBack<W> database;
    private final Tracer tracer;
    /** Whether they commit, by commit timestamp: the first record of each transaction in the closed log. */
    private final Map<Long, Boolean> outcomes = new HashMap<>();
    private final Queue<LogRecord<W>> unreplayed = new ArrayDeque<>();
    private long knownFrom;
    private boolean closed;

    public Recovery(Ledgers<W> ledgers, WriteBack<W> database, Tracer tracer) {
        this.ledgers = ledgers;
        this.database = database;
        this.tracer = tracer;
    }

    /** Guard (SYSTOR'14 section 2): nobody who has his commit timestamp from the oracle that failed can append any more. */
    public void closeLog() {
        Ledgers.Closed<W> log = ledgers.closeLog();
        for (LogRecord<W> record : log.records()) {
            boolean first = outcomes.putIfAbsent(record.commitTs(), record.commits()) == null;
            if (first && record.commits() && record.commitTs() >= log.writtenBackBelow()) {
                unreplayed.add(record);
            }
        }
        knownFrom = log.knownFrom();
        closed = true;
        if (tracer.on()) {
            tracer.event(Action.CloseLog, "records", log.records().size(), "replayed", unreplayed.size());
        }
    }

    /** Writes one transaction back. Returns false if there was none left. */
    public boolean replay() {
        LogRecord<W> record = unreplayed.peek();
        if (record == null) {
            return false;
        }
        database.writeBack(record.writes(), record.commitTs());
        unreplayed.remove();
        if (tracer.on()) {
            tracer.event(Action.Replay, "commit", record.commitTs());
        }
        return true;
    }

    /** Guard (SYSTOR'14 section 2): all that is in the log is in the database before the oracle serves: its ring does not have it. */
    private boolean allReplayed() {
        return closed && unreplayed.isEmpty();
    }

    /**
     * The new oracle and its log. Throws IllegalStateException before all is replayed.
     *
     * @param entries    of the ring
     * @param timestamps see {@link StatusOracle}
     * @param epoch      no timestamp that was given earlier, by any oracle, is at or above it; none that will be given is below it
     */
    public Tso<W> openTso(int entries, LongSupplier timestamps, long epoch) {
        if (!allReplayed()) {
            throw new IllegalStateException("The log is not replayed.");
        }
        CommitLog<W> log = new CommitLog<>(ledgers.create(), epoch, outcomes, knownFrom);
        if (tracer.on()) {
            tracer.event(Action.OpenTso, "epoch", epoch);
        }
        return new Tso<>(new StatusOracle(entries, timestamps, tsMinAfterRecovery(epoch), tracer), log);
    }

    /** Guard (SYSTOR'14 section 2): who began before the failure cannot commit: the new ring does not have who committed since. */
    private static long tsMinAfterRecovery(long epoch) {
        return epoch;
    }
}
