------------------------------ MODULE ClockBound ------------------------------
(***************************************************************************)
(* How far the reads of strangers may lift a region server's clock.        *)
(*                                                                         *)
(* A read carries its snapshot, and the server lifts its clock to it, so   *)
(* that later writes come after the snapshot (FastPath.tla, BumpClock;     *)
(* Mediator.tla, FenceRead). Whoever may read can make up a snapshot. One  *)
(* that lies in the future would take the server's clock there for good:   *)
(* what is written natively or on the fast path from then on is answered,  *)
(* and nobody sees it.                                                     *)
(*                                                                         *)
(* So the server lifts its clock only to what the transaction manager (TM) *)
(* has given. It remembers what the TM told it last: its next timestamp,   *)
(* and its durable limit, at which the next TM would begin. A read below   *)
(* the bound is served at once. For one beyond, the server asks; at most   *)
(* one question is under way, whoever waits for the answer. A read that    *)
(* the answer covers is served; one that it does not cover is refused if   *)
(* it had come before the question was sent, else there is another         *)
(* question.                                                               *)
(*                                                                         *)
(* The bound of a stranger, who may only read, is the next timestamp. That *)
(* of a writer is the limit, so that his reads seldom wait: he could       *)
(* destroy the data in any case, and even if he lies, the clock does not   *)
(* pass what is durable.                                                   *)
(*                                                                         *)
(* FastPath.tla and Mediator.tla have all this as one step, which lifts to *)
(* what was given until then (CanBeGiven): LiftsToGiven says that this is  *)
(* what becomes of these.                                                  *)
(*                                                                         *)
(* A comment that begins with "Guard" marks an operator whose removal must *)
(* violate a property: specs/mutants/ClockBound has a mutant for each.     *)
(***************************************************************************)
EXTENDS Integers

CONSTANTS
    \* Reads of transactions, each in a snapshot that the TM has given.
    \* @type: Set(READ);
    Read,
    \* Those whose users may also write.
    \* @type: Set(READ);
    OfWriter,
    \* How many timestamps the TM reserves at once.
    \* @type: Int;
    Range,
    \* The last timestamp.
    \* @type: Int;
    MaxTs

\* The next timestamp of the TM: all that were given are below.  Lane: TM
VARIABLE
    \* @type: Int;
    next
TypeOKNext == next \in 1..MaxTs

\* The durable limit: nothing at or above it was given.  VLDB'18 sec. 3.2.1: maxTS  Lane: TM
VARIABLE
    \* @type: Int;
    limit
TypeOKLimit == limit \in 1..MaxTs

\* The server's clock.  VLDB'18 sec. 4.3: LVC  Lane: server
VARIABLE
    \* @type: Int;
    lvc
TypeOKLvc == lvc \in Nat

\* What the TM told the server last.  Lane: server
VARIABLE
    \* @type: { next: Int, limit: Int };
    known
TypeOKKnown == known.next \in 0..MaxTs /\ known.limit \in 0..MaxTs

\* The question to the TM that is under way: none, sent, or answered by what is in answer.  Lane: server
VARIABLE
    \* @type: Str;
    question
TypeOKQuestion == question \in {"none", "sent", "answered"}

\* The TM's answer, on its way to the server.  Lane: TM
VARIABLE
    \* @type: { next: Int, limit: Int };
    answer
TypeOKAnswer == answer.next \in 0..MaxTs /\ answer.limit \in 0..MaxTs

\* Where each read stands. begun: its snapshot was given. new: it waits at the server, and came after the question that is
\* under way, if there is one. asked: it waits, and the question was sent after it had come.  Lane: client
VARIABLE
    \* @type: READ -> Str;
    read
TypeOKRead == read \in [Read -> {"idle", "begun", "new", "asked", "served", "refused"}]

\* The snapshot of each read.  Lane: client
VARIABLE
    \* @type: READ -> Int;
    snapshot
TypeOKSnapshot == \A r \in Read : snapshot[r] \in 0..MaxTs

vars == <<next, limit, lvc, known, question, answer, read, snapshot>>

TypeOK ==
    /\ TypeOKNext /\ TypeOKLimit /\ TypeOKLvc /\ TypeOKKnown /\ TypeOKQuestion /\ TypeOKAnswer /\ TypeOKRead
    /\ TypeOKSnapshot

Nothing == [next |-> 0, limit |-> 0]

\* A server that was started just now knows nothing.
Init ==
    /\ next = 1
    /\ limit = 1 + Range
    /\ lvc = 0
    /\ known = Nothing
    /\ question = "none"
    /\ answer = Nothing
    /\ read = [r \in Read |-> "idle"]
    /\ snapshot = [r \in Read |-> 0]

\* The clock never goes back.
Lift(ts) == lvc' = IF ts > lvc THEN ts ELSE lvc

-----------------------------------------------------------------------------
(* Transaction manager *)

\* A transaction begins: its reads have this snapshot.  VLDB'18 Alg. 2, Begin
Begin(r) ==
    /\ read[r] = "idle" /\ next < limit
    /\ snapshot' = [snapshot EXCEPT ![r] = next]
    /\ read' = [read EXCEPT ![r] = "begun"]
    /\ next' = next + 1
    /\ UNCHANGED <<limit, lvc, known, question, answer>>

\* The TM reserves more timestamps.  VLDB'18 Alg. 2, line 17
ExtendEpoch ==
    /\ limit + Range <= MaxTs
    /\ limit' = limit + Range
    /\ UNCHANGED <<next, lvc, known, question, answer, read, snapshot>>

\* Another TM takes over: it begins at the limit, and reserves more.  VLDB'18 sec. 3.2.1
TakeOver ==
    /\ limit + Range <= MaxTs
    /\ next' = limit
    /\ limit' = limit + Range
    /\ UNCHANGED <<lvc, known, question, answer, read, snapshot>>

\* The TM answers the server.
AnswerServer ==
    /\ question = "sent"
    /\ answer' = [next |-> next, limit |-> limit]
    /\ question' = "answered"
    /\ UNCHANGED <<next, limit, lvc, known, read, snapshot>>

-----------------------------------------------------------------------------
(* Region server *)

\* Guard: a stranger's read lifts the clock to what the TM has given, and no further.
\* @type: ({ next: Int, limit: Int }) => Int;
StrangersBound(told) == told.next

\* Guard: a writer's read lifts the clock to what the TM may have given, and no further.
\* @type: ({ next: Int, limit: Int }) => Int;
WritersBound(told) == told.limit

\* The read may lift the clock when this is known.
\* @type: ({ next: Int, limit: Int }, READ) => Bool;
Covers(told, r) == snapshot[r] < IF r \in OfWriter THEN WritersBound(told) ELSE StrangersBound(told)

\* A read comes, and waits if it must.
ReceiveRead(r) ==
    /\ read[r] = "begun"
    /\ read' = [read EXCEPT ![r] = "new"]
    /\ UNCHANGED <<next, limit, lvc, known, question, answer, snapshot>>

\* A read below the bound lifts the clock, and is served.
ServeRead(r) ==
    /\ read[r] \in {"new", "asked"}
    /\ Covers(known, r)
    /\ Lift(snapshot[r])
    /\ read' = [read EXCEPT ![r] = "served"]
    /\ UNCHANGED <<next, limit, known, question, answer, snapshot>>

\* The server asks the TM, for all reads that wait by now. A stranger can make it ask at any time.
AskManager ==
    /\ question = "none"
    /\ question' = "sent"
    /\ read' = [r \in Read |-> IF read[r] = "new" THEN "asked" ELSE read[r]]
    /\ UNCHANGED <<next, limit, lvc, known, answer, snapshot>>

\* Guard: who came after the question was sent is not refused by its answer, which may be older than his snapshot. He waits
\* for the next one.
MayRefuse(r) == read[r] = "asked"

\* The server hears the answer, and refuses what it does not cover.
HearAnswer ==
    /\ question = "answered"
    /\ known' = answer
    /\ question' = "none"
    /\ answer' = Nothing
    /\ read' = [r \in Read |->
           IF read[r] \in {"new", "asked"} /\ ~Covers(answer, r) /\ MayRefuse(r) THEN "refused" ELSE read[r]]
    /\ UNCHANGED <<next, limit, lvc, snapshot>>

-----------------------------------------------------------------------------
(* Strangers *)

\* Whether writers make up snapshots, too; models say so.
WritersLie == FALSE

\* Somebody reads in a snapshot that he made up. Where it is beyond the bound, the server asks, and refuses him.
ForgeRead ==
    /\ \E ts \in 0..MaxTs :
        /\ ts < StrangersBound(known) \/ (WritersLie /\ ts < WritersBound(known))
        /\ Lift(ts)
    /\ UNCHANGED <<next, limit, known, question, answer, read, snapshot>>

-----------------------------------------------------------------------------

ManagerStep == AnswerServer \/ \E r \in Read : Begin(r)

ServerStep == AskManager \/ HearAnswer \/ \E r \in Read : ReceiveRead(r) \/ ServeRead(r)

Next == ManagerStep \/ ServerStep \/ ExtendEpoch \/ TakeOver \/ ForgeRead

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* Properties *)

\* The clock stays below the TM's next timestamp. When it fails, what is written from then on is later than transactions that
\* begin afterwards, and they do not see it.
ClockBounded == lvc < next

\* Even if writers lie, the clock stays below the durable limit. When it fails, no new TM ever comes to where the writes are.
ClockBelowLimit == lvc < limit

\* No read is refused whose snapshot was given. When it fails, an honest user cannot read.
NobodyRefused == \A r \in Read : read[r] # "refused"

\* The clock is lifted as in FastPath and Mediator: forward, to what was given until then.
LiftsToGiven == [][lvc' # lvc => lvc < lvc' /\ lvc' < next]_vars

\* Every read that has come is served. When it fails, an honest user waits for ever.
ReadsEnd == \A r \in Read : read[r] = "new" ~> read[r] = "served"

\* The TM and the server go on.
Fairness ==
    /\ WF_vars(AskManager) /\ WF_vars(AnswerServer) /\ WF_vars(HearAnswer)
    /\ \A r \in Read : WF_vars(ServeRead(r))

FairSpec == Spec /\ Fairness
=============================================================================
