----------------------------- MODULE MCCheckpoints -----------------------------
(* Bounds, restrictions and witnesses for the models of Checkpoints.           *)
EXTENDS Checkpoints, Sequences, TLC

CONSTANTS
    \* How many faults a behaviour may have.
    MaxFaults,
    \* The transactions that make checkpoints.
    Leveller,
    \* The transactions that read.
    Reader,
    \* The transactions that write, and those that ask for all versions.
    Writer, Lister

FewFaults == faults < MaxFaults

\* For models in which the watermark goes up once, as far as it may.
NeverRaised == watermark = 0
AsFarAsPossible ==
    watermark' # watermark =>
        \A ts \in {NextTs} \cup {readTs[t] : t \in Txn} :
            (\A t \in Txn \ Fast : status[t] \in {"active", "certified"} => ts <= readTs[t]) => ts <= watermark'

-----------------------------------------------------------------------------
(* Restrictions, as overrides of MayRead, MayWrite and so on, and of actions.  *)

ByLeveller(t) == t \in Leveller
ByReader(t, k) == t \in Reader
\* One read of the key by each transaction, but for levellers: those read at each level.
ByReaderOnce(t, k) == t \in Reader /\ (t \in Leveller \/ reads[t] = {})
ByLister(t, k) == t \in Lister /\ listed[t] = {}
ByWriter(t, k, content) == t \in Writer

\* The first one has ended before the second begins, and this one begins before the third.
CONSTANTS t1, t2, t3
InOrder ==
    /\ status'[t2] # "idle" => status[t1] = "closed" /\ t1 \in committed
    /\ t3 \in Txn => (status'[t3] # "idle" => status[t2] # "idle")

\* One reader takes several steps.
BySecond(t, k) == t = t2

\* The action never happens.
Never == FALSE
Never1(a) == FALSE
Never2(a, b) == FALSE
Never3(a, b, c) == FALSE

-----------------------------------------------------------------------------
(* Witnesses: what a model must reach, or its passing says nothing. Each is    *)
(* printed when it is first met (by each worker).                              *)

ASSUME \A i \in 1..19 : TLCSet(i, FALSE)
Witness(i, name, cond) ==
    (TLCGet(i) = FALSE /\ cond) => (PrintT("WITNESS " \o name) /\ TLCSet(i, TRUE))

Top(t, k) == Last(LevelsOf(t, k))

Witnesses ==
    /\ Witness(1, "ReadsBelowOwnLevel",
               \E t \in Txn : excluding[t] /\ \E x \in reads[t] : ~x.own /\ level[t] \in LevelsOf(t, x.key))
    /\ Witness(2, "ReadsEarlierLevel",
               \E t \in Txn : excluding[t] /\ \E x \in reads[t] : x.own /\ x.level < Top(t, x.key) /\ Top(t, x.key) = level[t])
    /\ Witness(3, "LastLevelReached",
               \E t \in Txn : level[t] = Levels - 1 /\ \E x \in wrote[t] : x.level = Levels - 1)
    /\ Witness(4, "LastOfSeveralRead",
               \E t \in Txn : \E x \in reads[t] : ~x.own /\ x.level > 0 /\ Cardinality(LevelsOf(x.from, x.key)) > 1)
    /\ Witness(5, "AbortOfSeveral",
               \E t \in Txn : status[t] = "aborted" /\ todo[t] = {} /\ Cardinality(wrote[t]) > 1)
    /\ Witness(6, "LevelInvalidated",
               \E t \in Txn : EntryAt(readTs[t]) = Invalidated /\ level[t] > 0 /\ 0 \notin {x.level : x \in wrote[t]})
    /\ Witness(7, "EarlierLevelWithoutCell",
               \E t \in committed \ Fast, k \in Key : \E r \in stored[k] :
                   r.by = t /\ r.commit = NoTs /\ status[t] = "closed" /\ faults = 0)
    /\ Witness(8, "OldReaderPassesLevels",
               \E t \in committed \ Fast : \E u \in Txn \ (Fast \cup {t}) : \E x \in reads[u] :
                   /\ readTs[u] < commitTs[t] /\ readTs[t] < readTs[u] /\ status[t] = "closed" /\ x.from = NoTxn /\ ~x.own
                   /\ Cardinality(LevelsOf(t, x.key)) > 1 /\ \E r \in stored[x.key] : r.by = t /\ r.commit = NoTs)
    /\ Witness(9, "FastOverLevels",
               \E f \in committed \cap Fast, k \in Key : \E r \in stored[k] : \E x \in stored[k] :
                   r.by = f /\ x.by \notin Fast /\ x.ts < r.ts /\ x.ts % Span # 0)
    /\ Witness(10, "FastPassesOverLevels",
               \E f \in committed \cap Fast : readTs[f] % Span = Levels /\ \E t \in Txn \ Fast : readTs[t] = BaseOf(readTs[f]))
    /\ Witness(11, "FastReadBesideLevels",
               \E f \in Fast : \E x \in reads[f] : \E t \in Txn \ (Fast \cup committed) : \E r \in stored[x.key] :
                   r.by = t /\ r.ts % Span # 0)
    /\ Witness(12, "LevelDropped",
               \E t \in committed \ Fast, k \in Key : Cardinality(LevelsOf(t, k)) > Cardinality({r \in stored[k] : r.by = t})
                   /\ \E r \in stored[k] : r.by = t)
    /\ Witness(13, "DeadLevelsCleaned",
               \E t \in Txn : status[t] = "dead" /\ Cardinality(wrote[t]) > 1 /\ \A k \in Key : \A r \in stored[k] : r.by # t)
    /\ Witness(14, "LatePutOfLevel",
               \E t \in Txn, k \in Key : \E r \in stored[k] :
                   r.by = t /\ status[t] \in {"aborted", "closed"} /\ faults = 1 /\ r.ts < readTs[t] + Top(t, k) /\ todo[t] = {}
                   /\ \A x \in stored[k] : x.by = t => x = r)
    /\ Witness(15, "TombstoneListed",
               \E t \in Txn : \E x \in listed[t] : x.before # NoTxn /\ \E v \in x.versions : v.gone)
    /\ Witness(16, "ListedWhileExcluding",
               \E t \in Txn : \E x \in listed[t] : excluding[t] /\ \E v \in x.versions : v.level = level[t])
    /\ Witness(17, "TombstoneCollected",
               \E t \in committed : \E x \in wrote[t] : x.gone /\ x.level = Top(t, x.key) /\ \A r \in stored[x.key] : r.by # t)
    /\ Witness(18, "MarkerRepaired", \E t \in Txn : cursor[t].step = "repair")
    /\ Witness(19, "MetIsNotLast",
               \E t \in Txn : cursor[t].step = "heal" /\ \E r \in stored[cursor[t].key] : BaseOf(r.ts) = BaseOf(cursor[t].ts) /\ cursor[t].ts < r.ts)
=============================================================================
