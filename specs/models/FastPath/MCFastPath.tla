------------------------------ MODULE MCFastPath ------------------------------
(* Bounds, symmetry, restrictions and witnesses for the models of FastPath.    *)
EXTENDS FastPath, Sequences, TLC

CONSTANTS
    \* How many faults a behaviour may have.
    MaxFaults,
    \* The last timestamp that the TM gives.
    MaxClock

\* As far as those allow whose time is not up.
Allowed(ts) == \A t \in Txn : status[t] = "active" /\ watermark' <= readTs[t] => ts <= readTs[t]
RaisedAsFarAsPossible == \A ts \in 1..(clock + 1) : Allowed(ts) => ts <= watermark'

\* For models of all behaviours with so many faults and timestamps, in which the watermark goes up once.
FewFaults == faults < MaxFaults
NeverRaised == watermark = 0
Bounded ==
    /\ clock' <= MaxClock
    /\ watermark' # watermark => watermark = 0 /\ RaisedAsFarAsPossible

Symmetry == Permutations(Fast) \cup Permutations(Txn \ Fast)

\* Which server has which key at first.
CONSTANTS s1, s2
OneServer == [k \in Key |-> s1]
TwoServers == [k \in Key |-> IF k = CHOOSE x \in Key : TRUE THEN s1 ELSE s2]

-----------------------------------------------------------------------------
(* Restrictions, as overrides of MayRead, MayWrite, MayTakeFastPath and of     *)
(* actions.                                                                    *)

\* A key is read once by each transaction.
ReadOnce(t, k) == \A r \in reads[t] : r.key # k

\* Roles: Reader only reads, Deleter only deletes.
CONSTANTS Reader, Deleter
ReaderReads(t, k) == t = Reader /\ ReadOnce(t, k)
WritersWrite(t, k, content) == t # Reader /\ (t = Deleter <=> content = "tombstone")
DeleterDeletes(t, k, content) == t = Deleter /\ content = "tombstone"

\* All keys are columns of one row, and the manager looks for conflicts of rows. The fast path has conflicts of keys in any case.
NoConflictInRow(t) == \A k \in Key : lastCommit[k] < readTs[t]
FirstCommitterWinsRow ==
    \A a \in committed \ Fast, b \in committed \ Fast : a = b \/ commitTs[a] < readTs[b] \/ commitTs[b] < readTs[a]

\* What the fast path is taken for.
Writes(f, operation, k) == operation = "bwc"
Updates(f, operation, k) == operation # "brc"

\* What the code's servers wait for when their versions are used up: a write that is refused.
AsksWhenRefused(k) == ~KnowsTheTime(k) \/ (~SequenceLeft(k) /\ \E f \in Fast : status[f] = "aborted")

\* The action never happens.
Never == FALSE
Never1(a) == FALSE
Never2(a, b) == FALSE
Never3(a, b, c) == FALSE

-----------------------------------------------------------------------------
(* Witnesses: what a model must reach, or its passing says nothing. Each is    *)
(* printed when it is first met (by each worker).                              *)

ASSUME \A i \in 1..23 : TLCSet(i, FALSE)
Witness(i, name, cond) ==
    (TLCGet(i) = FALSE /\ cond) => (PrintT("WITNESS " \o name) /\ TLCSet(i, TRUE))

\* What f did not see, t has committed.
Missed(f, t) == \E r \in reads[f] : t \in committed /\ r.key \in writes[t] /\ r.from # t

Witnesses ==
    /\ Witness(1, "Figure3Conflict",
               \E t \in Txn \ Fast, f \in Fast :
                   /\ status[t] = "aborted" /\ Missed(t, f) /\ lastCommit[fast[f].key] = NoTs
                   /\ fast[f].key \notin writes[t])
    /\ Witness(2, "LaterFastWriteInThePast",
               \E t \in Txn \ Fast, f \in Fast, g \in Fast :
                   f \in precedes[g] /\ Missed(t, f) /\ \E r \in reads[t] : r.from = g)
    /\ Witness(3, "FastReadInThePast",
               \E f \in Fast, t \in Txn \ Fast : status[f] = "closed" /\ t \in precedes[f] /\ Missed(f, t))
    /\ Witness(4, "TentativeMet",
               faults = 0 /\ \E f \in Fast : status[f] = "aborted" /\ ~NoNewerTentative(fast[f].key))
    /\ Witness(5, "VersionMoved",
               \E f \in Fast :
                   /\ status[f] = "aborted" /\ reads[f] # {} /\ ~IsSame(fast[f].last, fast[f].key)
                   /\ NoNewerTentative(fast[f].key))
    /\ Witness(6, "SequenceExhausted",
               \E f \in Fast :
                   /\ status[f] = "aborted" /\ reads[f] = {} /\ ~SequenceLeft(fast[f].key)
                   /\ stored[fast[f].key] \subseteq Fast)
    /\ Witness(7, "ReadWaits",
               \E t \in Txn, k \in Key : gate[t] = [step |-> "bumped", key |-> k] /\ ~OlderFastWritesStored(t, k))
    /\ Witness(8, "ReadPassesFastWrite",
               \E t \in Txn, f \in Fast : gate[t].step = "admitted" /\ Holds(f, gate[t].key))
    /\ Witness(9, "FastOverRegular",
               \E f \in committed \cap Fast, t \in committed \ Fast :
                   t \in precedes[f] /\ writes[f] \cap writes[t] # {})
    /\ Witness(10, "FastUpdate",
               \E f \in committed \cap Fast : \E r \in reads[f] : r.from # NoTxn)
    /\ Witness(11, "FastOverOldTentative",
               \E f \in committed \cap Fast : \E w \in stored[fast[f].key] :
                   readTs[w] < readTs[f] /\ commitCell[fast[f].key][w] = NoTs)
    /\ Witness(12, "SameVersionOnTwoServers",
               \E f \in committed \cap Fast, g \in committed \cap Fast : f # g /\ commitTs[f] = commitTs[g])
    /\ Witness(13, "LostWithRegion",
               \E f \in Fast : fast[f].step = "lost" /\ f \notin committed)
    /\ Witness(14, "BootstrappedElsewhere",
               \E k \in bootstrapped : host[k] # FirstHost[k])
    /\ Witness(15, "StoredUnheard",
               \E f \in committed : status[f] = "unresolved")
    /\ Witness(16, "OldEpochAbort",
               \E t \in Txn \ Fast :
                   /\ status[t] = "aborted" /\ commitTs[t] = NoTs /\ todo[t] # {}
                   /\ lowWatermark > readTs[t] /\ faults = 1)
    /\ Witness(17, "ReadHealed",
               \E t \in committed \ Fast : status[t] = "committed" /\ \E k \in todo[t] : commitCell[k][t] # NoTs)
    /\ Witness(18, "TombstoneCollected",
               \E t \in committed, k \in Key : k \in deletes[t] /\ t \notin stored[k])
    /\ Witness(19, "FastDelete",
               \E f \in committed \cap Fast : deletes[f] # {})
    /\ Witness(20, "WriteOverCollected",
               \E f \in committed \cap Fast, t \in committed, k \in Key :
                   k \in deletes[t] \cap writes[f] /\ t \notin stored[k] /\ readTs[t] < readTs[f])
    /\ Witness(21, "LiftedByStranger",
               \E s \in Server : lvc[s] % Span # 0 /\ \A t \in Txn : readTs[t] < lvc[s])
    /\ Witness(22, "EvictedAfterFailover",
               Fast = {} /\ \E t \in Txn : commitTs[t] # NoTs /\ commitTs[t] = lowWatermark
                   /\ \E n \in 1..(clock \div Span) : n * Span < commitTs[t] /\ \A u \in Txn : n * Span \notin {readTs[u], commitTs[u]})
    /\ Witness(23, "CleanedAfterFailover",
               Fast = {} /\ \E t \in Txn \ committed : status[t] = "dead" /\ writes[t] # {} /\ readTs[t] < lowWatermark
                   /\ \A k \in Key : t \notin stored[k])
=============================================================================
