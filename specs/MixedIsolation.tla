----------------------------- MODULE MixedIsolation -----------------------------
(***************************************************************************)
(* What a system promises whose data is shared by transactions and native  *)
(* operations (SYSTOR'14 section 6.1).                                     *)
(*                                                                         *)
(* Native operations are single gets and puts that never abort. Both       *)
(* definitions ask for a serialization, a sequence of points at which      *)
(* transactions and native operations take effect:                         *)
(*   1. serializability: one point for each; what is read is what was      *)
(*      written last before the point; transactions of a process keep      *)
(*      their order;                                                       *)
(*   2. snapshot isolation: a transaction has a point for its reads and a  *)
(*      later one for its writes, both between its begin and its end;      *)
(*      nobody else's write of a key that it writes lies between the two.  *)
(* In both, all accesses of a process to a key keep their order. There is  *)
(* no more real time than that for native operations: two gets of          *)
(* different keys may see half of a transaction (witness                   *)
(* SecondGetInThePast).                                                    *)
(*                                                                         *)
(* The serialization is the one of section 6.2, by timestamps. A           *)
(* transaction reads at its start timestamp (in definition 1: at its       *)
(* commit timestamp) and writes at its commit timestamp, a native put is   *)
(* at the timestamp that its server gave it. A native get is not at the    *)
(* timestamp of the version that it returned, as the paper has it, but     *)
(* anywhere from there up to the key's next version: otherwise a process   *)
(* whose transaction reads a key, and who then gets the same version       *)
(* natively, would find the two in the wrong order (witness GetAfterRead). *)
(*                                                                         *)
(* So the promise is that of Isolation.tla over a history in which a       *)
(* native operation is a transaction of one operation, with less real time *)
(* and the order within keys. Argued, not checked: a write point between   *)
(* another's two points is what FirstCommitterWins forbids. Definition 1   *)
(* is checked to the letter, by SomeSerialization.                         *)
(*                                                                         *)
(* The history is that of Isolation.tla for transactions and native        *)
(* operations together, without what transactions read of their own writes *)
(* (so OwnWrites is no promise here), and                                  *)
(*   process   who executed each                                           *)
(* precedes[b] names those that were answered before b was begun.          *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
    \* @type: Set(TXN);
    Txn,
    \* The native operations.
    \* @type: Set(TXN);
    Native,
    \* @type: Set(KEY);
    Key,
    \* @type: TXN;
    NoTxn

\* @typeAlias: read = { key: KEY, from: TXN, own: Bool };
\* @typeAlias: mixed = { done: Set(TXN), writes: TXN -> Set(KEY), deletes: TXN -> Set(KEY), reads: TXN -> Set($read), precedes: TXN -> Set(TXN), readTs: TXN -> Int, commitTs: TXN -> Int, process: TXN -> PROCESS };
MixedIsolation_aliases == TRUE

\* The history. For a native get, the timestamps have no meaning.
CONSTANT
    \* @type: $mixed;
    h

Everything == Txn \cup Native

\* @type: (TXN) => Set(KEY);
KeysRead(o) == {r.key : r \in h.reads[o]}

IsGet(o) == o \in Native /\ h.writes[o] = {}

\* The timestamp of the version that a native get returned.
\* @type: (TXN) => Int;
VersionRead(o) ==
    IF \E r \in h.reads[o] : r.from # NoTxn
    THEN h.commitTs[(CHOOSE r \in h.reads[o] : r.from # NoTxn).from]
    ELSE 0

\* The point of what reads only, or writes only, is one. A native get is just after its version.
\* @type: (TXN, Int) => Int;
ReadPoint(o, ts) ==
    IF IsGet(o) THEN VersionRead(o) + 1 ELSE IF h.reads[o] = {} /\ o \in h.done THEN h.commitTs[o] ELSE ts
\* @type: (TXN, Int) => Int;
WritePoint(o, ts) ==
    IF h.writes[o] = {} THEN ReadPoint(o, ts) ELSE h.commitTs[o]

\* Real time among transactions only.
\* @type: TXN -> Set(TXN);
AmongTransactions == [b \in Everything |-> IF b \in Txn THEN h.precedes[b] \cap Txn ELSE {}]

\* Definition 2: read points at the start timestamps.
AtTwoPoints ==
    [h EXCEPT !.precedes = AmongTransactions,
              !.readTs = [o \in Everything |-> ReadPoint(o, h.readTs[o])],
              !.commitTs = [o \in Everything |-> WritePoint(o, h.readTs[o])]]

\* Definition 1: reads at the commit timestamps. What an aborted transaction read is nobody's business.
AtOnePoint ==
    [h EXCEPT !.precedes = AmongTransactions,
              !.reads = [o \in Everything |-> IF o \in h.done THEN h.reads[o] ELSE {}],
              !.readTs = [o \in Everything |-> ReadPoint(o, h.commitTs[o])],
              !.commitTs = [o \in Everything |-> WritePoint(o, h.commitTs[o])]]

Twice == INSTANCE Isolation WITH Txn <- Everything, h <- AtTwoPoints
Once == INSTANCE Isolation WITH Txn <- Everything, h <- AtOnePoint

-----------------------------------------------------------------------------
(* Order *)

\* @type: (TXN, TXN) => Bool;
InOrder(a, b) ==
    {a, b} \subseteq h.done /\ a \in h.precedes[b] /\ h.process[a] = h.process[b]

\* Where a last touched k, and where b first did. The points of reads are given.
\* @type: (TXN, KEY, TXN -> Int) => Int;
LastPoint(a, k, readPoint) ==
    IF k \in h.writes[a] THEN h.commitTs[a] ELSE IF IsGet(a) THEN VersionRead(a) ELSE readPoint[a]
\* @type: (TXN, KEY, TXN -> Int) => Int;
FirstPoint(b, k, readPoint) ==
    IF k \in KeysRead(b) THEN readPoint[b] ELSE h.commitTs[b]

\* A native get goes after whatever its process did with the key before, unless the next version comes first.
\* @type: (TXN, KEY, Int) => Bool;
GetFits(b, k, point) ==
    \A w \in h.done : k \in h.writes[w] => h.commitTs[w] <= VersionRead(b) \/ h.commitTs[w] > point

\* @type: (TXN -> Int) => Bool;
KeepsItemOrder(readPoint) ==
    \A b \in h.done : \A a \in h.done :
        InOrder(a, b) =>
            \A k \in (h.writes[a] \cup KeysRead(a)) \cap (h.writes[b] \cup KeysRead(b)) :
                IF IsGet(b) THEN GetFits(b, k, LastPoint(a, k, readPoint))
                ELSE LastPoint(a, k, readPoint) < FirstPoint(b, k, readPoint)

-----------------------------------------------------------------------------
(* Definition 2: snapshot isolation *)

\* What a transaction reads is the last version before its start, and native gets return what was written. When it fails,
\* a user sees half of a transaction, or a value that was overwritten before he began.  SYSTOR'14 def. 2, snapshot
\* property
\* @type: Bool;
SnapshotLegal == Twice!Snapshot

\* Nobody writes a key between a transaction's reads and its write of the key, native puts included. When it fails, an
\* update is lost: the status that a user has just posted is overwritten by one computed before.  SYSTOR'14 def. 2,
\* disjoint writes
\* @type: Bool;
DisjointWrites == Twice!FirstCommitterWins

\* A process's accesses to a key keep their order. When it fails, a user does not find what he has just written, or what
\* he writes next is lost in the past.  SYSTOR'14 def. 2, per-process item order
\* @type: Bool;
SnapshotItemOrder == KeepsItemOrder([o \in Everything |-> h.readTs[o]])

\* A transaction's points lie between its begin and its end. When it fails, a user does not see a transaction that was
\* answered before he began his.  SYSTOR'14 sec. 6.1, snapshot serialization (ii)
\* @type: Bool;
SnapshotRealTime == Twice!StrongSI

\* Nothing was returned that was written by a transaction that did not commit; native gets included. When it fails, a
\* user acts on a value that never existed.  SYSTOR'14 sec. 6.1
\* @type: Bool;
NoDirtyRead == Twice!NoDirtyRead

\* The same history, by the other two formulations of Isolation.tla.
\* @type: Bool;
ReadStates == Twice!ReadStates
\* @type: Bool;
NoPhenomena == Twice!NoPhenomena

-----------------------------------------------------------------------------
(* Definition 1: serializability *)

\* What is read is what was written last before the reader's point. When it fails, two transactions decide on what the
\* other one changes, and both are right alone.  SYSTOR'14 def. 1
\* @type: Bool;
SerialLegal == Once!Snapshot

\* A process's accesses to a key keep their order.  SYSTOR'14 def. 1, per-process item order
\* @type: Bool;
SerialItemOrder == KeepsItemOrder(h.commitTs)

\* A process's transactions keep their order. When it fails, others see a user's second transaction without his first.
\* SYSTOR'14 def. 1, per-process transaction order
\* @type: Bool;
SerialTransactionOrder ==
    \A b \in Txn : \A a \in Txn : InOrder(a, b) => h.commitTs[a] < h.commitTs[b]

\* Not by timestamps, but to the letter: some sequence is legal and keeps both orders. When it fails, nothing explains
\* what users saw.  SYSTOR'14 def. 1
\* @type: Bool;
SomeSerialization ==
    \E p \in Once!Orders(h.done) :
        /\ \A t \in h.done : \A r \in h.reads[t] : r.from = Once!ValueInState(p, p[t] - 1, r.key)
        /\ \A b \in h.done : \A a \in h.done :
            InOrder(a, b) =>
                \/ p[a] < p[b]
                \/ /\ ~({a, b} \subseteq Txn)
                   /\ (h.writes[a] \cup KeysRead(a)) \cap (h.writes[b] \cup KeysRead(b)) = {}

-----------------------------------------------------------------------------
(* Both *)

\* No two versions of a key have the same timestamp. When it fails, one of two answered updates never existed.
\* SYSTOR'14 Lemma 3
\* @type: Bool;
NoTies ==
    \A a \in h.done : \A b \in h.done :
        a # b /\ h.writes[a] \cap h.writes[b] # {} => h.commitTs[a] # h.commitTs[b]
=============================================================================
