package org.fencepost.simulation;

import java.util.EnumSet;
import java.util.Set;

import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.history.HistoryTransaction;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;

/** What clients remember of a transaction for the judge. */
class Memo {

    final HistoryTransaction record;
    /** NIL until the manager has given one. */
    long commitTs;
    /** What clients were told, some of them later; empty if nothing, or that nobody knows. */
    final Set<Outcome> told = EnumSet.noneOf(Outcome.class);
    /** When they were first told. */
    long toldNanos;

    /** The judge is told that a fast-path write was stored. The version is given once: a second one nobody answers for. */
    void stored(long version) {
        commitTs = commitTs == Timestamps.NIL ? version : commitTs;
    }

    Memo(HistoryTransaction record) {
        this.record = record;
    }

    void told(Outcome outcome, long nanos) {
        if (told.isEmpty()) {
            toldNanos = nanos;
        }
        told.add(outcome);
    }
}
