------------------------------ MODULE MCOnePhase ------------------------------
(* Bounds, roles and witnesses for the models of OnePhase.                     *)
EXTENDS OnePhase, Sequences, TLC

CONSTANTS
    \* How many faults a behaviour may have.
    MaxFaults,
    \* The last timestamp that the TM gives.
    MaxClock,
    \* Who does what: buffers, writes the long way, writes blindly, reads, deletes (all that he writes).
    Short, Long, Blind, Reader, Deleter

\* As far as those allow whose time is not up.
Allowed(ts) == \A t \in Txn : status[t] = "active" /\ watermark' <= readTs[t] => ts <= readTs[t]
RaisedAsFarAsPossible == \A ts \in 1..(clock + 1) : Allowed(ts) => ts <= watermark'

\* For models of all behaviours with so many faults and timestamps, in which the watermark goes up once.
FewFaults == faults < MaxFaults
NeverRaised == watermark = 0
Bounded ==
    /\ clock' <= MaxClock
    /\ watermark' # watermark => watermark = 0 /\ RaisedAsFarAsPossible

\* Which server has which key at first, and which keys are a region.
CONSTANTS s1, s2
OneServer == [k \in Key |-> s1]
TwoServers == [k \in Key |-> IF k = CHOOSE x \in Key : TRUE THEN s1 ELSE s2]
OneRegion == {Key}
TwoRegions == {{k} : k \in Key}

-----------------------------------------------------------------------------
(* Restrictions, as overrides of what may be done and of actions.              *)

ReadersRead(t, k) == t \in Reader /\ \A r \in reads[t] : r.key # k
Deletes(t, content) == t \in Deleter <=> content = "tombstone"
ShortBuffer(t, k, content) == t \in Short /\ Deletes(t, content)
LongWrite(t, k, content) == t \in Long /\ Deletes(t, content)
BlindWrite(t) == t \in Blind

\* Readers begin when all others are done.
ReadersBeginLast(t) ==
    (t \in Reader => \A w \in Txn \ Reader : status[w] = "closed") /\ FP!Begin(t) /\ UNCHANGED short

\* What the fast path is taken for.
Writes(f, operation, k) == operation = "bwc"

\* The action never happens.
Never == FALSE
Never1(a) == FALSE
Never2(a, b) == FALSE
Never3(a, b, c) == FALSE

-----------------------------------------------------------------------------
(* Witnesses: what a model must reach, or its passing says nothing. Each is    *)
(* printed when it is first met (by each worker).                              *)

ASSUME \A i \in 1..26 : TLCSet(i, FALSE)
Witness(i, name, cond) ==
    (TLCGet(i) = FALSE /\ cond) => (PrintT("WITNESS " \o name) /\ TLCSet(i, TRUE))

\* It went the long way after it had a batch.
FellBack(t) == way[t] = "long" /\ batchTs[t] # NoTs

Witnesses ==
    /\ Witness(1, "OnePhaseTaken", faults = 0 /\ \E t \in Txn : way[t] = "stored" /\ status[t] = "closed")
    /\ Witness(2, "TwoRowsInOneBatch", \E t \in Txn : way[t] = "stored" /\ Cardinality(writes[t]) > 1)
    /\ Witness(3, "RefusedByClock",
               faults = 0 /\ \E t \in Txn : FellBack(t) /\ status[t] = "active" /\ \E k \in writes[t] : rowClock[k] > batchTs[t])
    /\ Witness(4, "RefusedByNewerVersion",
               faults = 0 /\ \E t \in Txn : FellBack(t) /\ ~NoNewerCommit(t) /\ \A k \in writes[t] : rowClock[k] = batchTs[t])
    /\ Witness(5, "FallenBackAndCommitted",
               \E t \in committed : FellBack(t) /\ status[t] = "closed" /\ commitTs[t] > batchTs[t])
    /\ Witness(6, "ReadWaits",
               \E t \in Txn, k \in Key : gate[t] = [step |-> "bumped", key |-> k] /\ ~OlderBatchesStored(t, k))
    /\ Witness(7, "ReadPassesBatch",
               \E t \in Txn, b \in Txn : gate[t].step = "admitted" /\ BatchHolds(b, gate[t].key))
    /\ Witness(8, "ConflictAbort",
               faults = 0 /\ \E t \in Txn : status[t] = "aborted" /\ way[t] = "buffer")
    /\ Witness(9, "ConflictAfterRefusal",
               faults = 0 /\ \E t \in Txn : status[t] = "aborted" /\ FellBack(t) /\ commitTs[t] = batchTs[t])
    /\ Witness(10, "LostAnswerFoundStored",
               faults = 1 /\ \E t \in Txn : t \in lateBatches /\ way[t] = "stored" /\ status[t] = "closed")
    /\ Witness(11, "LostAnswerFoundMissing",
               faults = 1 /\ \E t \in Txn : t \in lateBatches /\ FellBack(t) /\ status[t] = "active")
    /\ Witness(12, "LateCopyRefused",
               faults = 1 /\ \E t \in Txn : FellBack(t) /\ status[t] = "closed" /\ t \notin lateBatches)
    /\ Witness(13, "Unresolved", \E t \in Txn : status[t] = "unresolved" /\ batchTs[t] # NoTs)
    /\ Witness(14, "UnresolvedAndStored", \E t \in committed : status[t] = "unresolved" /\ way[t] = "stored")
    /\ Witness(15, "LostWithRegion", \E t \in Txn : way[t] = "lost" /\ status[t] = "certified")
    /\ Witness(16, "RegionMovedBetween",
               \E t \in Txn : way[t] = "ready" /\ \E k \in writes[t] : host[k] # FirstHost[k] /\ k \in bootstrapped)
    /\ Witness(17, "NewManagerBetween",
               \E t \in committed : way[t] = "stored" /\ status[t] = "closed" /\ lowWatermark > batchTs[t])
    /\ Witness(18, "BlindCommit", \E t \in committed : way[t] = "stored" /\ readTs[t] = commitTs[t])
    /\ Witness(19, "RefusedAfterCollection",
               \E t \in Txn : way[t] = "ready" /\ status[t] = "certified" /\ ~NothingNewerCollected(t))
    /\ Witness(20, "SeveralRegions", \E t \in Txn : way[t] = "long" /\ batchTs[t] = NoTs /\ commitTs[t] = NoTs)
    /\ Witness(21, "OvertakenAndStored",
               \E t \in committed, b \in Txn : way[b] = "held" /\ t # b /\ way[t] = "stored" /\ batchTs[t] > batchTs[b])
    /\ Witness(22, "CertifiedBesidePuts", \E t \in committed : way[t] = "beside")
    /\ Witness(23, "StoredBeforeCertified", \E t \in Txn : way[t] = "beside" /\ commitTs[t] = NoTs /\ unanswered[t] = {})
    /\ Witness(24, "AsksTwice",
               \E t \in Txn : way[t] = "long" /\ status[t] = "active" /\ batchTs[t] = NoTs /\ commitTs[t] # NoTs /\ unanswered[t] = {})
    /\ Witness(25, "PassedByReader", \E t \in Txn : way[t] = "beside" /\ commitTs[t] # NoTs /\ \E k \in unanswered[t] : WasReadLater(t, k))
    /\ Witness(26, "ServerCannotTell", \E t \in Txn : way[t] = "doubted" /\ unanswered[t] = {})
===============================================================================
