package org.fencepost.protocol.history;

import java.util.List;

/**
 * A broken promise.
 *
 * @param what         one sentence
 * @param transactions those that show it
 */
public record Violation(Axiom axiom, String what, List<HistoryTransaction> transactions) {

    /** The promises of snapshot isolation, by timestamps; the last two are made where there is a fast path. */
    public enum Axiom {
        /** No timestamp is given twice, and a commit is later than its begin. */
        Timestamps,
        /** A read returns its own write, or else the last write that was committed before the snapshot. */
        Snapshot,
        /** Of two transactions that overlap in time and write a common key, one commits at most. */
        FirstCommitterWins,
        /** No read returns what an aborted transaction wrote, or nobody. */
        NoDirtyRead,
        /** What had committed, by the clock on the wall, before a transaction began is in its snapshot. */
        StrongSI,
        /** An update that began after another one of the same key was answered is later (VLDB'18 section 2.2 (i)). */
        SameKeyOrder,
        /** No two updates of a key have the same commit timestamp. */
        NoTies
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(axiom + ": " + what);
        transactions.forEach(t -> text.append("\n    ").append(t));
        return text.toString();
    }
}
