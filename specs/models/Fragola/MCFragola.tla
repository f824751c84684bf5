------------------------------- MODULE MCFragola -------------------------------
(* Bounds, symmetry, restrictions and witnesses for the models of Fragola.      *)
EXTENDS FragolaInv, Sequences, TLC

\* How many faults a behaviour may have.
CONSTANT MaxFaults
FewFaults == faults < MaxFaults

\* As far as those allow whose time is not up.
Allowed(ts) == \A t \in Txn : status[t] = "active" /\ watermark' <= readTs[t] => ts <= readTs[t]
RaisedAsFarAsPossible == \A ts \in 1..(clock + 1) : Allowed(ts) => ts <= watermark'

\* For models of all behaviours with so many faults, in which the watermark goes up once.
NeverRaised == watermark = 0
Once == watermark' # watermark => watermark = 0 /\ RaisedAsFarAsPossible

\* The same without readers whose time is up.
OnceInTime == Once /\ \A t \in Txn : status[t] = "active" => watermark' <= readTs[t]

Symmetry == Permutations(Txn) \cup Permutations(Key)
SymmetricKeys == Permutations(Key)

-----------------------------------------------------------------------------
(* Restrictions, as overrides of MayRead, MayWrite and of actions.             *)

\* A key is read once by each transaction.
ReadOnce(t, k) == \A r \in reads[t] : r.key # k

\* A transaction has at most two operations, or three.
Operations(t) == Cardinality(reads[t]) + Cardinality(writes[t])
ReadFew(t, k) == ReadOnce(t, k) /\ Operations(t) < 2
WriteFew(t, k, content) == Operations(t) < 2

\* Roles: one transaction writes all keys, one overwrites the writer's leader, one reads once.
CONSTANTS Writer, Overwriter, Reader
ReaderReads(t, k) == t = Reader /\ reads[t] = {}
ReaderReadsFollower(t, k) == ReaderReads(t, k) /\ k # leader[Writer]
WriterWrites(t, k, content) == t = Writer
\* The writer deletes its leader.
WriterDeletes(t, k, content) == t = Writer /\ (content = "tombstone" <=> leader[t] \in {NoKey, k})
\* As one after the other: what others do meanwhile is in the other models.
Ended(t) == status[t] \in {"committed", "aborted", "closed", "dead", "unresolved"}
WritersWrite(t, k, content) ==
    \/ t = Writer
    \/ t = Overwriter /\ k = leader[Writer] /\ Ended(Writer)

\* The writer begins first.
WriterFirst == \A t \in Txn : status'[t] # "idle" => status'[Writer] # "idle"
InOrder ==
    /\ WriterFirst
    /\ status'[Overwriter] # "idle" => Ended(Writer) /\ Cardinality(writes[Writer]) = 2
    /\ status'[Reader] # "idle" => status'[Overwriter] # "idle"

\* What the code's collector waits for, in place of NoPutInFlight, FollowersHealed and IsSettled: a pass settles all leftovers below
\* the watermark before it collects anything, and a tombstone must be committed below it.
NothingLeftOver == \A k \in Key : \A t \in stored[k] : LL!IsBelowWatermark(t) => Cell[k][t] # NoTs
SettledAndNoPutInFlight(t, k) == NothingLeftOver /\ LL!NoPutInFlight(t, k)
IsSettledTombstone(t, k) == Cell[k][t] # NoTs /\ Cell[k][t] < watermark

\* The action never happens.
Never == FALSE
Never1(a) == FALSE
Never2(a, b) == FALSE
Never3(a, b, c) == FALSE

\* Another way: no follower is sent before the leader is stored.
StoredFirst(t) == writes[t] = {} \/ leader[t] \notin unanswered[t]

-----------------------------------------------------------------------------
(* Witnesses: what a model must reach, or its passing says nothing. Each is    *)
(* printed when it is first met (by each worker).                              *)

ASSUME \A i \in 1..22 : TLCSet(i, FALSE)
Witness(i, name, cond) ==
    (TLCGet(i) = FALSE /\ cond) => (PrintT("WITNESS " \o name) /\ TLCSet(i, TRUE))

Witnesses ==
    /\ Witness(1, "PendingInvalidated",
               \E t \in Txn : leaderCell[t] = LL!Invalidated /\ status[t] = "active")
    /\ Witness(2, "AbsentLeaderPassed",
               \E t \in Txn : cursor[t].step = "reread" /\ ~LeaderStored(cursor[t].met) /\ status[cursor[t].met] = "active")
    /\ Witness(3, "CommittedAfterPassed",
               \E t \in committed, r \in Txn : readTs[r] < commitTs[t] /\ faults = 1 /\ lateEntries = {} /\ latePuts # {}
                                             /\ \E x \in reads[r] : x.key # leader[t])
    /\ Witness(4, "ConflictAbort",
               faults = 0 /\ \E t \in Txn : status[t] = "aborted" /\ commitTs[t] = NoTs)
    /\ Witness(5, "InvalidatedWriterAborts",
               faults = 0 /\ \E t \in Txn : status[t] = "aborted" /\ commitTs[t] # NoTs)
    /\ Witness(6, "FollowerReadThroughLeader",
               \E t \in Txn : cursor[t].step = "heal" /\ cursor[t].key # leader[cursor[t].met])
    /\ Witness(7, "CollectedUnderReader",
               \E t \in Txn : cursor[t].step = "reread" /\ Cell[cursor[t].key][cursor[t].met] # NoTs)
    /\ Witness(8, "CollectedUnderCollector",
               \E x \in inspected : Cell[x[1]][x[2]] # NoTs)
    /\ Witness(9, "DeadInPostCommit",
               \E t \in committed : status[t] = "closed" /\ \E k \in writes[t] : Cell[k][t] = NoTs)
    /\ Witness(10, "SingleKeyNeedsNoMore",
               \E t \in committed : status[t] = "committed" /\ Cardinality(writes[t]) = 1 /\ todo[t] = {})
    /\ Witness(11, "CommittedAfterDeath",
               \E t \in committed : status[t] = "dead")
    /\ Witness(12, "UnknownFoundCommitted",
               \E t \in committed : status[t] = "committed" /\ faults = 1 /\ t \in lateEntries)
    /\ Witness(13, "Unresolved",
               \E t \in Txn : status[t] = "unresolved")
    /\ Witness(14, "CommittedBelowWatermark",
               \E t \in committed : status[t] = "committed" /\ watermark > readTs[t] /\ \E k \in Key : <<k, t>> \in inspected)
    /\ Witness(15, "LeftoverHealed",
               \E t \in committed : status[t] \in {"closed", "dead"} /\ Cardinality(writes[t]) > 1 /\ LeaderStored(t)
                                    /\ \A k \in writes[t] : Cell[k][t] # NoTs)
    /\ Witness(16, "LeaderCollected",
               \E t \in committed : ~LeaderStored(t) /\ \E k \in Key : t \in stored[k])
    /\ Witness(17, "MarkerCollected",
               \E t \in Txn \ committed : leader[t] # NoKey /\ ~LeaderStored(t) /\ leaderCell[t] = NoTs
                                          /\ watermark > readTs[t] /\ status[t] = "dead" /\ latePuts = {})
    /\ Witness(18, "OrphanLeader",
               \E t \in Txn : LeaderStored(t) /\ status[t] = "aborted" /\ leader[t] \notin todo[t])
    /\ Witness(19, "LateCommitRefused",
               \E t \in lateEntries : status[t] = "aborted" /\ ~LeaderStored(t))
    /\ Witness(20, "CommittedWithPutInFlight",
               \E p \in latePuts : p[2] \in committed)
    /\ Witness(21, "ShutOutByNewTM",
               \E t \in Txn : status[t] = "aborted" /\ commitTs[t] = NoTs /\ ~LL!AboveLowWatermark(t) /\ \A k \in writes[t] : lastCommit[k] = NoTs)
    /\ Witness(22, "CommittedUnderNewTM",
               \E t \in committed : commitTs[t] < lowWatermark /\ status[t] = "committed" /\ \E w \in Txn : w # t /\ status[w] = "active")
===============================================================================
