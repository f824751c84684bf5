------------------------------ MODULE OmidLLTrace ------------------------------
(***************************************************************************)
(* Is a recorded trace a behaviour of OmidLL?                              *)
(*                                                                         *)
(* The code logs an event per action, with the arguments and with what the *)
(* servers answered. Each step here either matches the next event, by the  *)
(* action of that name with the event's arguments and results, or it is    *)
(* silent: what the code cannot log, because it happens to it (a put or a  *)
(* commit-table write arrives late, a client dies, an answer is lost), or  *)
(* because it logs a request for several rows only when the last is done.  *)
(*                                                                         *)
(* A silent step is taken only to make true what the next event shows, or  *)
(* when the event takes away the last chance for a step that a later one   *)
(* shows. Until then nothing depends on it; and so there is hardly         *)
(* anything to search.                                                     *)
(*                                                                         *)
(* After the events may stand an account of how the run ended: what        *)
(* clients were told and had read, what is left in the servers.            *)
(*                                                                         *)
(* Transactions are named by their start timestamps, keys by strings; no   *)
(* transaction is 0, no key is "".                                         *)
(***************************************************************************)
EXTENDS OmidLL, Recorded

\* The transactions that begin in the traces, and the keys.
TracedTxn == Names("txn")
TracedKey == Names("key")

VARIABLES
    \* What was done silently and is logged later, if its client lives.
    unlogged,
    \* The records of which a collector was told that their transaction has not committed.
    examined,
    \* What a reader was about to write for others, with nothing logged that tells whether it did.
    tried

\* An event of this action, by t's client or by a collector, about t and k.
WillBeLogged(action, t, k) == Tells(trace, matched, action, t, k)
\* Nothing more comes from t's client.
IsDone(t) == ~Tells(trace, matched, "any", t, NoKey)
\* What t's client does next is to heal.
HealsNext(t) == Tells(trace, matched + 1, "heals", t, NoKey)
\* Somebody meets t's record of k; it is a tombstone.
WillBeMet(t, k) == Tells(trace, matched, "met", t, k)
IsDeletion(t, k) == Tells(trace, matched, "tombstone", t, k)
\* Somebody meets t's commit timestamp, its marker, or its entry, whatever it is.
WillShowCommit(t) == Tells(trace, matched, "commit", t, NoKey)
WillShowMarker(t) == Tells(trace, matched, "marker", t, NoKey)
WillBeCollected(t) == Tells(trace, matched, "collected", t, NoKey)
\* A transaction that has begun is refused later, and wrote a key of t's.
WillConflict(t) == Tells(trace, matched, "conflict", t, NoKey)

-----------------------------------------------------------------------------
(* Events. Each operator is the conjunction of what the event says and the     *)
(* action of its name. Conditions come first: a rejection names the false one. *)

OnBegin(e) ==
    /\ e.txn = clock + 1
    /\ Begin(e.txn)

\* A transaction whose time was up when the watermark was raised, and that was not in the middle of a read, ended then, and its
\* client goes on until it notices. What the commit table refuses it, or a read, is its end; a commit request changes nothing but
\* the conflict table. The spec lets it go on, too; but if it ends here, nothing of it has to be searched for later.
\* (Not with a batch of OnePhase: a region server does not ask for the watermark.)
EndsWhenOvertaken(t) == status[t] = "active" /\ cursor[t].step = "none" /\ ~Tells(trace, matched, "batch", t, NoKey)

\* It has ended so.
IsOver(t) == status[t] = "aborted" /\ <<"Rollback", t, NoKey>> \in unlogged

OnEndReadOnly(e) == EndReadOnly(e.txn) \/ (<<"EndReadOnly", e.txn, NoKey>> \in unlogged /\ UNCHANGED vars)

ContentOf(e) == IF e.delete THEN "tombstone" ELSE "value"

\* Its put is in the store, or was, and has been collected since.
HasArrived(t, k) == t \in stored[k] \/ (k \in writes[t] /\ <<k, t>> \notin latePuts)

\* The first time, or again.
OnWrite(e) ==
    /\ e.key \in writes[e.txn] => (e.delete <=> e.key \in deletes[e.txn])
    /\ \/ Write(e.txn, e.key, ContentOf(e)) \/ RetryPut(e.txn, e.key)
       \/ IsOver(e.txn) /\ (LatePut(e.txn, e.key) \/ (HasArrived(e.txn, e.key) /\ UNCHANGED vars))

\* The answer to the put was lost. Again, for a second time: then nothing is new.
OnLostWrite(e) ==
    /\ e.faulty
    /\ e.key \in writes[e.txn] => (e.delete <=> e.key \in deletes[e.txn])
    /\ \/ DelayPut(e.txn, e.key, ContentOf(e))
       \/ e.key \in unanswered[e.txn] /\ UNCHANGED vars

OnRollback(e) ==
    /\ Rollback(e.txn) \/ (<<"Rollback", e.txn, NoKey>> \in unlogged /\ UNCHANGED vars)

OnCleanUp(e) ==
    /\ CleanUp(e.txn, e.key) \/ (<<"CleanUp", e.txn, e.key>> \in unlogged /\ UNCHANGED vars)

OnReadOwnWrite(e) == ReadOwnWrite(e.txn, e.key) \/ (IsOver(e.txn) /\ e.key \in writes[e.txn] /\ UNCHANGED vars)

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
    /\ (cursor'[e.txn].step = "heal") <=> HealsNext(e.txn)

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

\* Equivalent to another transaction that begins, writes these keys, gets its commit timestamp, gives up and cleans up, all
\* before anybody else moves.
CommitOfAnother(keys, next) ==
    /\ clock' = next
    /\ lastCommit' = [k \in Key |-> IF k \in keys THEN next ELSE lastCommit[k]]
    /\ UNCHANGED <<client, lowWatermark, store, table, inspected, network, committed, reads, precedes, faults>>

OnRequestCommit(e) ==
    /\ e.answer \in {Conflict, BelowWatermark} \/ e.answer = clock + 1
    /\ (e.answer = BelowWatermark) <=> ~AboveLowWatermark(e.txn)
    /\ (e.answer = Conflict) <=> (AboveLowWatermark(e.txn) /\ ~NoConflict(e.txn))
    /\ \/ RequestCommit(e.txn)
       \/ IsOver(e.txn) /\ (IF e.answer < 0 THEN UNCHANGED vars ELSE CommitOfAnother(writes[e.txn], clock + 1))

\* Or the manager never let it pass: then the client merely gives up. It makes no difference if nobody is refused for it.
OnLoseCommitAnswer(e) ==
    /\ e.faulty
    /\ \/ LoseCommitAnswer(e.txn) \/ (writes[e.txn] # {} /\ WritesStored(e.txn) /\ Rollback(e.txn))
       \/ IsOver(e.txn) /\ UNCHANGED vars

Collected == -2

\* What check-and-mutate to a commit timestamp answers.
AnswerToEntry(t) ==
    IF commitTable[t] # NoTs THEN commitTable[t] ELSE IF AboveWatermark(t) THEN NoTs ELSE Collected

\* Asked once more about an outcome that is known, or that cannot be found out, the table changes nothing.
OnWriteCommitEntry(e) ==
    /\ e.commit = e.given
    /\ e.previous = AnswerToEntry(e.txn)
    /\ \/ WriteCommitEntry(e.txn)
       \/ status[e.txn] \in {"committed", "aborted", "unresolved"} /\ ~TakesEntry(e.txn) /\ UNCHANGED vars

OnLostCommitEntry(e) ==
    /\ e.faulty
    /\ e.commit = e.given
    /\ LoseEntryAnswer(e.txn) \/ (status[e.txn] \notin {"active", "certified"} /\ UNCHANGED vars)

OnPostCommit(e) ==
    /\ e.commit = commitTs[e.txn]
    /\ PostCommit(e.txn, e.key) \/ (<<"PostCommit", e.txn, e.key>> \in unlogged /\ UNCHANGED vars)

OnRemoveCommitEntry(e) == RemoveCommitEntry(e.txn)

\* Of a transaction that is not in the trace; it committed at a timestamp that was left out. A new manager, which knows
\* nothing, begins so.
EvictAnother(e) ==
    /\ \A k \in Key : lastCommit[k] # e.commit
    /\ lowWatermark < e.commit
    /\ lowWatermark' = e.commit
    /\ UNCHANGED <<client, clock, lastCommit, store, table, inspected, network, committed, reads, precedes, faults>>

OnEvict(e) ==
    \/ \E k \in {x \in Key : lastCommit[x] = e.commit} : Evict(k)
    \/ (e.faulty \/ e.succeeded) /\ e.commit <= clock /\ EvictAnother(e)

\* The lowest of the spec's watermarks that refuses the same transactions; no transaction lies between the two.
Rounded(ts) ==
    LET above == {r \in {readTs[t] : t \in Txn} : r >= ts}
    IN  IF above = {} THEN clock + 1 ELSE CHOOSE r \in above : \A x \in above : r <= x

\* Raising it to what it is, is nothing. What the manager allows only grows, and so does what a lone collector asks for.
OnRaiseWatermark(e) ==
    /\ e.others \/ e.raised <= e.watermark
    /\ e.watermark <= clock + 1
    /\ \A t \in Txn : EndsWhenOvertaken(t) => e.watermark <= readTs[t]
    /\ \/ RaiseWatermark /\ watermark' = Rounded(e.watermark)
       \/ watermark >= Rounded(e.watermark) /\ UNCHANGED vars

\* For specs in which something lies between two timestamps of the TM: the code's watermark may be the timestamp that the TM gives next,
\* where the spec's ends at the last one. So there the watermark is the code's.
RaiseAsTheCode(e, next) ==
    /\ e.watermark <= next
    /\ \A t \in Txn : EndsWhenOvertaken(t) => e.watermark <= readTs[t]
    /\ watermark' = IF e.watermark > watermark THEN e.watermark ELSE watermark
    /\ UNCHANGED <<client, tm, store, commitTable, inspected, network, committed, reads, precedes, faults>>

\* Another may have been faster: then the cell is as the collector writes it, or the record is gone.
OnHealLeftover(e) ==
    /\ IsBelowWatermark(e.met)
    /\ e.met \in committed /\ e.commit = commitTs[e.met] /\ e.key \in writes[e.met]
    /\ HealLeftover(e.met, e.key) \/ ((IsGone(e.met, e.key) \/ commitCell[e.key][e.met] # NoTs) /\ UNCHANGED vars)

\* What the collector was told stays true, so it does not matter when the spec's collector asks: right before it cleans.
\* A marker may be gone since.
OnInspectLeftover(e) ==
    /\ IsBelowWatermark(e.met)
    /\ e.entry \in {NoTs, Invalidated}
    /\ commitTable[e.met] \in {NoTs, e.entry}
    /\ e.gone = IsGone(e.met, e.key)
    /\ e.commit = CommitCellSeen(e.met, e.key)
    /\ UNCHANGED vars

\* What is collected has been written, and may be gone already: another collector was faster, or had died.
AlreadyGone(e, written) ==
    /\ e.others /\ e.met \in Txn /\ e.key \in written
    /\ IsBelowWatermark(e.met) /\ IsGone(e.met, e.key)
    /\ UNCHANGED vars

\* Its client was faster.
CleanedUp(e) ==
    /\ <<e.key, e.met>> \in examined
    /\ IsGone(e.met, e.key) /\ status[e.met] = "aborted" /\ e.key \notin todo[e.met]
    /\ UNCHANGED vars

OnCleanLeftover(e) ==
    \/ StillTentative(e.met, e.key) /\ CleanLeftover(e.met, e.key)
    \/ AlreadyGone(e, writes[e.met]) \/ CleanedUp(e)

\* Its client may have been faster, too. Who writes nothing never has an entry.
OnCollectEntry(e) ==
    \/ CollectEntry(e.met)
    \/ /\ e.others \/ status[e.met] = "closed"
       /\ writes[e.met] # {} /\ EntryIsSettled(e.met) /\ commitTable[e.met] = NoTs
       /\ UNCHANGED vars

OnCollectVersion(e) == CollectVersion(e.met, e.key) \/ AlreadyGone(e, writes[e.met])
OnCollectTombstone(e) == CollectTombstone(e.met, e.key) \/ AlreadyGone(e, writes[e.met])

\* The account. What its client was told of the transaction, how much it had read, and its commit-table entry.
OnTransaction(e) ==
    /\ e.entry = commitTable[e.met]
    /\ e.told = "committed" => status[e.met] \in {"committed", "closed"}
    /\ e.told = "aborted" => status[e.met] = "aborted"
    /\ e.told # "unknown" => e.reads = Cardinality({r \in reads[e.met] : ~r.own})
    /\ UNCHANGED vars

\* Of another's value; "from" is whose.
OnRead(e) ==
    /\ [key |-> e.key, from |-> e.from, own |-> FALSE] \in reads[e.met]
    /\ UNCHANGED vars

\* What is left of a write.
OnRecord(e) ==
    /\ e.gone = IsGone(e.met, e.key)
    /\ e.commit = CommitCellSeen(e.met, e.key)
    /\ e.delete <=> ~e.gone /\ IsTombstone(e.met, e.key)
    /\ UNCHANGED vars

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
      [] e.action = "Transaction" -> OnTransaction(e)
      [] e.action = "Read" -> OnRead(e)
      [] e.action = "Record" -> OnRecord(e)

\* Every client has come to its end; but a post-commit may be left out, and so may the cleaning up below the watermark.
Finished ==
    /\ unlogged = {}
    /\ \A t \in Txn :
        /\ status[t] \notin {"active", "certified", "unknown"}
        /\ status[t] = "committed" => todo[t] = writes[t]
        /\ status[t] = "aborted" => todo[t] \in {{}, IF IsBelowWatermark(t) THEN writes[t] ELSE {}}

\* What is left to be logged.
Notes(e) ==
    /\ unlogged' = unlogged \ {<<e.action, e.txn, e.key>>, IF e.action \in {"RequestCommit", "LoseCommitAnswer", "RefusePut"}
                                                            THEN <<"Rollback", e.txn, NoKey>> ELSE <<e.action, e.txn, e.key>>}
    /\ examined' = IF e.action = "InspectLeftover" /\ ~e.gone THEN examined \cup {<<e.key, e.met>>}
                   ELSE IF e.action = "CleanLeftover" THEN examined \ {<<e.key, e.met>>} ELSE examined
    /\ tried' = IF ~e.faulty \/ e.action # "GetCommitEntry" THEN tried
                ELSE IF e.entry = NoTs THEN tried \cup {<<"InvalidatePending", e.met, NoKey>>}
                ELSE tried \cup {<<"HealCommitCell", e.met, cursor[e.txn].key>>}
    /\ Advances

\* The event is the last one of a trace whose header says that there were no faults: then all is done.
IsEnd(e) == matched + 1 = Len(Events) /\ ~e.faulty

Books(e) == Notes(e) /\ (IsEnd(e) => Finished')

Match(e) == Matches(e) /\ Books(e)

-----------------------------------------------------------------------------
(* What the event e shows, so that a silent step may be needed before it *)

\* The transaction about whose commit-table entry it tells, and that entry; none of the numbers that stand in the table if
\* it does not tell.
NotTold == -99
EntryOf(e) == IF e.action = "WriteCommitEntry" THEN e.txn ELSE e.met
ToldEntry(e) ==
    CASE e.action \in {"GetCommitEntry", "InspectLeftover", "Transaction"} -> e.entry
      [] e.action = "InvalidatePending" -> e.previous
      [] e.action = "WriteCommitEntry" -> IF e.lost THEN NotTold ELSE e.previous
      [] OTHER -> NotTold

\* The record is there, and its commit cell.
ToldCell(e) == IF e.action \in {"GetRecord", "ReReadRecord", "InspectLeftover", "Record"} THEN e.commit ELSE NotTold
ShowsRecord(e, t, k) ==
    /\ e.met = t /\ e.key = k /\ ~e.gone
    /\ e.action \in {"GetRecord", "ReReadRecord", "InspectLeftover", "CleanLeftover", "CollectVersion", "CollectTombstone", "Record"}

\* These records are not there any more.
ShownGone(e) ==
    CASE e.action = "GetRecord" ->
            {t \in OlderRecords(e.txn, e.key) : e.met = NoTxn \/ readTs[e.met] < readTs[t]}
      [] e.action \in {"ReReadRecord", "InspectLeftover", "Record"} -> IF e.gone THEN {e.met} \cap stored[e.key] ELSE {}
      [] e.action = "CollectTombstone" -> {t \in stored[e.key] : readTs[t] < readTs[e.met]}
      [] OTHER -> {}

\* The watermark is at least so high.
ShownWatermark(e) ==
    CASE e.action = "RaiseWatermark" -> e.watermark
      [] e.action = "WriteCommitEntry" -> IF ToldEntry(e) = Collected THEN readTs[e.txn] + 1 ELSE 0
      [] e.action = "InvalidatePending" ->
            IF e.previous = Invalidated /\ commitTable[e.met] = NoTs THEN readTs[e.met] + 1 ELSE 0
      [] OTHER -> 0

\* A timestamp that is new.
ShownTimestamp(e) ==
    CASE e.action = "Begin" -> e.txn
      [] e.action = "RequestCommit" -> e.answer
      [] e.action = "RaiseWatermark" -> e.watermark
      [] e.action = "Evict" -> e.commit + 1
      [] OTHER -> NoTs

-----------------------------------------------------------------------------
(* Silent steps, before the event e *)

\* The manager leaves timestamps out, or nobody got them. Equivalent, because a timestamp that nobody holds is compared
\* with nothing.
PassTo(shown, span) ==
    /\ clock + span < shown
    /\ clock' = shown - span
    /\ UNCHANGED <<client, lastCommit, lowWatermark, store, table, inspected, network, committed, reads, precedes, faults>>

PassTimestamps(e) == PassTo(ShownTimestamp(e), 1)

\* Logged later, or there was a fault.
Early(e, action, t, k) ==
    /\ e.faulty \/ WillBeLogged(action, t, k)
    /\ unlogged' = unlogged \cup {<<action, t, k>>}

Logged == UNCHANGED unlogged

\* Its last chance to have done something: the watermark overtakes it, or its client gives up.
IsOvertaken(e, t) == readTs[t] < ShownWatermark(e)

\* A put that shows later.
OwesPut(t, k) == k \notin writes[t] /\ IF IsDone(t) THEN WillBeMet(t, k) ELSE WillBeLogged("Write", t, k)

\* A put was sent, and its writer is not answered yet, or dies. Or a copy of it arrives later.
SilentDelayPut(e, t, k) ==
    /\ k \notin writes[t]
    /\ e.faulty \/ WillBeLogged("Write", t, k)
    /\ \/ ShowsRecord(e, t, k)
       \/ IsOvertaken(e, t) /\ OwesPut(t, k)
       \/ e.action = "Write" /\ e.txn = t /\ e.key = k /\ ~e.lost /\ e.again
    /\ DelayPut(t, k, IF IsDeletion(t, k) THEN "tombstone" ELSE "value")

\* For a version to be collected, no copy may be on its way.
SilentLatePut(e, t, k) ==
    /\ \/ ShowsRecord(e, t, k) /\ (t \notin stored[k] \/ e.action = "CollectVersion")
       \/ t \in ShownGone(e) /\ IsSuperseded(t, k)
    /\ LatePut(t, k)

\* The client of t has died, or it notices later that its time is up. Of several, one after the other.
OvertakenTxn(e) ==
    LET owes(t) == status[t] = "active" /\ \E k \in Key : OwesPut(t, k)
        overtaken == {t \in Txn : IsOvertaken(e, t) /\ (EndsWhenOvertaken(t) \/ owes(t))}
    IN  IF overtaken = {} THEN {} ELSE {CHOOSE t \in overtaken : \A x \in overtaken : readTs[t] <= readTs[x]}

SilentEnd(e, t) ==
    /\ EndsWhenOvertaken(t)
    /\ ~\E k \in Key : Ready(t) /\ OwesPut(t, k)
    /\ \/ e.faulty /\ IsDone(t) /\ Crash(t) /\ Logged
       \/ ~IsDone(t) /\ IF WillBeLogged("EndReadOnly", t, NoKey)
                         THEN EndReadOnly(t) /\ unlogged' = unlogged \cup {<<"EndReadOnly", t, NoKey>>}
                         ELSE Rollback(t) /\ unlogged' = unlogged \cup {<<"Rollback", t, NoKey>>}

\* The client dies before it is answered, or is not answered. It shows when another is refused. Of timestamps that the event skips, one may be its answer.
NeedsCommitRequest(e, t, skips) ==
    \/ e.action = "LoseCommitAnswer" /\ e.txn = t /\ WillConflict(t)
    \/ (IsOvertaken(e, t) \/ skips) /\ IsDone(t) /\ WillConflict(t)
    \/ e.action = "RequestCommit" /\ e.answer = Conflict /\ IsDone(t) /\ NoConflict(e.txn) /\ writes[t] \cap writes[e.txn] # {}

\* A commit-table write that was not answered. Afterwards somebody meets its result, or it is collected.
NeedsEntry(e, t) ==
    /\ t \notin committed /\ NoEntryYet(t)
    /\ \/ EntryOf(e) = t /\ ToldEntry(e) > NoTs
       \/ e.met = t /\ ToldCell(e) > NoTs
       \/ e.met = t /\ e.action \in {"HealLeftover", "CollectEntry"}
       \/ IsOvertaken(e, t) /\ (WillShowCommit(t) \/ WillBeCollected(t))

SilentEntry(e, t) ==
    /\ NeedsEntry(e, t)
    /\ (IsDone(t) /\ LoseEntryAnswer(t)) \/ LateCommitEntry(t)

\* A reader that found the transaction pending wrote the marker, and was not answered or died. Equivalent to the step of
\* another reader: one that began right before it, took the same steps, and nothing else.
SilentMarker(e, t) ==
    /\ <<"InvalidatePending", t, NoKey>> \in tried
    /\ InvalidatesOnlyPending(t) /\ MarkerStillTells(t)
    /\ \/ EntryOf(e) = t /\ ToldEntry(e) = Invalidated
       \/ e.met = t /\ e.action = "CollectEntry"
       \/ IsOvertaken(e, t) /\ (WillShowMarker(t) \/ WillBeCollected(t))
    /\ commitTable' = [commitTable EXCEPT ![t] = Invalidated]
    /\ UNCHANGED <<client, tm, store, watermark, inspected, network, committed, reads, precedes, faults>>

\* The commit cell of w's record of k is needed.
NeedsCell(e, w, k) ==
    /\ w \in stored[k] /\ commitCell[k][w] = NoTs
    /\ \/ e.key = k /\ e.met = w /\ ToldCell(e) > NoTs
       \/ e.action = "CollectVersion" /\ e.key = k /\ readTs[e.met] < readTs[w] /\ ~IsSuperseded(e.met, k)
       \/ e.action = "CollectEntry" /\ e.met = w

\* One row of several, or the answer was lost.
SilentPostCommit(e, t, k) ==
    /\ NeedsCell(e, t, k)
    /\ PostCommit(t, k)

\* A reader or a collector wrote it, and was not answered or died. As for the marker, and if the client may still do it
\* itself, that is the same.
SilentHeal(e, t, k) ==
    /\ NeedsCell(e, t, k) /\ k \notin todo[t]
    /\ \/ HealLeftover(t, k)
       \/ /\ <<"HealCommitCell", t, k>> \in tried
          /\ commitCell' = [commitCell EXCEPT ![k][t] = commitTs[t]]
          /\ UNCHANGED <<client, tm, stored, table, inspected, network, committed, reads, precedes, faults>>

\* The entry is gone, and nobody was told.
SilentRemoveEntry(e, t) ==
    /\ EntryOf(e) = t /\ ToldEntry(e) \in {NoTs, Collected} /\ commitTable[t] # NoTs
    /\ RemoveCommitEntry(t) \/ CollectEntry(t)

\* The spec's collector asks when the code's collector cleans.
SilentInspect(e, t, k) ==
    /\ <<k, t>> \in examined
    /\ \/ e.action = "CleanLeftover" /\ e.met = t /\ e.key = k
       \/ e.faulty /\ t \in ShownGone(e) /\ ~(status[t] = "aborted" /\ k \in todo[t])
    /\ InspectLeftover(t, k)

SilentCleanUp(e, t, k) ==
    /\ t \in ShownGone(e)
    /\ CleanUp(t, k)

\* A collector did it, and was not answered or died. If the client may still do it, that is the same.
SilentCollect(e, t, k) ==
    /\ t \in ShownGone(e) /\ ~(status[t] = "aborted" /\ k \in todo[t])
    /\ CleanLeftover(t, k) \/ CollectVersion(t, k) \/ CollectTombstone(t, k)

\* Records that are gone: one after the other, what a tombstone superseded before the tombstone.
GoneRecord(e) ==
    LET gone == ShownGone(e)
    IN  IF gone = {} THEN {} ELSE {CHOOSE t \in gone : \A x \in gone : readTs[t] <= readTs[x]}

\* The collector raised the watermark, and was not answered or died.
SilentRaise(e) ==
    /\ e.action # "RaiseWatermark" /\ watermark < ShownWatermark(e)
    /\ RaiseWatermark /\ watermark' = Rounded(ShownWatermark(e))

\* A reader found an invalidation false, and was not answered when it removed the marker. Where the marker stays, that is
\* equivalent to another reader that writes it once more: one that took the same steps, and was slower.
SilentRepair(e, t) ==
    LET c == cursor[t]
    IN  /\ c.step = "repair" /\ e.action # "RemoveFalseInvalidation"
        /\ IF WillShowMarker(c.met) \/ WillBeCollected(c.met)
           THEN /\ Decide(t, c.key, c.met, commitTs[c.met])
                /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, tm, store, table, inspected, network,
                               committed, precedes, faults>>
           ELSE RemoveFalseInvalidation(t)

\* A read failed; the client does something else, or begins it again. Equivalent to the read of another transaction, which
\* began right before this one and dies here.
DropRead(t) ==
    /\ status[t] = "active" /\ cursor[t].step # "none"
    /\ cursor' = [cursor EXCEPT ![t] = NoRead]
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, tm, store, table, inspected, network,
                   committed, reads, precedes, faults>>

\* It may have given up a read before it asked.
SilentRequestCommit(e, t) ==
    /\ NeedsCommitRequest(e, t, clock + 1 < ShownTimestamp(e))
    /\ RequestCommit(t) \/ (writes[t] # {} /\ DropRead(t))

GiveUpRead(e, t) ==
    /\ \/ e.txn = t /\ e.action \in {"GetRecord", "ReadOwnWrite", "Write", "RequestCommit", "EndReadOnly"}
       \/ IsOvertaken(e, t) /\ \E k \in Key : OwesPut(t, k)
    /\ DropRead(t)

\* What only faults explain: deaths, and lost or late messages.
SilentFault(e) ==
    /\ e.faulty
    /\ \/ SilentRaise(e)
       \/ \E t \in Txn : SilentRequestCommit(e, t)
       \/ \E t \in ({e.txn} \cap Txn) \cup OvertakenTxn(e) : GiveUpRead(e, t)
       \/ \E t \in {e.txn, e.met} \cap Txn : SilentRepair(e, t)
       \/ \E t \in {EntryOf(e), e.met} \cap Txn : SilentEntry(e, t) \/ SilentMarker(e, t) \/ SilentRemoveEntry(e, t)
       \/ ShownWatermark(e) > 0 /\ \E t \in Txn : IsOvertaken(e, t) /\ (SilentEntry(e, t) \/ SilentMarker(e, t))
       \/ \E k \in {e.key} \cap Key, t \in GoneRecord(e) : SilentCollect(e, t, k)

\* What a fault explains, or that it will be logged when other rows are done, too.
SilentRow(e) ==
    \/ \E k \in {e.key} \cap Key, t \in {e.txn, e.met} \cap Txn : (SilentDelayPut(e, t, k) \/ SilentLatePut(e, t, k)) /\ Logged
    \/ \E k \in {e.key} \cap Key, t \in GoneRecord(e) :
        \/ SilentLatePut(e, t, k) /\ Logged
        \/ SilentCleanUp(e, t, k) /\ Early(e, "CleanUp", t, k)
    \/ \E k \in {e.key} \cap Key, t \in {e.met} \cup GoneRecord(e) : SilentInspect(e, t, k) /\ Logged
    \/ \E k \in (IF e.action = "CollectEntry" THEN Key ELSE {e.key} \cap Key) :
        \E t \in (IF e.action = "CollectVersion" THEN stored[k] ELSE {e.met} \cap Txn) :
            \/ SilentPostCommit(e, t, k) /\ Early(e, "PostCommit", t, k)
            \/ e.faulty /\ SilentHeal(e, t, k) /\ Logged
    \/ \E t \in OvertakenTxn(e) :
        \/ SilentEnd(e, t)
        \/ \E k \in Key : SilentDelayPut(e, t, k) /\ Logged

Silent(e) ==
    \/ PassTimestamps(e) /\ Logged
    \/ SilentFault(e) /\ Logged
    \/ SilentRow(e)

-----------------------------------------------------------------------------

TraceInit ==
    /\ Init
    /\ RecordedInit
    /\ unlogged = {}
    /\ examined = {}
    /\ tried = {}

TraceNext ==
    /\ matched < Len(Events)
    /\ LET e == Events[matched + 1]
       IN  Known(e) /\ (Match(e) \/ (Silent(e) /\ Waits /\ UNCHANGED <<examined, tried>>))

\* What the rest of the search depends on. The history that only properties speak about is left out.
Searched == <<trace, matched, unlogged, examined, tried, client, tm, store, table, inspected, network, committed, reads>>
================================================================================
