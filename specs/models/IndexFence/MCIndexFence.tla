----------------------------- MODULE MCIndexFence -----------------------------
(* Bounds, restrictions and witnesses for the models of IndexFence.            *)
EXTENDS IndexFence, Sequences, TLC

CONSTANTS
    \* How many faults a behaviour may have.
    MaxFaults,
    \* Whose values have the same index record as the first ones; the others' have another one.
    Again,
    \* The transactions that read, and write nothing.
    Reader,
    \* The transactions that delete.
    Deleter,
    \* The index records, by value.
    e0, e1

\* The function of the index, where there is one row.
OneRow == [x \in Txn \X Row |-> IF x[1] \in Again THEN e0 ELSE e1]

\* The same for each of several rows.
EachRow == [x \in Txn \X Row |-> <<OneRow[x], x[2]>>]

FewFaults == faults < MaxFaults

\* As far as those allow whose time is not up.
Allowed(ts) == \A t \in Txn : status[t] = "active" /\ watermark' <= readTs[t] => ts <= readTs[t]
RaisedAsFarAsPossible == \A ts \in 1..(clock + 1) : Allowed(ts) => ts <= watermark'

\* For models in which the watermark goes up once.
NeverRaised == watermark = 0
AfterFault == watermark = 0 /\ faults > 0
Once == watermark' # watermark => watermark = 0 /\ RaisedAsFarAsPossible

\* The same without transactions whose time is up, but for parts that were given up.
OnceInTime == Once /\ \A t \in Txn \ Builder : status[t] = "active" => watermark' <= readTs[t]

Symmetry == Permutations(Builder)

-----------------------------------------------------------------------------
(* Restrictions, as overrides of MayRead, MayWrite and of actions.             *)

\* A key is read once by each transaction.
ReadOnce(t, k) == \A r \in reads[t] : r.key # k

\* Builds and writers read rows, before they write; readers read one index record.
ReadByRole(t, k) ==
    /\ ReadOnce(t, k)
    /\ IF t \in Reader THEN k \in Index /\ reads[t] = {} ELSE k \in Row /\ writes[t] = {}

\* The same where there are two rows: only the second one is written, and builds read it when they have populated the first one.
Second == CHOOSE k \in Row : TRUE
RowByRow(t, k) ==
    /\ ReadByRole(t, k)
    /\ IF t \in Builder THEN k \notin populated[t] /\ (k = Second => populated[t] # {}) ELSE k = Second
WriteSecond(t, k, content) == k = Second

\* Readers write nothing; deleters delete, and others do not.
WriteByRole(t, k, content) == t \notin Reader /\ (t \in Deleter <=> content = "tombstone")

\* Who has found the commit timestamp does not write it down for others: OmidLL's models have that.
NeverHeals == \A t \in Txn : cursor'[t].step # "heal"

\* Builds do not die: what becomes of them is in other models.
BuildsLive == \A p \in Builder : status'[p] \notin {"dead", "aborted"}

\* Nobody begins before there is the trigger.
WhenTriggered == \A t \in Txn : status[t] = "idle" /\ status'[t] = "active" => triggers = Row

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

\* Who has written rows and is no build.
RowWriters == {t \in Txn \ (Builder \cup {First}) : writes[t] \cap Row # {}}
\* Who has ended without commit.
Ended(t) == status[t] = "aborted" /\ todo[t] = {}

Witnesses ==
    /\ Witness(1, "Fenced",
               faults = 0 /\ \E t \in RowWriters : status[t] = "aborted" /\ commitTs[t] = NoTs /\ ~AboveFence(t) /\ NoConflict(t))
    /\ Witness(2, "CommittedBelowFence",
               readyFrom # NoTs /\ \E t \in RowWriters \cap committed : commitTs[t] < fencedAt)
    /\ Witness(3, "BeganBeforeBuildCommittedAfter",
               \E t \in RowWriters \cap committed : fencedAt < readTs[t] /\ readTs[t] < readyFrom /\ readyFrom < commitTs[t])
    /\ Witness(4, "BeganAndCommittedBetween",
               \E t \in RowWriters \cap committed : fencedAt < readTs[t] /\ commitTs[t] < readyFrom)
    /\ Witness(5, "CommittedDuringBuild",
               \E p \in building, t \in RowWriters \cap committed : commitTs[t] > readTs[p] /\ populated[p] # Row)
    /\ Witness(6, "BuildInvalidatesWriter",
               readyFrom # NoTs /\ Reader = {} /\ \E t \in RowWriters :
                   commitTable[t] = LL!Invalidated /\ commitTs[t] < fencedAt /\ commitTs[t] # NoTs)
    /\ Witness(7, "IndexPutTwice",
               \E p \in Builder, t \in RowWriters, k \in Row :
                   k \in populated[p] /\ k \in triggered[t] /\ \E r \in reads[p] : r.key = k /\ r.from = t)
    /\ Witness(8, "IndexTombstoneCollected",
               readyFrom # NoTs /\ \E t \in committed, k \in Index : k \in deletes[t] /\ t \notin stored[k])
    /\ Witness(9, "IndexTombstoneWaitsForBuild",
               \E p \in building, t \in committed, k \in Index :
                   t \in stored[k] /\ k \in deletes[t] /\ watermark > readTs[t] /\ ~IsSettled(t, k) /\ stored[k] = {t})
    /\ Witness(10, "IndexTombstoneWaitsForLatePut",
               \E t \in committed, k \in Index :
                   t \in stored[k] /\ k \in deletes[t] /\ IsSettled(t, k) /\ ~NoIndexPutInFlight(t, k) /\ stored[k] = {t})
    /\ Witness(11, "LatePutUnderNewer",
               readyFrom # NoTs /\ \E put \in lateIndexPuts : \E w \in stored[put[1]] : readTs[w] > readTs[put[2]])
    /\ Witness(12, "SecondBuild",
               readyFrom # NoTs /\ \E p \in Builder : status[p] \in {"dead", "aborted"} /\ populated[p] # {})
    /\ Witness(13, "BuildOvertaken",
               \E p \in Builder : status[p] = "active" /\ readTs[p] < watermark /\ populated[p] # Row)
    /\ Witness(14, "NewManagerRefuses",
               faults = 1 /\ fencedAt # NoTs /\ fence = NoTs
               /\ \E t \in RowWriters : Ended(t) /\ readTs[t] < fencedAt /\ NoConflict(t))
    /\ Witness(15, "DeadWritersIndexCleaned",
               \E t \in RowWriters : status[t] = "dead" /\ t \notin committed /\ writes[t] \cap Index # {}
                   /\ \A k \in Index : t \notin stored[k])
    /\ Witness(16, "DeadWritersIndexHealed",
               \E t \in RowWriters \cap committed : status[t] = "closed" /\ commitTable[t] # NoTs
                   /\ \E k \in writes[t] \cap Index : commitCell[k][t] # NoTs /\ \E x \in writes[t] : commitCell[x][t] = NoTs)
    /\ Witness(17, "OwnIndexRemoved",
               faults = 0 /\ \E t \in RowWriters : Ended(t) /\ writes[t] \cap Index # {})
    /\ Witness(18, "IndexRead",
               \E t \in Reader : \E r \in reads[t] : r.key \in Index /\ readyFrom > fencedAt + Span)
    /\ Witness(19, "FastWriteAfterTrigger",
               \E d \in drawn : d[1] \in triggers /\ building # {})
    /\ Witness(20, "WrittenBetweenParts",
               \E t \in RowWriters \cap committed, p \in Builder :
                   status[p] = "closed" /\ readTs[p] < readyFrom /\ readTs[p] < commitTs[t] /\ commitTs[t] < readyFrom)
=============================================================================
