-------------------------- MODULE MCSnapshotIsolation --------------------------
(* Symmetry, witnesses, and what follows where some are unordered, for the     *)
(* models of SnapshotIsolation.                                                *)
EXTENDS SnapshotIsolation, Sequences, TLC

Symmetry == Permutations(Txn) \cup Permutations(Key)

\* Nobody deletes.
Nothing(keys) == {{}}

\* What follows where some need not come after what was answered.
Relaxed == INSTANCE RelaxedIsolation WITH Fast <- Unordered, h <- History
RelaxedSI == Relaxed!StrongSI
RelaxedReadStates == Relaxed!ReadStates
SameKeyOrder == Relaxed!SameKeyOrder
NoTies == Relaxed!NoTies
FastBeforeRegular == Relaxed!FastBeforeRegular

-----------------------------------------------------------------------------
(* Witnesses: what a model must reach, or its passing says nothing. Each is    *)
(* printed when it is first met (by each worker).                              *)

ASSUME \A i \in 1..5 : TLCSet(i, FALSE)
Witness(i, name, cond) ==
    (TLCGet(i) = FALSE /\ cond) => (PrintT("WITNESS " \o name) /\ TLCSet(i, TRUE))

Witnesses ==
    /\ Witness(1, "CommittedBelowSnapshot",
               \E t \in Txn, w \in Done : commitTs[w] < readTs[t] /\ \E r \in reads[t] : r.from = w)
    /\ Witness(2, "NotSeenYet",
               \E t \in Txn, w \in Done : readTs[t] <= commitTs[w] /\ \E r \in reads[t] : r.key \in writes[w] /\ r.from # w)
    /\ Witness(3, "AnsweredNotSeen",
               \E t \in Unordered : \E w \in precedes[t] : readTs[t] <= commitTs[w] /\ \E r \in reads[t] : r.key \in writes[w])
    /\ Witness(4, "WriteSkew",
               \E t \in Done, w \in Done : writes[t] # {} /\ writes[t] \cap writes[w] = {} /\ readTs[t] <= commitTs[w] /\ readTs[w] <= commitTs[t]
                   /\ (\E r \in reads[t] : r.key \in writes[w]) /\ \E r \in reads[w] : r.key \in writes[t])
    /\ Witness(5, "DeletionRead",
               \E t \in Txn, w \in Done : commitTs[w] < readTs[t] /\ \E r \in reads[t] : r.key \in deletes[w])
=============================================================================
