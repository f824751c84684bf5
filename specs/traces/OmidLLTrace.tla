------------------------------ MODULE OmidLLTrace ------------------------------
(***************************************************************************)
(* Is a recorded trace a behaviour of OmidLL?                              *)
(*                                                                         *)
(* The code logs an event per action, with the arguments and with what the *)
(* servers answered. Each step here either matches the next event, by the  *)
(* action of that name with the event's arguments and results, or it is    *)
(* silent: what the code cannot log, because it happens to it (a put or a  *)
(* commit-table write arrives late, a client dies), or because it logs a   *)
(* request for several rows only when the last one is done.                *)
(*                                                                         *)
(* A silent step is taken only right before an event that can tell whether *)
(* it was taken. That is early enough, for until then nothing depends on   *)
(* it; and so there is hardly anything to search.                          *)
(*                                                                         *)
(* Transactions are named by their start timestamps, keys by strings; no   *)
(* transaction is 0, no key is "".                                         *)
(***************************************************************************)
EXTENDS OmidLL, Sequences

\* Java (TraceOverrides) stands in for the operators up to VARIABLES. The recorded traces, each a sequence of records.
Traces == <<>>

\* Notes how far a trace has been matched; FALSE when there is nothing more to find out about it.
Reached(number, events) == TRUE

\* The transactions that begin in them, and the keys.
TracedTxn == {}
TracedKey == {}

\* In the rest of a trace, after so many events: t's client logs nothing more; somebody meets t's record of k.
FallsSilent(number, events, t) == FALSE
WillBeMet(number, events, t, k) == FALSE

\* In the rest of a trace stands this event of t, about k.
WillBeLogged(number, events, action, t, k) == FALSE

VARIABLES
    \* Which of the traces.
    trace,
    \* How many of its events are matched.
    matched,
    \* What was done silently and is logged later, if its client lives.
    unlogged

Events == Traces[trace]

-----------------------------------------------------------------------------
(* Events. Each operator is the conjunction of what the event says and the     *)
(* action of its name. Conditions come first: a rejection names the false one. *)

OnBegin(e) ==
    /\ e.txn = clock + 1
    /\ Begin(e.txn)

OnEndReadOnly(e) == EndReadOnly(e.txn)

ContentOf(e) == IF e.delete THEN "tombstone" ELSE "value"

\* The first time, or again.
OnWrite(e) ==
    /\ e.key \in writes[e.txn] => (e.delete <=> e.key \in deletes[e.txn])
    /\ Write(e.txn, e.key, ContentOf(e)) \/ RetryPut(e.txn, e.key)

\* The answer to the put was lost. Again, for a second time: then nothing is new.
OnLostWrite(e) ==
    /\ e.key \in writes[e.txn] => (e.delete <=> e.key \in deletes[e.txn])
    /\ \/ DelayPut(e.txn, e.key, ContentOf(e))
       \/ e.key \in unanswered[e.txn] /\ UNCHANGED vars

OnRollback(e) ==
    /\ Rollback(e.txn) \/ (<<"Rollback", e.txn, NoKey>> \in unlogged /\ UNCHANGED vars)

OnCleanUp(e) ==
    /\ CleanUp(e.txn, e.key) \/ (<<"CleanUp", e.txn, e.key>> \in unlogged /\ UNCHANGED vars)

OnReadOwnWrite(e) == ReadOwnWrite(e.txn, e.key)

\* The record that the traversal comes to next.
NextRecord(t, k) ==
    LET records == OlderRecords(t, k)
    IN  IF records = {} THEN NoTxn ELSE CHOOSE w \in records : IsNewest(w, records)

OnGetRecord(e) ==
    /\ e.met = NextRecord(e.txn, e.key)
    /\ e.commit = IF e.met = NoTxn THEN NoTs ELSE commitCell[e.key][e.met]
    /\ GetRecord(e.txn, e.key)

\* The reader is at this step of a read, with this record.
IsAt(t, step, met) == cursor[t].step = step /\ cursor[t].met = met
ReadsKey(t, k) == cursor[t].key = k

OnGetCommitEntry(e) ==
    /\ IsAt(e.txn, "entry", e.met)
    /\ e.entry = commitTable[e.met]
    /\ GetCommitEntry(e.txn)

OnHealCommitCell(e) ==
    /\ IsAt(e.txn, "heal", e.met)
    /\ ReadsKey(e.txn, e.key)
    /\ e.commit = commitTs[e.met]
    /\ HealCommitCell(e.txn)

\* What check-and-mutate to the marker answers.
AnswerToMarker(t) ==
    IF commitTable[t] # NoTs THEN commitTable[t] ELSE IF MarkerStillTells(t) THEN NoTs ELSE Invalidated

OnInvalidatePending(e) ==
    /\ IsAt(e.txn, "pending", e.met)
    /\ e.previous = AnswerToMarker(e.met)
    /\ InvalidatePending(e.txn)

IsGone(t, k) == t \notin stored[k]
CommitCellSeen(t, k) == IF IsGone(t, k) THEN NoTs ELSE commitCell[k][t]

OnReReadRecord(e) ==
    /\ IsAt(e.txn, "reread", e.met)
    /\ ReadsKey(e.txn, e.key)
    /\ e.gone = IsGone(e.met, e.key)
    /\ e.commit = CommitCellSeen(e.met, e.key)
    /\ ReReadRecord(e.txn)

OnRemoveFalseInvalidation(e) ==
    /\ IsAt(e.txn, "repair", e.met)
    /\ RemoveFalseInvalidation(e.txn)

\* What the code's manager answers, besides timestamps.
Conflict == -11
BelowWatermark == -12

OnRequestCommit(e) ==
    /\ e.answer \in {Conflict, BelowWatermark} \/ e.answer = clock + 1
    /\ (e.answer = BelowWatermark) <=> ~AboveLowWatermark(e.txn)
    /\ (e.answer = Conflict) <=> (AboveLowWatermark(e.txn) /\ ~NoConflict(e.txn))
    /\ RequestCommit(e.txn)

\* Or the manager never let it pass: then the client merely gives up.
OnLoseCommitAnswer(e) ==
    /\ LoseCommitAnswer(e.txn) \/ (writes[e.txn] # {} /\ WritesStored(e.txn) /\ Rollback(e.txn))

Collected == -2

\* What check-and-mutate to a commit timestamp answers.
AnswerToEntry(t) ==
    IF commitTable[t] # NoTs THEN commitTable[t] ELSE IF AboveWatermark(t) THEN NoTs ELSE Collected

\* Asked once more about an outcome that cannot be found out, the table says the same.
OnWriteCommitEntry(e) ==
    /\ e.commit = commitTs[e.txn]
    /\ e.previous = AnswerToEntry(e.txn)
    /\ \/ WriteCommitEntry(e.txn)
       \/ status[e.txn] = "unresolved" /\ UNCHANGED vars

OnLostCommitEntry(e) ==
    /\ e.commit = commitTs[e.txn]
    /\ LoseEntryAnswer(e.txn) \/ (status[e.txn] = "unknown" /\ UNCHANGED vars)

OnPostCommit(e) ==
    /\ e.commit = commitTs[e.txn]
    /\ PostCommit(e.txn, e.key) \/ (<<"PostCommit", e.txn, e.key>> \in unlogged /\ UNCHANGED vars)

OnRemoveCommitEntry(e) == RemoveCommitEntry(e.txn)

OnEvict(e) == \E k \in Key : lastCommit[k] = e.commit /\ Evict(k)

\* The lowest of the spec's watermarks that refuses the same transactions; no transaction lies between the two.
Rounded(ts) ==
    LET above == {r \in {readTs[t] : t \in Txn} : r >= ts}
    IN  IF above = {} THEN clock + 1 ELSE CHOOSE r \in above : \A x \in above : r <= x

\* Raising it to what it is, is nothing.
OnRaiseWatermark(e) ==
    /\ e.watermark <= clock + 1
    /\ NoLiveReaderBelow(e.watermark)
    /\ \/ RaiseWatermark /\ watermark' = Rounded(e.watermark)
       \/ watermark >= Rounded(e.watermark) /\ UNCHANGED vars

\* Another may have been faster: then the cell is as the collector writes it.
OnHealLeftover(e) ==
    /\ \/ e.commit = commitTable[e.met] /\ HealLeftover(e.met, e.key)
       \/ e.commit = CommitCellSeen(e.met, e.key) /\ UNCHANGED vars

OnInspectLeftover(e) ==
    /\ e.entry = commitTable[e.met]
    /\ e.gone = IsGone(e.met, e.key)
    /\ e.commit = CommitCellSeen(e.met, e.key)
    /\ InspectLeftover(e.met, e.key) \/ (IsGone(e.met, e.key) /\ UNCHANGED vars)

OnCleanLeftover(e) ==
    /\ StillTentative(e.met, e.key)
    /\ CleanLeftover(e.met, e.key)

OnCollectEntry(e) == CollectEntry(e.met)
OnCollectVersion(e) == CollectVersion(e.met, e.key)
OnCollectTombstone(e) == CollectTombstone(e.met, e.key)

Known(e) == e.txn \in Txn \cup {NoTxn} /\ e.met \in Txn \cup {NoTxn}

Matches(e) ==
    CASE e.action = "Begin" -> OnBegin(e)
      [] e.action = "EndReadOnly" -> OnEndReadOnly(e)
      [] e.action = "Write" -> IF e.lost THEN OnLostWrite(e) ELSE OnWrite(e)
      [] e.action = "Rollback" -> OnRollback(e)
      [] e.action = "CleanUp" -> OnCleanUp(e)
      [] e.action = "ReadOwnWrite" -> OnReadOwnWrite(e)
      [] e.action = "GetRecord" -> OnGetRecord(e)
      [] e.action = "GetCommitEntry" -> OnGetCommitEntry(e)
      [] e.action = "HealCommitCell" -> OnHealCommitCell(e)
      [] e.action = "InvalidatePending" -> OnInvalidatePending(e)
      [] e.action = "ReReadRecord" -> OnReReadRecord(e)
      [] e.action = "RemoveFalseInvalidation" -> OnRemoveFalseInvalidation(e)
      [] e.action = "RequestCommit" -> OnRequestCommit(e)
      [] e.action = "LoseCommitAnswer" -> OnLoseCommitAnswer(e)
      [] e.action = "WriteCommitEntry" -> IF e.lost THEN OnLostCommitEntry(e) ELSE OnWriteCommitEntry(e)
      [] e.action = "PostCommit" -> OnPostCommit(e)
      [] e.action = "RemoveCommitEntry" -> OnRemoveCommitEntry(e)
      [] e.action = "Evict" -> OnEvict(e)
      [] e.action = "RaiseWatermark" -> OnRaiseWatermark(e)
      [] e.action = "HealLeftover" -> OnHealLeftover(e)
      [] e.action = "InspectLeftover" -> OnInspectLeftover(e)
      [] e.action = "CleanLeftover" -> OnCleanLeftover(e)
      [] e.action = "CollectEntry" -> OnCollectEntry(e)
      [] e.action = "CollectVersion" -> OnCollectVersion(e)
      [] e.action = "CollectTombstone" -> OnCollectTombstone(e)

\* Every client has come to its end; but a post-commit may be left out, and so may the cleaning up below the watermark.
Finished ==
    /\ unlogged = {}
    /\ \A t \in Txn :
        /\ status[t] \notin {"active", "certified", "unknown"}
        /\ status[t] = "committed" => todo[t] = writes[t]
        /\ status[t] = "aborted" => todo[t] \in {{}, IF IsBelowWatermark(t) THEN writes[t] ELSE {}}

\* A trace whose header says that there were no faults ends when all is done.
Match(e) ==
    /\ Known(e)
    /\ Matches(e)
    /\ unlogged' = unlogged \ {<<e.action, e.txn, e.key>>}
    /\ matched' = matched + 1
    /\ (matched + 1 = Len(Events) /\ ~e.faulty) => Finished'

-----------------------------------------------------------------------------
(* Silent steps, before the event e                                            *)

\* Nothing more comes from the client of t.
IsDone(t) == FallsSilent(trace, matched, t)

\* The event depends on t's commit-table entry.
DependsOnEntry(e, t) ==
    \/ e.met = t
    \/ e.action = "WriteCommitEntry" /\ e.txn = t
    \/ e.action = "RaiseWatermark"

\* A timestamp that is new.
Given(e) ==
    CASE e.action = "Begin" -> e.txn
      [] e.action = "RequestCommit" -> e.answer
      [] e.action = "RaiseWatermark" -> e.watermark
      [] OTHER -> NoTs

\* The manager leaves timestamps out, or nobody got them. Equivalent, because a timestamp that nobody holds is compared
\* with nothing.
PassTimestamps(e) ==
    /\ clock + 1 < Given(e)
    /\ clock' = Given(e) - 1
    /\ UNCHANGED <<client, lastCommit, lowWatermark, store, table, inspected, network, committed, reads, precedes, faults>>

\* A put was sent; its writer is not answered yet, or dies.
SilentDelayPut(e, t, k, content) ==
    /\ k \notin writes[t]
    /\ \/ e.key = k /\ e.met = t
       \/ e.action = "RaiseWatermark" /\ IsDone(t) /\ WillBeMet(trace, matched, t, k)
       \/ e.action = "Write" /\ e.txn = t /\ e.key = k /\ ~e.lost /\ e.again
    /\ DelayPut(t, k, content)

\* Collecting a version needs that no copy is on its way.
SilentLatePut(e, t, k) ==
    /\ e.key = k /\ e.met = t
    /\ t \notin stored[k] \/ e.action = "CollectVersion"
    /\ LatePut(t, k)

SilentCrash(e, t) ==
    /\ e.action = "RaiseWatermark" /\ IsDone(t)
    /\ readTs[t] < e.watermark /\ status[t] = "active"
    /\ Crash(t)

\* Its time is up, and it notices later.
SilentRollback(e, t) ==
    /\ e.action = "RaiseWatermark" /\ ~IsDone(t)
    /\ readTs[t] < e.watermark
    /\ Rollback(t)

\* The client dies before it is answered, or is not answered.
SilentRequestCommit(e, t) ==
    /\ \/ e.action = "LoseCommitAnswer" /\ e.txn = t
       \/ e.action = "RequestCommit" /\ e.answer = Conflict /\ IsDone(t) /\ writes[t] \cap writes[e.txn] # {}
    /\ RequestCommit(t)

SilentLoseEntryAnswer(e, t) ==
    /\ DependsOnEntry(e, t) /\ IsDone(t)
    /\ LoseEntryAnswer(t)

SilentLateCommitEntry(e, t) ==
    /\ DependsOnEntry(e, t)
    /\ LateCommitEntry(t)

\* One row of several, or the answer was lost.
SilentPostCommit(e, t, k) ==
    /\ e.key = k
    /\ e.met = t \/ e.action \in {"CollectVersion", "CollectTombstone"}
    /\ commitCell[k][t] = NoTs
    /\ PostCommit(t, k)

SilentCleanUp(e, t, k) ==
    /\ e.key = k /\ e.txn # t
    /\ t \in stored[k]
    /\ CleanUp(t, k)

\* The answer was lost.
SilentRemoveCommitEntry(e, t) ==
    /\ e.met = t
    /\ RemoveCommitEntry(t)

SilentInvalidatePending(e, t) ==
    /\ e.txn # t /\ cursor[t].step = "pending" /\ DependsOnEntry(e, cursor[t].met)
    /\ InvalidatePending(t)

SilentHealCommitCell(e, t) ==
    /\ e.txn # t /\ cursor[t].step = "heal" /\ e.key = cursor[t].key /\ e.met = cursor[t].met
    /\ HealCommitCell(t)

SilentRemoveFalseInvalidation(e, t) ==
    /\ e.txn = t /\ e.action # "RemoveFalseInvalidation"
    /\ RemoveFalseInvalidation(t)

\* The collector leaves a record alone that was healed.
SilentCleanLeftover(e, t, k) ==
    /\ e.action = "InspectLeftover"
    /\ ~StillTentative(t, k) \/ IsGone(t, k)
    /\ CleanLeftover(t, k)

Logged == UNCHANGED unlogged

\* Others have nothing to do with the event.
Concerned(e) ==
    IF e.action \in {"Begin", "EndReadOnly", "Write", "CleanUp", "ReadOwnWrite", "HealCommitCell", "PostCommit", "RemoveCommitEntry"}
    THEN {e.txn, e.met} \cap Txn ELSE Txn

\* Deaths, and lost or late messages.
SilentFault(e, t) ==
    /\ e.faulty
    /\ \/ SilentCrash(e, t)
       \/ SilentRequestCommit(e, t)
       \/ SilentLoseEntryAnswer(e, t)
       \/ SilentLateCommitEntry(e, t)
       \/ SilentRemoveCommitEntry(e, t)
       \/ SilentInvalidatePending(e, t)
       \/ SilentHealCommitCell(e, t)
       \/ SilentRemoveFalseInvalidation(e, t)

\* Logged later, or there was a fault.
Early(e, action, t, k) ==
    /\ e.faulty \/ WillBeLogged(trace, matched, action, t, k)
    /\ unlogged' = unlogged \cup {<<action, t, k>>}

Silent(e) ==
    \/ PassTimestamps(e) /\ Logged
    \/ \E t \in Concerned(e) : status[t] # "idle" /\
        \/ SilentFault(e, t) /\ Logged
        \/ SilentRollback(e, t) /\ Early(e, "Rollback", t, NoKey)
        \/ \E k \in {e.key} \cap Key :
            \/ SilentLatePut(e, t, k) /\ Logged
            \/ SilentPostCommit(e, t, k) /\ Early(e, "PostCommit", t, k)
            \/ SilentCleanUp(e, t, k) /\ Early(e, "CleanUp", t, k)
        \/ \E k \in IF e.action = "RaiseWatermark" THEN Key ELSE {e.key} \cap Key :
            \E content \in Contents :
                /\ e.faulty \/ WillBeLogged(trace, matched, "Write", t, k)
                /\ SilentDelayPut(e, t, k, content)
                /\ Logged
        \/ \E k \in Key : <<k, t>> \in inspected /\ SilentCleanLeftover(e, t, k) /\ Logged

-----------------------------------------------------------------------------

TraceInit ==
    /\ Init
    /\ trace \in DOMAIN Traces
    /\ matched = 0
    /\ unlogged = {}

TraceNext ==
    /\ matched < Len(Events)
    /\ UNCHANGED trace
    /\ LET e == Events[matched + 1]
       IN  Match(e) \/ (Silent(e) /\ UNCHANGED matched)

\* The search ends for a trace that is matched to its end.
Open == Reached(trace, matched)
================================================================================
