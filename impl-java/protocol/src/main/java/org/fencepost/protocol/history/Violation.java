package org.fencepost.protocol.history;

import java.util.List;

/**
 * A broken promise.
 *
 * @param what         one sentence
 * @param transactions those that show it
 */
public record Violation(Axiom axiom, String what, List<HistoryTransaction> transactions) {

    /**
     * The promises of snapshot isolation: by timestamps (the two about keys where there is a fast path), client-centrically, and as
     * absence of phenomena; and what is promised where there are native operations (specs/MixedIsolation.tla).
     */
    public enum Axiom {
        /** No timestamp is given twice, and a commit is later than its begin; those of a blind transaction may be one. */
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
        NoTies,
        /** Client-centric: some order of the committed transactions explains all that they read. */
        ReadStates,
        /** Dirty write: two transactions overwrote each other. */
        G0,
        /** Aborted read: a value of a transaction that did not commit, or did not write the key. */
        G1a,
        /** Circular information flow. */
        G1c,
        /** Interference and missed effects: a cycle without two anti-dependencies in a row. */
        GSI,
        /** What a transaction reads is the last version before its start, and native gets return what was written. */
        SnapshotLegal,
        /** Nobody writes a key between a transaction's reads and its write of the key, native puts included. */
        DisjointWrites,
        /** Under snapshot isolation a process's accesses to a key keep their order. */
        SnapshotItemOrder,
        /** A transaction's points lie between its begin and its end. */
        SnapshotRealTime,
        /** What a committed transaction read is what was written last before its commit timestamp. */
        SerialLegal,
        /** Under serializability a process's accesses to a key keep their order. */
        SerialItemOrder,
        /** A process's transactions keep their order. */
        SerialTransactionOrder
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(axiom + ": " + what);
        transactions.forEach(t -> text.append("\n    ").append(t));
        return text.toString();
    }
}
