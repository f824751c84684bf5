----------------------------- MODULE OnePhaseTrace -----------------------------
(***************************************************************************)
(* Is a recorded trace a behaviour of OnePhase?                            *)
(*                                                                         *)
(* What goes the long way, and the fast path, is held against the trace    *)
(* specs below. A transaction that goes the short way logs what is in its  *)
(* batch when it asks for a commit timestamp; the server logs when it      *)
(* accepts the batch or refuses it, and when its records can be read.      *)
(*                                                                         *)
(* What was buffered and is put stands where its server carries it out,    *)
(* with the clock that it answers; so does a certification of who puts     *)
(* meanwhile, if it passes. If not, its client learns of it when all is    *)
(* put, and until then goes on.                                            *)
(*                                                                         *)
(* Regions are opened on one server after the other, servers die, and      *)
(* batches are lost with them, or not answered: then their clients look    *)
(* for them, which stands where the server looks. All other requests are   *)
(* answered. Java (OnePhaseFormat) calls other traces unsupported.         *)
(***************************************************************************)
EXTENDS OnePhase, Recorded

TracedTxn == Names("txn")
TracedKey == Names("key") \cup DOMAIN Constant("rows")
TracedFast == Names("fast")
TracedSpan == Constant("span")
TracedServer == Names("server")
TracedHost == [k \in TracedKey |-> CHOOSE s \in TracedServer : TRUE]

VARIABLES
    \* See OmidLLTrace.
    unlogged,
    examined,
    tried,
    \* See FastPathTrace.
    asked,
    lifted,
    refused,
    homeless

T == INSTANCE OmidLLTrace
F == INSTANCE FastPathTrace

TracedRegion == {{k \in TracedKey : F!RegionOf(k) = r} : r \in {F!RegionOf(k) : k \in TracedKey}}

\* All keys of the rows of these.
InRowsOf(keys) == UNION {F!InRow(k) : k \in keys}

\* A batch has the lock of a row of theirs.
Locked(keys) == \E b \in Txn : way[b] = "held" /\ writes[b] \cap InRowsOf(keys) # {}

\* All keys of a row have one clock.
TracedRowsAt(t, s) == {k \in InRowsOf(writes[t]) : host[k] = s}

\* The server of t's batch.
ItsServer(t) == host[CHOOSE k \in writes[t] : TRUE]

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

OnPutBeside(e) == PutBeside(e.txn)

\* What a put is answered with: the clock of its row, if the server can tell.
CannotTell == -1
Answer(k) == IF ~TellsOfReads(k) THEN CannotTell ELSE IF collected[k] > rowClock[k] THEN collected[k] ELSE rowClock[k]

OnRetryPut(e) ==
    /\ e.clock = Answer(e.key)
    /\ FP!NoFastWriteInRow(e.key)
    /\ FP!NoNewerCommit(e.txn, e.key)
    /\ ~Locked({e.key})
    /\ RetryPut(e.txn, e.key)

OnRefusePut(e) ==
    \/ \E k \in Key : RefusePut(e.txn, k, "value")
    \/ T!IsOver(e.txn) /\ UNCHANGED vars

OnKeepTimestamp(e) == KeepTimestamp(e.txn)

\* Who puts meanwhile hears of a conflict when the TM may have forgotten it; there is a reason by then, if not when it was given.
OnRequestCommit(e) ==
    /\ e.answer \in {T!Conflict, T!BelowWatermark} \/ e.answer = NextTs
    /\ (e.answer < 0) <=> ~(Remembers(e.txn) /\ NobodyBetween(e.txn))
    /\ e.answer = T!BelowWatermark => ~Remembers(e.txn)
    /\ e.answer = T!Conflict => AsksMeanwhile(e.txn) \/ Remembers(e.txn)
    /\ RequestCommit(e.txn) \/ RequestTooLate(e)

OnWriteCommitEntry(e) ==
    /\ GoesLongWay(e.txn)
    /\ T!OnWriteCommitEntry(e) /\ F!Unaffected /\ UNCHANGED short

OnAcceptBatch(e) ==
    /\ e.commit = batchTs[e.txn]
    /\ KnowsTheTime(e.txn) /\ NoFastWriteInRows(e.txn) /\ ~Locked(writes[e.txn])
    /\ ClockAllows(e.txn, ItsServer(e.txn))
    /\ NoNewerCommit(e.txn)
    /\ NothingNewerCollected(e.txn)
    /\ AcceptBatch(e.txn)

\* A server that does not know the time refuses; in the spec it waits.
OnRefuseBatch(e) ==
    /\ e.commit = batchTs[e.txn]
    /\ ~Locked(writes[e.txn]) /\ NoFastWriteInRows(e.txn)
    /\ ~KnowsTheTime(e.txn) \/ ~Accepts(e.txn, ItsServer(e.txn))
    /\ Refuse(e.txn, ItsServer(e.txn))

OnStoreBatch(e) ==
    /\ e.commit = batchTs[e.txn]
    /\ StoreBatch(e.txn)

\* What their server remembers of these keys is lost, and the batches that it was storing.
LoseTheirBatches(keys) ==
    /\ LoseBatches(keys)
    /\ Forget(keys)
    /\ UNCHANGED <<batchTs, lateBatches>>

OnOpenRegion(e) == F!OnOpenRegion(e) /\ LoseTheirBatches(F!InRegion(e.key))
OnCrashServer(e) == F!OnCrashServer(e) /\ LoseTheirBatches({k \in Key : host[k] = e.server})

\* It may have been stored, and its server died before it answered: the spec has told the client by then. Equivalent, because it will hear of that
\* when it looks.
OnLoseBatchAnswer(e) ==
    \/ LoseBatchAnswer(e.txn)
    \/ way[e.txn] = "lost" /\ status[e.txn] = "certified" /\ UNCHANGED vars
    \/ way[e.txn] = "stored" /\ status[e.txn] = "closed" /\ UNCHANGED vars

\* A server looks for a batch.
OnFindsRecord(e) ==
    /\ e.stored <=> FindsRecord(e.txn)
    /\ \/ ResolveBatch(e.txn)
       \/ e.stored /\ status[e.txn] = "closed" /\ UNCHANGED vars

\* What its client takes for the outcome.
OnResolveBatch(e) ==
    /\ (e.found = "COMMITTED") <=> way[e.txn] = "stored"
    /\ (e.found = "ABORTED") <=> way[e.txn] = "long"
    /\ UNCHANGED vars

\* A row has one clock.
LiftItsRow(k, ts) ==
    /\ rowClock' = [x \in Key |-> IF x \in F!InRow(k) /\ rowClock[x] < ts THEN ts ELSE rowClock[x]]
    /\ UNCHANGED <<way, batchTs, lateBatches, collected>>

OnBumpClock(e) == F!OnBumpClock(e) /\ LiftItsRow(e.key, e.txn)
OnPostCommit(e) == F!OnPostCommit(e) /\ LiftItsRow(e.key, e.commit)
OnHealCommitCell(e) == F!OnHealCommitCell(e) /\ LiftItsRow(e.key, e.commit)
OnHealLeftover(e) == F!OnHealLeftover(e) /\ LiftItsRow(e.key, e.commit)

\* The server remembers one number for each region, of whatever version of the fast path is collected in it.
Remember(keys, ts) ==
    /\ collected' = [k \in Key |-> IF k \in keys /\ collected[k] < ts THEN ts ELSE collected[k]]
    /\ UNCHANGED <<way, batchTs, lateBatches, rowClock>>

RememberVersion(e) == Remember(F!InRegion(e.key), IF e.met \in Fast THEN readTs[e.met] ELSE NoTs)
OnCollectTombstone(e) == F!OnCollectTombstone(e) /\ RememberVersion(e)
OnCollectVersion(e) == T!OnCollectVersion(e) /\ F!Unaffected /\ RememberVersion(e)

OnBootstrapClock(e) == F!OnBootstrapClock(e) /\ Remember(F!InRegion(e.key) \ bootstrapped, e.clock)

\* What waits for the row's lock. So do commit cells and removals, but those of one row are logged when they are answered, perhaps in the
\* middle of the next batch; of the others it is not asked, either.
LockedOut == {"Write", "PutVersion", "RefuseVersion"}

Matches(e) ==
    CASE e.action = "BufferWrite" -> OnBufferWrite(e)
      [] e.action = "CommitBlindly" -> OnCommitBlindly(e)
      [] e.action = "RequestCommit" -> OnRequestCommit(e)
      [] e.action = "PutBeside" -> OnPutBeside(e)
      [] e.action = "RetryPut" -> OnRetryPut(e)
      [] e.action = "RefusePut" -> OnRefusePut(e)
      [] e.action = "KeepTimestamp" -> OnKeepTimestamp(e)
      [] e.action = "WriteCommitEntry" -> OnWriteCommitEntry(e)
      [] e.action = "AcceptBatch" -> OnAcceptBatch(e)
      [] e.action = "RefuseBatch" -> OnRefuseBatch(e)
      [] e.action = "StoreBatch" -> OnStoreBatch(e)
      [] e.action = "LoseBatchAnswer" -> OnLoseBatchAnswer(e)
      [] e.action = "FindsRecord" -> OnFindsRecord(e)
      [] e.action = "ResolveBatch" -> OnResolveBatch(e)
      [] e.action = "OpenRegion" -> OnOpenRegion(e)
      [] e.action = "CrashServer" -> OnCrashServer(e)
      [] e.action = "BumpClock" -> OnBumpClock(e)
      [] e.action = "BootstrapClock" -> OnBootstrapClock(e)
      [] e.action = "PostCommit" -> OnPostCommit(e)
      [] e.action = "HealCommitCell" -> OnHealCommitCell(e)
      [] e.action = "HealLeftover" -> OnHealLeftover(e)
      [] e.action = "CollectTombstone" -> OnCollectTombstone(e)
      [] e.action = "CollectVersion" -> OnCollectVersion(e)
      [] OTHER -> (e.action \in LockedOut => ~Locked({e.key})) /\ F!Matches(e) /\ UNCHANGED short

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
       IN  T!Known(e) /\ (Match(e) \/ (Silent(e) /\ Waits /\ F!KeepsBooks))

\* What the rest of the search depends on.
Searched == <<F!Searched, short>>
================================================================================
