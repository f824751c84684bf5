------------------------------- MODULE PH1Keeper -------------------------------
(***************************************************************************)
(* How the certifier of pH1 passes from one instance to the next. PH1.tla  *)
(* has one that never fails.                                               *)
(*                                                                         *)
(* The transaction manager, which outlives instances, counts timestamps.   *)
(* Which commits are still being flushed is in the memory of the keeper:   *)
(* the first member of a view of most instances. Members install a view    *)
(* one after the other, so there may be two keepers for a while, and the   *)
(* earlier one does not know of the commits of the later one.              *)
(*                                                                         *)
(* A new keeper begins a generation of the redo log, which closes the log  *)
(* to whatever was certified before, and flushes what the log holds. It    *)
(* serves when all members have told, after that, that they are in its     *)
(* view: from then on no earlier keeper is confirmed any more. One that    *)
(* comes late may still close the log to it; then it begins anew.          *)
(*                                                                         *)
(* A keeper takes a timestamp for a snapshot, and gives it when all commits*)
(* that it was asked for before have ended, and most instances have told,  *)
(* after it was taken, that they are still in the keeper's view.           *)
(*                                                                         *)
(* Not modelled: what PH1 models; members that join (the keeper begins     *)
(* anew in each view); the same keeper in a later view, which may go on    *)
(* giving snapshots of the earlier one here, as another instance would.    *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
    \* @type: Set(TXN);
    Txn,
    \* The instances of the middleware.
    \* @type: Set(NODE);
    Node,
    \* Views, in the order in which they follow each other: 0 is the first.
    \* @type: Int;
    LastView,
    \* The keeper of each view: its first member.
    \* @type: Int -> NODE;
    Keeper,
    \* The members of each view: most instances.
    \* @type: Int -> Set(NODE);
    Members

Views == 0 .. LastView

\* No timestamp. Timestamps are positive.
NoTs == 0

\* The last timestamp that the transaction manager has given.  Lane: certifier
VARIABLE
    \* @type: Int;
    clock
TypeOKClock == clock \in Nat

\* The view that each instance has installed.  Lane: node
VARIABLE
    \* @type: NODE -> Int;
    view
TypeOKView == view \in [Node -> Views]

\* What the keeper of each view has done: it has closed the log to others, and it serves.  Lane: certifier
VARIABLE
    \* @type: Int -> Str;
    step
TypeOKStep == step \in [Views -> {"none", "closed", "serving"}]

\* Who has told the keeper of the view that it is in the view, since the keeper asked last.  Lane: certifier
VARIABLE
    \* @type: Int -> Set(NODE);
    confirmed
TypeOKConfirmed == confirmed \in [Views -> SUBSET Node]

\* The generation of each view's keeper.  Lane: certifier
VARIABLE
    \* @type: Int -> Int;
    generation
TypeOKGeneration == generation \in [Views -> Nat]

\* The commits that the log held when the keeper read it.  Lane: certifier
VARIABLE
    \* @type: Int -> Set(TXN);
    left
TypeOKLeft == left \in [Views -> SUBSET Txn]

\* The commits that the keeper was asked for, and that have not ended.  Lane: certifier
VARIABLE
    \* @type: Int -> Set(TXN);
    open
TypeOKOpen == open \in [Views -> SUBSET Txn]

\* The timestamp that is to be a snapshot, and the commits that were open then.  Lane: certifier
VARIABLE
    \* @type: Int -> { ts: Int, before: Set(TXN) };
    candidate
TypeOKCandidate == candidate \in [Views -> [ts : Nat, before : SUBSET Txn]]

\* The generation that the log is in.  Lane: log
VARIABLE
    \* @type: Int;
    logGeneration
TypeOKLogGeneration == logGeneration \in Nat

\* Where each transaction stands.  Lane: client
VARIABLE
    \* @type: TXN -> Str;
    status
TypeOKStatus == status \in [Txn -> {"idle", "asked", "given", "certified", "logged", "aborted"}]

\* Of which view the keeper was that was asked.  Lane: client
VARIABLE
    \* @type: TXN -> Int;
    askedIn
TypeOKAskedIn == askedIn \in [Txn -> Views]

\* And in which generation.  Lane: client
VARIABLE
    \* @type: TXN -> Int;
    askedAt
TypeOKAskedAt == askedAt \in [Txn -> Nat]

\* Its commit timestamp.  Lane: client
VARIABLE
    \* @type: TXN -> Int;
    commitTs
TypeOKCommitTs == commitTs \in [Txn -> Nat]

\* The transactions whose values are all in the store.  Lane: key
VARIABLE
    \* @type: Set(TXN);
    flushed
TypeOKFlushed == flushed \subseteq Txn

\* The snapshots that were given.  Lane: none
VARIABLE
    \* @type: Set(Int);
    snapshots
TypeOKSnapshots == snapshots \subseteq Nat

keeper == <<step, confirmed, generation, left, open, candidate>>
client == <<status, askedIn, askedAt, commitTs>>
vars == <<clock, view, keeper, logGeneration, client, flushed, snapshots>>

TypeOK ==
    /\ TypeOKClock /\ TypeOKView /\ TypeOKStep /\ TypeOKConfirmed /\ TypeOKGeneration /\ TypeOKLeft /\ TypeOKOpen
    /\ TypeOKCandidate /\ TypeOKLogGeneration /\ TypeOKStatus /\ TypeOKAskedIn /\ TypeOKAskedAt /\ TypeOKCommitTs /\ TypeOKFlushed
    /\ TypeOKSnapshots

NoCandidate == [ts |-> NoTs, before |-> {}]

Init ==
    /\ clock = 1
    /\ view = [n \in Node |-> 0]
    /\ step = [v \in Views |-> IF v = 0 THEN "serving" ELSE "none"]
    /\ confirmed = [v \in Views |-> {}]
    /\ generation = [v \in Views |-> IF v = 0 THEN 1 ELSE NoTs]
    /\ left = [v \in Views |-> {}]
    /\ open = [v \in Views |-> {}]
    /\ candidate = [v \in Views |-> NoCandidate]
    /\ logGeneration = 1
    /\ status = [t \in Txn |-> "idle"]
    /\ askedIn = [t \in Txn |-> 0]
    /\ askedAt = [t \in Txn |-> NoTs]
    /\ commitTs = [t \in Txn |-> NoTs]
    /\ flushed = {}
    /\ snapshots = {}

-----------------------------------------------------------------------------
(* Views, and becoming the keeper *)

\* A member installs a later view.
Install(n, v) ==
    /\ n \in Members[v] /\ v > view[n]
    /\ view' = [view EXCEPT ![n] = v]
    /\ UNCHANGED <<clock, keeper, logGeneration, client, flushed, snapshots>>

\* The keeper's own instance is still in the view.
IsKeeper(v) == view[Keeper[v]] = v

\* Guard: who answers is in the view.
IsIn(n, v) == view[n] = v

\* A member tells the keeper that it is in the view. The implementation has it tell only when it is asked, after a timestamp was taken.
Confirm(v, n) ==
    /\ IsKeeper(v) /\ step[v] # "none" /\ n \in Members[v] \ confirmed[v]
    /\ IsIn(n, v)
    /\ confirmed' = [confirmed EXCEPT ![v] = @ \cup {n}]
    /\ UNCHANGED <<clock, view, step, generation, left, open, candidate, logGeneration, client, flushed, snapshots>>

\* The commits that the log holds and that may not be flushed.
Logged == {t \in Txn : status[t] = "logged"}

\* Guard: the log is read when it is closed, and not before.
ReadWhenClosed(v) == Logged

\* The log's generation is the keeper's from now on, unless it is a later one.
BeginGeneration(v) ==
    /\ IsKeeper(v) /\ step[v] = "none" /\ clock + 1 > logGeneration
    /\ clock' = clock + 1
    /\ generation' = [generation EXCEPT ![v] = clock + 1]
    /\ logGeneration' = clock + 1
    /\ step' = [step EXCEPT ![v] = "closed"]
    /\ left' = [left EXCEPT ![v] = ReadWhenClosed(v)]
    /\ UNCHANGED <<view, confirmed, open, candidate, client, flushed, snapshots>>

\* The keeper finds that the log is in a later generation, and begins anew.
Resign(v) ==
    /\ step[v] # "none" /\ generation[v] < logGeneration
    /\ step' = [step EXCEPT ![v] = "none"]
    /\ open' = [open EXCEPT ![v] = {}]
    /\ candidate' = [candidate EXCEPT ![v] = NoCandidate]
    /\ confirmed' = [confirmed EXCEPT ![v] = {}]
    /\ UNCHANGED <<clock, view, generation, left, logGeneration, client, flushed, snapshots>>

\* The keeper flushes what the log holds.
Redo(v, t) ==
    /\ step[v] = "closed" /\ t \in left[v] \ flushed
    /\ flushed' = flushed \cup {t}
    /\ UNCHANGED <<clock, view, keeper, logGeneration, client, snapshots>>

\* Guard: the keeper serves when all that was in the log is flushed.
AllRedone(v) == left[v] \subseteq flushed

-----------------------------------------------------------------------------
(* Snapshots *)

\* Guard: commits count from when they were asked for.
Unfinished(v) == open[v]

\* Guard: who told before the timestamp was taken does not count.
ConfirmedAtTake(v) == {}

\* The keeper takes a timestamp that is to be a snapshot.
TakeTimestamp(v) ==
    /\ IsKeeper(v) /\ candidate[v].ts = NoTs
    /\ \/ step[v] = "serving"
       \/ step[v] = "closed" /\ AllRedone(v)
    /\ clock' = clock + 1
    /\ candidate' = [candidate EXCEPT ![v] = [ts |-> clock + 1, before |-> Unfinished(v)]]
    /\ confirmed' = [confirmed EXCEPT ![v] = ConfirmedAtTake(v)]
    /\ UNCHANGED <<view, step, generation, left, open, logGeneration, client, flushed, snapshots>>

\* The snapshot is given.
GiveCandidate(v) ==
    /\ snapshots' = snapshots \cup {candidate[v].ts}
    /\ candidate' = [candidate EXCEPT ![v] = NoCandidate]
    /\ confirmed' = [confirmed EXCEPT ![v] = {}]

\* Guard: a new keeper serves when all members are in its view. Then no earlier one is confirmed any more.
AllConfirmed(v) == confirmed[v] = Members[v]

\* The keeper serves from now on, and has a first snapshot.
Serve(v) ==
    /\ step[v] = "closed" /\ candidate[v].ts # NoTs
    /\ AllConfirmed(v)
    /\ step' = [step EXCEPT ![v] = "serving"]
    /\ GiveCandidate(v)
    /\ UNCHANGED <<clock, view, generation, left, open, logGeneration, client, flushed>>

\* Guard: most instances are still in the view.
Enough(v) == 2 * Cardinality(confirmed[v]) > Cardinality(Node)

\* Guard: what was asked for before has ended.
BeforeEnded(v) == candidate[v].before \cap open[v] = {}

\* A keeper that serves gives another snapshot.
Give(v) ==
    /\ step[v] = "serving" /\ candidate[v].ts # NoTs
    /\ Enough(v)
    /\ BeforeEnded(v)
    /\ GiveCandidate(v)
    /\ UNCHANGED <<clock, view, step, generation, left, open, logGeneration, client, flushed>>

-----------------------------------------------------------------------------
(* Commits *)

\* The keeper is asked for a commit timestamp.
AskCommit(t, v) ==
    /\ status[t] = "idle" /\ step[v] = "serving" /\ IsKeeper(v)
    /\ status' = [status EXCEPT ![t] = "asked"]
    /\ askedIn' = [askedIn EXCEPT ![t] = v]
    /\ askedAt' = [askedAt EXCEPT ![t] = generation[v]]
    /\ open' = [open EXCEPT ![v] = @ \cup {t}]
    /\ UNCHANGED <<clock, view, step, confirmed, generation, left, candidate, logGeneration, commitTs, flushed, snapshots>>

\* The transaction manager gives it.
Certify(t) ==
    /\ status[t] = "asked"
    /\ clock' = clock + 1
    /\ commitTs' = [commitTs EXCEPT ![t] = clock + 1]
    /\ status' = [status EXCEPT ![t] = "given"]
    /\ UNCHANGED <<view, keeper, logGeneration, askedIn, askedAt, flushed, snapshots>>

\* Keeper and client learn it.
Learn(t) ==
    /\ status[t] = "given"
    /\ status' = [status EXCEPT ![t] = "certified"]
    /\ UNCHANGED <<clock, view, keeper, logGeneration, askedIn, askedAt, commitTs, flushed, snapshots>>

\* Guard: the log takes records of its generation only.
MayAppend(t) == askedAt[t] = logGeneration

\* The record is appended, or the log is closed to it.
AppendRecord(t) ==
    /\ status[t] = "certified"
    /\ status' = [status EXCEPT ![t] = IF MayAppend(t) THEN "logged" ELSE "aborted"]
    /\ UNCHANGED <<clock, view, keeper, logGeneration, askedIn, askedAt, commitTs, flushed, snapshots>>

\* Its instance flushes it. That may take long, and never end.
Flush(t) ==
    /\ status[t] = "logged" /\ t \notin flushed
    /\ flushed' = flushed \cup {t}
    /\ UNCHANGED <<clock, view, keeper, logGeneration, client, snapshots>>

\* Guard: the keeper learns of the end when there is one.
HasEnded(t) == t \in flushed \/ status[t] = "aborted"

\* The keeper that was asked learns that the transaction has ended.
Complete(t) ==
    /\ t \in open[askedIn[t]]
    /\ HasEnded(t)
    /\ open' = [open EXCEPT ![askedIn[t]] = @ \ {t}]
    /\ UNCHANGED <<clock, view, step, confirmed, generation, left, candidate, logGeneration, client, flushed, snapshots>>

-----------------------------------------------------------------------------

Next ==
    \/ \E v \in Views :
        \/ BeginGeneration(v) \/ Resign(v) \/ Serve(v) \/ TakeTimestamp(v) \/ Give(v)
        \/ \E n \in Node : Install(n, v) \/ Confirm(v, n)
        \/ \E t \in Txn : Redo(v, t) \/ AskCommit(t, v)
    \/ \E t \in Txn : Certify(t) \/ Learn(t) \/ AppendRecord(t) \/ Flush(t) \/ Complete(t)

Spec == Init /\ [][Next]_vars

\* Whatever is committed below a snapshot that was given can be read: it is in the store. When it fails, a transaction sees one half of
\* another, or not what was committed before it began.
SnapshotsAreWhole ==
    \A s \in snapshots, t \in Txn : status[t] = "logged" /\ commitTs[t] < s => t \in flushed
=============================================================================
