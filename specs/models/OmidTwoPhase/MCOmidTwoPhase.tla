---------------------------- MODULE MCOmidTwoPhase ----------------------------
(* Bounds, symmetry, restrictions and witnesses for the models of              *)
(* OmidTwoPhase.                                                               *)
EXTENDS OmidTwoPhase, Sequences, TLC

\* How many faults a behaviour may have.
CONSTANT MaxFaults
FewFaults == faults < MaxFaults

\* As far as those allow whose time is not up.
Allowed(ts) == \A t \in Txn : status[t] = "active" /\ watermark' <= readTs[t] => ts <= readTs[t]
RaisedAsFarAsPossible == \A ts \in 1..(clock + 1) : Allowed(ts) => ts <= watermark'

\* For models of all behaviours with so many faults, in which the watermark goes up once.
NeverRaised == watermark = 0
Once == watermark' # watermark => watermark = 0 /\ RaisedAsFarAsPossible

Symmetry == Permutations(Txn) \cup Permutations(Key)

-----------------------------------------------------------------------------
(* Restrictions, as overrides of MayRead, MayWrite and of actions.             *)

\* A key is read once by each transaction.
ReadOnce(t, k) == \A r \in reads[t] : r.key # k

\* A transaction has at most two operations.
FewOperations(t) == Cardinality(reads[t]) + Cardinality(writes[t]) < 2
ReadFew(t, k) == ReadOnce(t, k) /\ FewOperations(t)
WriteFew(t, k, content) == FewOperations(t)

\* Roles: one transaction reads, one deletes, the others write.
CONSTANTS Deleter, Reader
ReaderReads(t, k) == t = Reader /\ ReadOnce(t, k)
WritersWrite(t, k, content) == t # Reader /\ (t = Deleter <=> content = "tombstone")

\* The action never happens.
Never == FALSE
Never1(a) == FALSE
Never2(a, b) == FALSE
Never3(a, b, c) == FALSE

-----------------------------------------------------------------------------
(* Witnesses: what a model must reach, or its passing says nothing. Each is    *)
(* printed when it is first met (by each worker).                              *)

ASSUME \A i \in 1..20 : TLCSet(i, FALSE)
Witness(i, name, cond) ==
    (TLCGet(i) = FALSE /\ cond) => (PrintT("WITNESS " \o name) /\ TLCSet(i, TRUE))

Witnesses ==
    /\ Witness(1, "WriterAbortsOlder",
               \E t \in Txn, w \in Txn : cursor[t].step = "remove" /\ cursor[t].met = w /\ status[w] = "active"
                                         /\ reads[t] = {} /\ \E k \in Key : k \in writes[t])
    /\ Witness(2, "ConflictWithCommit",
               faults = 0 /\ \E t \in Txn, k \in Key : status[t] = "aborted" /\ ~NoNewerCommit(t, k))
    /\ Witness(3, "YieldsToYounger",
               faults = 0 /\ \E t \in Txn, w \in Txn, k \in Key :
                   status[t] = "aborted" /\ commitTs[t] = NoTs /\ status[w] = "active" /\ w \in Intents(t, k)
                   /\ readTs[w] > readTs[t] /\ committed = {})
    /\ Witness(4, "InvalidatedWriterAborts",
               faults = 0 /\ \E t \in Txn : status[t] = "aborted" /\ commitTable[t] = LL!Invalidated)
    /\ Witness(5, "FalseInvalidationRepaired",
               \E t \in Txn : cursor[t].step = "repair" /\ commitTable[cursor[t].met] = LL!Invalidated)
    /\ Witness(6, "IntentRemoved",
               \E t \in Txn : status[t] = "active" /\ writes[t] # {} /\ \A k \in writes[t] : t \notin stored[k])
    /\ Witness(7, "IntentComesBack",
               \E t \in Txn, k \in Key : t \in stored[k] /\ status[t] = "aborted" /\ k \notin todo[t])
    /\ Witness(8, "DeadOwnerMet",
               \E t \in Txn : cursor[t].step = "remove" /\ status[cursor[t].met] = "dead")
    /\ Witness(9, "WritesOverDead",
               \E t \in committed, w \in Txn \ committed :
                   status[w] = "dead" /\ writes[t] \cap writes[w] # {} /\ readTs[w] < readTs[t])
    /\ Witness(10, "LateCopyRefused",
               \E p \in latePuts : ~Accepts(p[2], p[1]))
    /\ Witness(11, "CommittedAfterDeath",
               \E t \in committed : status[t] = "dead")
    /\ Witness(12, "UnknownFoundCommitted",
               \E t \in committed : status[t] = "committed" /\ faults = 1 /\ commitTable[t] # NoTs /\ t \in lateEntries)
    /\ Witness(13, "LeftoverHealed",
               \E t \in committed : status[t] \in {"closed", "dead"} /\ commitTable[t] # NoTs
                                    /\ \A k \in writes[t] : commitCell[k][t] # NoTs)
    /\ Witness(14, "VersionCollected",
               \E t \in committed, k \in Key : k \in writes[t] /\ t \notin stored[k])
    /\ Witness(15, "TombstoneCollected",
               \E t \in committed, k \in Key : k \in deletes[t] /\ t \notin stored[k])
    /\ Witness(16, "RefusedBelowWatermark",
               \E t \in Txn : status[t] = "certified" /\ readTs[t] < watermark)
=============================================================================
