--------------------------- MODULE RelaxedIsolation ---------------------------
(***************************************************************************)
(* What a transaction system with a fast path promises (VLDB'18 sec. 2.2). *)
(*                                                                         *)
(* There is a total order T of all committed transactions: regular ones at *)
(* their commit timestamps, fast-path writes at the versions that they     *)
(* drew, fast-path reads directly after the update that they saw. T keeps  *)
(* real time only                                                          *)
(*   - between regular transactions,                                       *)
(*   - between updates of the same key (i), and                            *)
(*   - from a fast-path transaction to a regular one that begins when it   *)
(*     was answered (sec. 4.2: no version reaches the next timestamp).     *)
(* Otherwise a fast-path transaction may take effect in the past: a fast   *)
(* read may miss a commit that was answered, and a snapshot may have the   *)
(* later of two fast writes to different keys without the earlier one      *)
(* (witnesses FastReadInThePast and LaterFastWriteInThePast). All else     *)
(* is as in Isolation.tla: everybody reads a prefix of T (ii), and nobody  *)
(* overwrites what he has not seen (iii).                                  *)
(*                                                                         *)
(* So the relaxed promise is that of Isolation.tla, in all of its three    *)
(* formulations, over the same history with less real-time order. The      *)
(* history names the snapshot of a fast-path transaction in readTs: just   *)
(* after the update that it saw, and for a write the version itself, so    *)
(* that nothing may come between its read and its write.                   *)
(*                                                                         *)
(* Two fast-path writes on different servers may draw the same version. T  *)
(* orders them in any way: NoTies says that no key sees the difference,    *)
(* and no snapshot falls between them, because snapshots are timestamps of *)
(* the transaction manager, which no fast-path write draws.                *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
    \* @type: Set(TXN);
    Txn,
    \* @type: Set(KEY);
    Key,
    \* @type: TXN;
    NoTxn,
    \* The fast-path transactions.
    \* @type: Set(TXN);
    Fast

\* @typeAlias: read = { key: KEY, from: TXN, own: Bool };
\* @typeAlias: history = { done: Set(TXN), writes: TXN -> Set(KEY), deletes: TXN -> Set(KEY), reads: TXN -> Set($read), precedes: TXN -> Set(TXN), readTs: TXN -> Int, commitTs: TXN -> Int };
RelaxedIsolation_aliases == TRUE

\* The history, as Isolation.tla describes it.
CONSTANT
    \* @type: $history;
    h

\* Two committed transactions that update a key.
\* @type: (TXN, TXN) => Bool;
UpdateSameKey(a, b) == {a, b} \subseteq h.done /\ h.writes[a] \cap h.writes[b] # {}

\* Real time that T keeps.
\* @type: (TXN, TXN) => Bool;
Kept(a, b) == {a, b} \cap Fast = {} \/ UpdateSameKey(a, b)

\* The same history, without the real time that the fast path gives up.
Relaxed ==
    [h EXCEPT !.precedes = [b \in Txn |-> {a \in h.precedes[b] : Kept(a, b)}]]

\* Snapshot (ii), NoDirtyRead (ii), OwnWrites, FirstCommitterWins (iii), StrongSI, ReadStates, NoPhenomena
INSTANCE Isolation WITH h <- Relaxed

\* (i) Updates of a key are ordered as they were answered. When it fails, a user overwrites a value, and the old one comes
\* back.  VLDB'18 sec. 2.2 (i)
\* @type: Bool;
SameKeyOrder ==
    \A b \in h.done : \A a \in h.precedes[b] : UpdateSameKey(a, b) => h.commitTs[a] < h.commitTs[b]

\* Updates of a key never stand at the same place in T. When it fails, two users' updates of a key are both answered, and
\* one of them never existed.
\* @type: Bool;
NoTies ==
    \A a \in h.done, b \in h.done : a # b /\ UpdateSameKey(a, b) => h.commitTs[a] # h.commitTs[b]

\* Who begins a regular transaction sees what the fast path has answered before. When it fails, a user is told that his write
\* is done, and nobody finds it: it lies in the future.  VLDB'18 sec. 4.2
\* @type: Bool;
FastBeforeRegular ==
    \A b \in Txn \ Fast : \A f \in h.precedes[b] \cap h.done \cap Fast : h.commitTs[f] < h.readTs[b]
=============================================================================
