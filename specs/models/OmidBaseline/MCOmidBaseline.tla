---------------------------- MODULE MCOmidBaseline ----------------------------
(* Bounds, roles and witnesses for the models of OmidBaseline.                 *)
EXTENDS OmidBaseline, Sequences, TLC

CONSTANTS
    \* How many faults a behaviour may have.
    MaxFaults,
    \* Who writes, and who reads each key once.
    Writer, Reader

\* For models of all behaviours with so many faults, in which the watermark goes up once, as far as those allow whose time is not up.
FewFaults == faults < MaxFaults
NeverRaised == watermark = 0
Allowed(ts) == \A t \in Txn : status[t] = "active" /\ watermark' <= readTs[t] => ts <= readTs[t]
Once == watermark' # watermark => watermark = 0 /\ \A ts \in 1..(clock + 1) : Allowed(ts) => ts <= watermark'

ReadersRead(t, k) == t \in Reader /\ \A r \in reads[t] : r.key # k
WritersWrite(t, k, content) == t \in Writer

\* The action never happens.
Never == FALSE
Never1(a) == FALSE
Never2(a, b) == FALSE

-----------------------------------------------------------------------------
(* Witnesses: what a model must reach, or its passing says nothing. Each is    *)
(* printed when it is first met (by each worker).                              *)

ASSUME \A i \in 1..11 : TLCSet(i, FALSE)
Witness(i, name, cond) ==
    (TLCGet(i) = FALSE /\ cond) => (PrintT("WITNESS " \o name) /\ TLCSet(i, TRUE))

Witnesses ==
    /\ Witness(1, "TwoInOneBatch", Cardinality(batch) > 1)
    /\ Witness(2, "BeginWaits", batch # {} /\ \E t \in Txn : status[t] = "idle")
    /\ Witness(3, "PassesPending",
               \E t \in Txn, w \in Txn : cursor[t].step = "reread" /\ cursor[t].met = w /\ status[w] = "active")
    /\ Witness(4, "PassedAndCommitted",
               \E t \in Txn, w \in committed : readTs[w] < readTs[t] /\ readTs[t] < commitTs[w]
                   /\ \E r \in reads[t] : r.key \in writes[w] /\ r.from # w)
    /\ Witness(5, "ReReadFindsCommitCell",
               \E t \in Txn : cursor[t].step = "reread" /\ SawCommitCell(cursor[t].key, cursor[t].met))
    /\ Witness(6, "InvalidatedByNextEpoch",
               \E w \in Txn : commitTable[w] = LL!Invalidated /\ w \in lateEntries /\ status[w] = "unknown")
    /\ Witness(7, "LateEntryRefused",
               \E w \in Txn \ committed : commitTable[w] = LL!Invalidated /\ commitTs[w] # NoTs /\ w \notin lateEntries /\ epoch > 0)
    /\ Witness(8, "LateEntryCommits", \E w \in committed : status[w] = "unknown" /\ epoch > readTs[w])
    /\ Witness(9, "AskedAgainCommitted", \E w \in committed : status[w] = "committed" /\ epoch > readTs[w])
    /\ Witness(10, "ConflictAbort", faults = 0 /\ \E t \in Txn : status[t] = "aborted")
    /\ Witness(11, "OldEpochAbort",
               \E t \in Txn : status[t] = "aborted" /\ commitTs[t] = NoTs /\ lowWatermark > readTs[t])
===============================================================================
