------------------------------ MODULE MCMediator ------------------------------
(* Bounds, roles, restrictions and witnesses for the models of Mediator.       *)
EXTENDS Mediator, Sequences, TLC

CONSTANTS
    \* How many faults a behaviour may have.
    MaxFaults,
    \* Names for the parts that models give.
    t1, t2, n1, n2, k1, k2, s1, s2

FewFaults == faults < MaxFaults

Symmetry == Permutations(Txn)
OtherSymmetry == Permutations(Txn \ {t1})

-----------------------------------------------------------------------------
(* Which server has which key, and who executes what.                          *)

OneServer == [k \in Key |-> s1]
TwoServers == [k \in Key |-> IF k = k1 THEN s1 ELSE s2]

\* A process for each.
Alone == [o \in Op |-> o]
\* One process for all.
Together == [o \in Op |-> t1]
\* One for each transaction, and one for the native operations.
OneForNatives == [o \in Op |-> IF o \in Txn THEN o ELSE n1]
\* The first transaction and the first native operation are one user's.
Couple == [o \in Op |-> IF o = n1 THEN t1 ELSE o]

-----------------------------------------------------------------------------
(* Restrictions, as overrides of MayRead, MayWrite, FiltersFor and of actions. *)

HasRead(t) == {r.key : r \in reads[t]}

\* Transactions write what they have read.
ReadWrite(o, k) == o \in Native \/ k \in HasRead(o)

\* t1 reads k1 and writes it; n1 puts it, n2 gets.
SocialRead(o, k) == o \in {t1, n2}
SocialWrite(o, k) == o = n1 \/ (o = t1 /\ k \in HasRead(o))

\* t1 writes k1 and then k2, t2 reads, n1 gets k1 and n2 gets k2.
Writer(o, k) == o = t1 /\ (k = k1 \/ k1 \in writes[o])
Readers(o, k) == o = t2 \/ (o = n1 /\ k = k1) \/ (o = n2 /\ k = k2)

\* t1 reads and writes k1, t2 reads and writes k2.
ApartRead(o, k) == (o = t1 /\ k = k1) \/ (o = t2 /\ k = k2)
ApartWrite(o, k) == k \in HasRead(o)

\* t1 reads and writes, t2 reads, n1 (of the process of t1) gets and puts, n2 puts.
CoupleWrite(o, k) == o \in Native \/ (o = t1 /\ k \in HasRead(o))
CoupleRead(o, k) == o # n2

\* t1 reads k1 only and may write, t2 only writes, native operations put.
OrderRead(o, k) == o = t1 /\ k = k1 /\ writes[o] = {}
OrderWrite(o, k) == o # t1 \/ HasRead(o) # {}

\* t1 reads k1 and writes it, t2 reads both keys, n1 puts k2.
LatticeRead(o, k) == o = t2 \/ (o = t1 /\ k = k1)
LatticeWrite(o, k) == (o = t1 /\ k \in HasRead(o)) \/ (o = n1 /\ k = k2)

\* t1 reads and writes k2, the others k1.
OneOfAnother(o, k) == o = t1 <=> k = k2

\* Each transaction reads both keys and writes one: t1 writes k1, t2 writes k2.
SkewRead(o, k) == o \in Txn /\ writes[o] = {}
SkewWrite(o, k) ==
    \/ (o = t1 /\ k = k1 /\ HasRead(o) = Key)
    \/ (o = t2 /\ k = k2 /\ HasRead(o) = Key)

\* t1 reads k1, writes k1 and k2; n1 puts k1, n2 gets it.
SpreadRead(o, k) == k = k1 /\ (o = n2 \/ (o = t1 /\ writes[o] = {}))
SpreadWrite(o, k) == (o = t1 /\ HasRead(o) # {}) \/ (o = n1 /\ k = k1)

\* What the code has in its replicas: entries that have committed are in the database.
OnlyActive(w) == ring[w] = "active"

\* The code's ring deletes all settled entries up to the oldest active one: here where that is one.
EvictsOne ==
    \A t \in Txn : tso' = "up" /\ ring[t] # "none" /\ ring'[t] = "none" =>
        \A w \in Txn \ {t} : ring[w] = "none" \/ (ring[w] = "active" /\ commitTs[w] > commitTs[t])

\* No fence: for the execution of figure 2a.
NoFence(t) == 0

\* Strangers make up these: clocks would go on for ever if servers were fenced with each new timestamp.
FirstTimestamps == 0..(2 * Delta)

\* Bloom filters without collisions.
Exact(keys) == {keys}

\* The action never happens.
Never == FALSE
Never1(a) == FALSE
Never2(a, b) == FALSE

-----------------------------------------------------------------------------
(* Witnesses: what a model must reach, or its passing says nothing. Each is    *)
(* printed when it is first met (by each worker).                              *)

ASSUME \A i \in 1..32 : TLCSet(i, FALSE)
Witness(i, name, cond) ==
    (TLCGet(i) = FALSE /\ cond) => (PrintT("WITNESS " \o name) /\ TLCSet(i, TRUE))

Overlap(t, o) == writes[t] \cap writes[o] # {}
HasReadFrom(t, o) == \E r \in reads[t] : r.from = o
Missed(t, o) == \E r \in reads[t] : r.key \in writes[o] /\ r.from # o

Witnesses ==
    /\ Witness(1, "Figure2a",
               \E t \in Txn, n \in Native :
                   /\ status[t] = "committed" /\ status[n] = "closed" /\ Overlap(t, n) /\ Missed(t, n)
                   /\ readTs[t] < commitTs[n] /\ commitTs[n] < commitTs[t] /\ ~IsWrittenBack(t))
    /\ Witness(2, "Figure2b",
               \E t \in Txn, n \in Native :
                   /\ status[t] = "aborted" /\ fenced[t] # {} /\ Overlap(t, n) /\ Missed(t, n)
                   /\ readTs[t] < commitTs[n] /\ commitTs[n] < commitTs[t])
    /\ Witness(3, "Figure2c",
               \E t \in Txn, n \in Native :
                   /\ status[t] = "committed" /\ status[n] = "closed" /\ Overlap(t, n) /\ Missed(t, n)
                   /\ commitTs[n] > commitTs[t] /\ ~IsWrittenBack(t))
    /\ Witness(4, "WaitsForWriteBack",
               \E t \in Txn, k \in Key : k \in fenced[t] /\ Reads(t, k) /\ ~IsDue(t, k, SnapshotAt(t, k)))
    /\ Witness(5, "GaveUp",
               \E t \in Txn : status[t] = "aborted" /\ commitTs[t] = NoTs /\ fenced[t] # {})
    /\ Witness(6, "ConflictInRing",
               \E t \in Txn : status[t] = "aborted" /\ commitTs[t] = NoTs /\ RingReachesBack(t)
                   /\ \E w \in Txn : Counts(w) /\ ConflictSet(t) \cap writes[w] # {})
    /\ Witness(7, "FalseConflict",
               \E t \in Txn : status[t] = "aborted" /\ commitTs[t] = NoTs /\ RingReachesBack(t) /\ ~NoConflictInRing(t)
                   /\ \A w \in Txn : Counts(w) => ConflictSet(t) \cap writes[w] = {})
    /\ Witness(8, "RingTooShort",
               \E t \in Txn : status[t] = "aborted" /\ commitTs[t] = NoTs /\ ~RingReachesBack(t) /\ faults = 0)
    /\ Witness(9, "WriteSkew",
               \E t \in Done \cap Txn, u \in Done \cap Txn :
                   t # u /\ Missed(t, u) /\ Missed(u, t) /\ ~Overlap(t, u))
    /\ Witness(10, "SecondGetInThePast",
               \E a \in Native, b \in Native, t \in Txn :
                   a \in precedes[b] /\ Process[a] = Process[b] /\ HasReadFrom(a, t) /\ Missed(b, t))
    /\ Witness(11, "GetAfterRead",
               \E t \in Txn, n \in Native :
                   /\ status[t] = "closed" /\ status[n] = "closed" /\ t \in precedes[n] /\ Process[t] = Process[n]
                   /\ writes[n] = {} /\ reads[t] \cap reads[n] # {})
    /\ Witness(12, "AbortedByHelper",
               \E t \in Txn : ring[t] = "aborted" /\ log[t] = "abort" /\ status[t] \in {"certified", "unknown"})
    /\ Witness(13, "RefusedByLog",
               \E t \in Txn : status[t] = "aborted" /\ log[t] = "abort")
    /\ Witness(14, "FinishedByHelper",
               \E t \in Txn : status[t] = "dead" /\ ring[t] = "committed")
    /\ Witness(15, "LateCommit",
               \E t \in Txn : status[t] = "unknown" /\ log[t] = "commit")
    /\ Witness(16, "AbortedByRecovery",
               \E t \in Txn : status[t] \in {"certified", "unknown"} /\ log[t] = "abort" /\ tso = "replaying")
    /\ Witness(17, "FinishedByRecovery",
               \E t \in Txn :
                   status[t] \in {"committed", "dead"} /\ tso = "replaying" /\ \E k \in Key : version[k][t] # NoTs)
    /\ Witness(18, "NativeWithoutTso",
               tso # "up" /\ \E n \in Native, t \in Txn :
                   status[n] = "closed" /\ Overlap(n, t) /\ commitTs[n] > commitTs[t])
    /\ Witness(19, "OutOfStamps",
               \E s \in Server : KnowsTheTime(s) /\ ~RoomLeft(s))
    /\ Witness(20, "ReaderAborted",
               \E t \in Txn : Serializable /\ status[t] = "aborted" /\ writes[t] = {})
    /\ Witness(21, "CheckWaits",
               \E t \in Txn, k \in Key :
                   status[t] = "certified" /\ k \in ConflictSet(t) \cap fenced[t] /\ ~OlderPutsStored(k, commitTs[t]))
    /\ Witness(22, "OldEpoch",
               \E t \in Txn :
                   /\ status[t] = "aborted" /\ commitTs[t] = NoTs /\ fenced[t] = {} /\ tsMin > readTs[t] /\ faults = 1
                   /\ \A w \in Txn : ring[w] = "none")
    /\ Witness(23, "StampedAfterCrash",
               \E s \in Server, n \in Native : faults = 1 /\ clock > 0 /\ status[n] = "stamped" /\ commitTs[n] = clock + 1
                   /\ \E t \in Txn : fenced[t] # {} /\ status[t] = "committed")
    /\ Witness(24, "LocalCommit",
               \E t \in Txn, u \in Txn :
                   u \in precedes[t] /\ status[t] = "closed" /\ IsPutTransaction(t) /\ commitTs[u] # NoTs)
    /\ Witness(25, "ReaderCommitted",
               \E t \in Txn : Serializable /\ status[t] = "closed" /\ writes[t] = {} /\ \E r \in reads[t] : r.from # NoTxn)
    /\ Witness(26, "GetOfHalf",
               \E t \in Txn, n \in Native : status[t] = "committed" /\ HasReadFrom(n, t) /\ ~IsWrittenBack(t))
    /\ Witness(27, "AnsweredBeforeSettled",
               \E t \in Txn, u \in Txn : t \in precedes[u] /\ t \in replica[u] /\ ring[t] = "active")
    /\ Witness(28, "FencedByStranger",
               \E s \in Server : local[s] % Delta # 0 /\ \A o \in Op : readTs[o] < local[s] /\ commitTs[o] < local[s])
    /\ Witness(29, "TwoDue",
               \E t \in Txn, k \in Key :
                   /\ k \in fenced[t] /\ Reads(t, k) /\ ~IsDue(t, k, SnapshotAt(t, k)) /\ SnapshotAt(t, k) # NoTxn
                   /\ Cardinality({w \in replica[t] : k \in filter[w]}) = 2)
    /\ Witness(30, "OlderEntryConflicts",
               \E t \in Txn, u \in Txn, w \in Txn :
                   /\ status[t] = "aborted" /\ commitTs[t] = NoTs /\ reads[t] # {} /\ ~IsWrittenBack(u)
                   /\ Overlap(t, u) /\ ~Overlap(t, w) /\ Counts(u) /\ Counts(w) /\ commitTs[u] < commitTs[w])
    /\ Witness(31, "HalfReplayed",
               tso = "replaying" /\ \E t \in Txn : ~IsWrittenBack(t) /\ \E k \in writes[t] : version[k][t] # NoTs)
    /\ Witness(32, "ReadBeforeWriteBack",
               Serializable /\ \E t \in Txn, u \in Txn :
                   /\ status[t] = "active" /\ Missed(t, u) /\ commitTs[u] < readTs[t] /\ ring[u] = "none"
                   /\ status[u] = "closed")
=============================================================================
