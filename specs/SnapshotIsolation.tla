--------------------------- MODULE SnapshotIsolation ---------------------------
(***************************************************************************)
(* Snapshot isolation as a state machine over what clients see: a          *)
(* transaction begins, reads, commits or is aborted, and its client is     *)
(* told. Every protocol here refines it (RefinesSnapshotIsolation).        *)
(*                                                                         *)
(* There is one order, of timestamps, in which a transaction has two       *)
(* places: that of its snapshot and that of its writes. A snapshot holds   *)
(* what was committed below it. Transactions need not commit in this       *)
(* order: one may take a place below a snapshot that somebody reads        *)
(* already, unless that changes what he has read.                          *)
(*                                                                         *)
(* Isolation.tla follows from it, which models/SnapshotIsolation checks.   *)
(* It says more, since it compares states: what was read, committed or     *)
(* aborted stays so, and who has ended does nothing any more.              *)
(*                                                                         *)
(* Not here: what a transaction reads of its own writes (OwnWrites of      *)
(* Isolation.tla), and that anything ever happens.                         *)
(*                                                                         *)
(* A comment that begins with "Guard" marks an operator whose removal must *)
(* violate a property: specs/mutants/SnapshotIsolation has a mutant.       *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
    \* @type: Set(TXN);
    Txn,
    \* @type: Set(KEY);
    Key,
    \* No transaction: what a read of a missing key returns.
    \* @type: TXN;
    NoTxn,
    \* The places in the order, and 0 for none.
    \* @type: Set(Int);
    Timestamps,
    \* Those that may take effect in the past of what was answered before: see RelaxedIsolation.tla.
    \* @type: Set(TXN);
    Unordered

\* asked: it has asked to begin. active: it has a snapshot.  Lane: client
VARIABLE
    \* @type: TXN -> Str;
    phase
TypeOKPhase == phase \in [Txn -> {"idle", "asked", "active", "committed", "aborted"}]

\* The place of its snapshot.  Lane: client
VARIABLE
    \* @type: TXN -> Int;
    readTs
TypeOKReadTs == readTs \in [Txn -> Timestamps]

\* The place of its writes, once it has committed some.  Lane: client
VARIABLE
    \* @type: TXN -> Int;
    commitTs
TypeOKCommitTs == commitTs \in [Txn -> Timestamps]

\* The keys that it wrote, once it has committed.  Lane: client
VARIABLE
    \* @type: TXN -> Set(KEY);
    writes
TypeOKWrites == writes \in [Txn -> SUBSET Key]

\* Those of them that it deleted.  Lane: client
VARIABLE
    \* @type: TXN -> Set(KEY);
    deletes
TypeOKDeletes == \A t \in Txn : deletes[t] \subseteq writes[t]

\* What it read of others.  Lane: client
VARIABLE
    \* @type: TXN -> Set({ key: KEY, from: TXN, own: Bool });
    reads
TypeOKReads == \A t \in Txn : reads[t] \subseteq [key : Key, from : Txn \cup {NoTxn}, own : {FALSE}]

\* What was answered before it asked to begin.  Lane: none
VARIABLE
    \* @type: TXN -> Set(TXN);
    precedes
TypeOKPrecedes == precedes \in [Txn -> SUBSET Txn]

\* The transactions whose clients were told that they have committed.  Lane: none
VARIABLE
    \* @type: Set(TXN);
    answered
TypeOKAnswered == answered \subseteq Txn

vars == <<phase, readTs, commitTs, writes, deletes, reads, precedes, answered>>

TypeOK ==
    /\ TypeOKPhase /\ TypeOKReadTs /\ TypeOKCommitTs /\ TypeOKWrites /\ TypeOKDeletes /\ TypeOKReads /\ TypeOKPrecedes
    /\ TypeOKAnswered

Init ==
    /\ phase = [t \in Txn |-> "idle"]
    /\ readTs = [t \in Txn |-> 0]
    /\ commitTs = [t \in Txn |-> 0]
    /\ writes = [t \in Txn |-> {}]
    /\ deletes = [t \in Txn |-> {}]
    /\ reads = [t \in Txn |-> {}]
    /\ precedes = [t \in Txn |-> {}]
    /\ answered = {}

Done == {t \in Txn : phase[t] = "committed"}

\* ValueAt; and the properties, which follow: see Isolation.tla
History ==
    [done |-> Done, writes |-> writes, deletes |-> deletes, reads |-> reads,
     precedes |-> [t \in Txn |-> IF readTs[t] = 0 THEN {} ELSE precedes[t]], readTs |-> readTs, commitTs |-> commitTs]

INSTANCE Isolation WITH h <- History

-----------------------------------------------------------------------------

\* Guard: who has ended does nothing any more. Otherwise what a user was told is not what happened.
\* @type: (TXN) => Bool;
HasEnded(t) == phase[t] \in {"committed", "aborted"}

\* t goes on to another phase. Who leaves the first one comes after what was answered until then.
\* @type: (TXN, Str) => Bool;
GoesOn(t, to) ==
    /\ ~HasEnded(t)
    /\ phase' = [phase EXCEPT ![t] = to]
    /\ precedes' = IF phase[t] = "idle" THEN [precedes EXCEPT ![t] = answered] ELSE precedes

\* Only t gets a place, or another one.
\* @type: (TXN, TXN -> Int, TXN -> Int) => Bool;
Places(t, old, new) == new \in [Txn -> Timestamps] /\ new[t] > 0 /\ \A u \in Txn \ {t} : new[u] = old[u]

\* Guard: a snapshot has what was answered before. Otherwise a user does not find what he was told of.
\* @type: (TXN, Int) => Bool;
ComesAfter(t, ts) == t \in Unordered \/ \A a \in precedes'[t] : commitTs[a] < ts

\* Guard: the snapshot has all that the transaction has read. Otherwise a user reads from two states, and sees half of another
\* transaction.
\* @type: (TXN, Int) => Bool;
Holds(t, ts) == \A r \in reads[t] : r.from = ValueAt(r.key, ts)

\* Some keys, or none, are read from the snapshot: the one that t has, or one that does as well.
Observes(t) ==
    /\ Places(t, readTs, readTs')
    /\ ComesAfter(t, readTs'[t])
    /\ Holds(t, readTs'[t])
    /\ \E keys \in SUBSET Key :
        reads' = [reads EXCEPT ![t] = @ \cup {[key |-> k, from |-> ValueAt(k, readTs'[t]), own |-> FALSE] : k \in keys}]

\* The client asks to begin: a step of its own where the answer takes its time.
AskBegin(t) ==
    /\ phase[t] = "idle"
    /\ GoesOn(t, "asked")
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, reads, answered>>

\* The transaction begins, or reads, or both.
Read(t) ==
    /\ GoesOn(t, "active")
    /\ Observes(t)
    /\ UNCHANGED <<commitTs, writes, deletes, answered>>

\* Guard: nobody else has committed one of these keys since the snapshot. Otherwise an update is lost.
\* @type: (Set(KEY), Int, Int) => Bool;
NothingBetween(keys, from, to) == \A a \in Done : writes[a] \cap keys # {} => commitTs[a] < from \/ to < readTs[a]

\* Guard: updates of a key keep the order in which they were answered, whoever makes them. Otherwise an old value comes back.
\* @type: (TXN, Set(KEY), Int) => Bool;
UpdatesInOrder(t, keys, ts) == \A a \in precedes'[t] : writes[a] \cap keys # {} => commitTs[a] < ts

\* What t writes has its place: not before its snapshot, and with nothing between the two that it would overwrite unseen.
Writes(t, keys) ==
    /\ Places(t, commitTs, commitTs')
    /\ readTs'[t] <= commitTs'[t]
    /\ NothingBetween(keys, readTs'[t], commitTs'[t])
    /\ UpdatesInOrder(t, keys, commitTs'[t])

\* Which of them it may delete; models restrict it.
\* @type: (Set(KEY)) => Set(Set(KEY));
MayDelete(keys) == SUBSET keys

\* Guard: a commit changes nothing that was read. Otherwise a user has read what never was.
KeepsReads == \A u \in Txn : \A r \in reads[u] : r.from = ValueAt(r.key, readTs[u])'

\* The transaction commits, and its client is told, or not yet. What takes one step only begins and reads in it, too.
Commit(t) ==
    /\ GoesOn(t, "committed")
    /\ Observes(t)
    /\ \E keys \in SUBSET Key : \E gone \in MayDelete(keys) :
        /\ writes' = [writes EXCEPT ![t] = keys]
        /\ deletes' = [deletes EXCEPT ![t] = gone]
        /\ IF keys = {} THEN UNCHANGED commitTs ELSE Writes(t, keys)
    /\ answered' \in {answered, answered \cup {t}}
    /\ KeepsReads

\* The client is told later that its transaction has committed.
Answer(t) ==
    /\ t \in Done \ answered
    /\ answered' = answered \cup {t}
    /\ UNCHANGED <<phase, readTs, commitTs, writes, deletes, reads, precedes>>

\* The transaction ends without commit.
Abort(t) ==
    /\ GoesOn(t, "aborted")
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, reads, answered>>

Next == \E t \in Txn : AskBegin(t) \/ Read(t) \/ Commit(t) \/ Answer(t) \/ Abort(t)

Spec == Init /\ [][Next]_vars
=============================================================================
