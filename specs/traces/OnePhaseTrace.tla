----------------------------- MODULE OnePhaseTrace -----------------------------
(***************************************************************************)
(* Is a recorded trace a behaviour of OnePhase?                            *)
(*                                                                         *)
(* What goes the long way, and the fast path, is held against the trace    *)
(* specs below. A transaction that goes the short way logs what is in its  *)
(* batch when it asks for a commit timestamp; the server logs when it      *)
(* accepts the batch or refuses it, and when its records can be read.      *)
(*                                                                         *)
(* So far all keys of a trace are in one row, on one server that lives,    *)
(* and all requests are answered. Java (OnePhaseFormat) calls other traces *)
(* unsupported.                                                            *)
(***************************************************************************)
EXTENDS OnePhase, Recorded

TracedTxn == Names("txn")
TracedKey == Names("key")
TracedFast == Names("fast")
TracedSpan == Constant("span")
TracedServer == Names("server")
TracedHost == [k \in TracedKey |-> CHOOSE s \in TracedServer : TRUE]
TracedRegion == {TracedKey}

VARIABLES
    \* See OmidLLTrace.
    unlogged,
    examined,
    tried,
    \* See FastPathTrace.
    asked,
    lifted,
    refused

T == INSTANCE OmidLLTrace
F == INSTANCE FastPathTrace

\* A batch has the lock of the row.
Locked == \E b \in Txn : way[b] = "held"

-----------------------------------------------------------------------------
(* Events. Conditions come first: a rejection names the false one.           *)

\* What is in t's batch.
Buffered(t) == {k \in Key : Tells(trace, 0, "BufferWrite", t, k)}

\* Of a blind transaction it comes before it has begun; of one whose time is up, nothing comes of it.
OnBufferWrite(e) ==
    \/ BufferWrite(e.txn, e.key, F!Content(e))
    \/ (status[e.txn] = "idle" \/ T!IsOver(e.txn)) /\ UNCHANGED vars

OnCommitBlindly(e) ==
    /\ e.txn = NextTs
    /\ CommitBlindly(e.txn, Buffered(e.txn), {k \in Buffered(e.txn) : T!IsDeletion(e.txn, k)})

\* What the TM is told that t writes.
ToldKeys(t) == IF T!IsOver(t) THEN writes[t] \cup Buffered(t) ELSE writes[t]

\* A transaction whose time is up: see OmidLLTrace, CommitOfAnother.
RequestTooLate(e) ==
    /\ T!IsOver(e.txn)
    /\ IF e.answer < 0 THEN UNCHANGED vars ELSE T!CommitOfAnother(ToldKeys(e.txn), NextTs) /\ F!Unaffected /\ UNCHANGED short

Remembers(t) == lowWatermark <= ComparedUpTo(t)
NobodyBetween(t) == \A k \in ToldKeys(t) : lastCommit[k] <= ComparedUpTo(t)

OnRequestCommit(e) ==
    /\ e.answer \in {T!Conflict, T!BelowWatermark} \/ e.answer = NextTs
    /\ (e.answer = T!BelowWatermark) <=> ~Remembers(e.txn)
    /\ (e.answer = T!Conflict) <=> (Remembers(e.txn) /\ ~NobodyBetween(e.txn))
    /\ RequestCommit(e.txn) \/ RequestTooLate(e)

OnWriteCommitEntry(e) ==
    /\ GoesLongWay(e.txn)
    /\ T!OnWriteCommitEntry(e) /\ F!Unaffected /\ UNCHANGED short

OnAcceptBatch(e) ==
    /\ e.commit = batchTs[e.txn]
    /\ KnowsTheTime(e.txn) /\ NoFastWriteInRows(e.txn) /\ NoBatchInRows(e.txn)
    /\ ClockAllows(e.txn, F!Here)
    /\ NoNewerCommit(e.txn)
    /\ NothingNewerCollected(e.txn)
    /\ AcceptBatch(e.txn)

\* A server that does not know the time refuses; in the spec it waits.
OnRefuseBatch(e) ==
    /\ e.commit = batchTs[e.txn]
    /\ ~Locked /\ NoFastWriteInRows(e.txn)
    /\ ~KnowsTheTime(e.txn) \/ ~Accepts(e.txn, F!Here)
    /\ Refuse(e.txn, F!Here)

OnStoreBatch(e) ==
    /\ e.commit = batchTs[e.txn]
    /\ StoreBatch(e.txn)

\* All keys are in the row.
LiftTheRow(ts) ==
    /\ rowClock' = [k \in Key |-> IF rowClock[k] < ts THEN ts ELSE rowClock[k]]
    /\ UNCHANGED <<way, batchTs, lateBatches, collected>>

OnBumpClock(e) == F!OnBumpClock(e) /\ LiftTheRow(e.txn)
OnPostCommit(e) == F!OnPostCommit(e) /\ LiftTheRow(e.commit)
OnHealCommitCell(e) == F!OnHealCommitCell(e) /\ LiftTheRow(e.commit)
OnHealLeftover(e) == F!OnHealLeftover(e) /\ LiftTheRow(e.commit)

\* The server remembers one number for its region, of whatever version of the fast path is collected in it.
Remember(ts) ==
    /\ collected' = [k \in Key |-> IF collected[k] < ts THEN ts ELSE collected[k]]
    /\ UNCHANGED <<way, batchTs, lateBatches, rowClock>>

OnCollectTombstone(e) == F!OnCollectTombstone(e) /\ Remember(IF e.met \in Fast THEN e.met ELSE NoTs)
OnCollectVersion(e) == T!OnCollectVersion(e) /\ F!Unaffected /\ Remember(IF e.met \in Fast THEN e.met ELSE NoTs)

OnBootstrapClock(e) == F!OnBootstrapClock(e) /\ Remember(IF bootstrapped = {} THEN e.clock ELSE NoTs)

\* What waits for the row's lock. So do commit cells and removals, but these are logged when they are answered, perhaps in the middle of
\* the next batch.
LockedOut == {"Write", "PutVersion", "RefuseVersion"}

Matches(e) ==
    CASE e.action = "BufferWrite" -> OnBufferWrite(e)
      [] e.action = "CommitBlindly" -> OnCommitBlindly(e)
      [] e.action = "RequestCommit" -> OnRequestCommit(e)
      [] e.action = "WriteCommitEntry" -> OnWriteCommitEntry(e)
      [] e.action = "AcceptBatch" -> OnAcceptBatch(e)
      [] e.action = "RefuseBatch" -> OnRefuseBatch(e)
      [] e.action = "StoreBatch" -> OnStoreBatch(e)
      [] e.action = "BumpClock" -> OnBumpClock(e)
      [] e.action = "BootstrapClock" -> OnBootstrapClock(e)
      [] e.action = "PostCommit" -> OnPostCommit(e)
      [] e.action = "HealCommitCell" -> OnHealCommitCell(e)
      [] e.action = "HealLeftover" -> OnHealLeftover(e)
      [] e.action = "CollectTombstone" -> OnCollectTombstone(e)
      [] e.action = "CollectVersion" -> OnCollectVersion(e)
      [] OTHER -> (e.action \in LockedOut => ~Locked) /\ F!Matches(e) /\ UNCHANGED short

Match(e) ==
    /\ Matches(e)
    /\ F!Books(e)

-----------------------------------------------------------------------------
(* Silent steps, before the event e *)

PassTimestamps(e) ==
    T!PassTo(IF e.action = "CommitBlindly" THEN e.txn ELSE F!ShownTimestamp(e), Span) /\ F!Unaffected

\* As in FastPathTrace; a read waits for batches, too.
SilentGate(e) == F!SilentGate(e) /\ (gate[e.txn].step = "bumped" => OlderBatchesStored(e.txn, e.key))

Silent(e) ==
    /\ \/ (PassTimestamps(e) \/ SilentGate(e) \/ F!SilentPut(e)) /\ UNCHANGED unlogged
       \/ F!SilentRow(e)
    /\ UNCHANGED short

-----------------------------------------------------------------------------

TraceInit ==
    /\ F!TraceInit
    /\ way = [t \in Txn |-> "none"]
    /\ batchTs = [t \in Txn |-> NoTs]
    /\ lateBatches = {}
    /\ rowClock = [k \in Key |-> 0]
    /\ collected = [k \in Key |-> 0]

TraceNext ==
    /\ matched < Len(Events)
    /\ LET e == Events[matched + 1]
       IN  T!Known(e) /\ (Match(e) \/ (Silent(e) /\ Waits /\ UNCHANGED <<examined, tried, asked, lifted, refused>>))

\* What the rest of the search depends on.
Searched == <<F!Searched, short>>
================================================================================
