--------------------------- MODULE OmidTwoPhaseTrace ---------------------------
(***************************************************************************)
(* Is a recorded trace a behaviour of OmidTwoPhase?                        *)
(*                                                                         *)
(* What is the same as in OmidLL is held against it as OmidLLTrace does.   *)
(* Prewrites take the place of puts, and Java (TwoPhaseFormat) calls them  *)
(* "Write", so that what OmidLLTrace knows of late and doubled puts is     *)
(* known of them, too.                                                     *)
(*                                                                         *)
(* A client logs its prewrites when all of a batch are answered, while     *)
(* others meet the first of them already. Those are taken silently when    *)
(* somebody meets them, and are logged later.                              *)
(*                                                                         *)
(* A trace has a row for each key: otherwise the store refuses all keys of *)
(* a row for the reason of one of them.                                    *)
(***************************************************************************)
EXTENDS OmidTwoPhase, Recorded

TracedTxn == Names("txn")
TracedKey == Names("key")

VARIABLES
    \* See OmidLLTrace.
    unlogged,
    examined,
    tried,
    \* The TM's low watermark: a TM that has just begun refuses who began before it. OmidTwoPhase has none; it costs an abort.
    low,
    \* The keys that were read since an intent was met, and by whom; the application did not ask for that.
    resolved

T == INSTANCE OmidLLTrace WITH lastCommit <- [k \in Key |-> 0], lowWatermark <- low

-----------------------------------------------------------------------------
(* Events. Conditions come first: a rejection names the false one. *)

Content(e) == IF e.delete THEN "tombstone" ELSE "value"
SameContent(e) == e.key \in writes[e.txn] => (e.delete <=> e.key \in deletes[e.txn])

\* It was met before its client logged it.
IsPrewritten(t, k) == <<"Write", t, k>> \in unlogged

\* A transaction whose time was up: see OmidLLTrace. Somebody may have removed its intent since.
PrewriteTooLate(t, k) == T!IsOver(t) /\ (LatePrewrite(t, k) \/ (<<k, t>> \notin latePuts /\ UNCHANGED vars))

\* The store accepted it before.
IsAccepted(e) == IsPrewritten(e.txn, e.key) \/ T!IsOver(e.txn)

\* The first time, or again.
OnPrewrite(e) ==
    /\ SameContent(e)
    /\ IsAccepted(e) \/ NoNewerCommit(e.txn, e.key)
    /\ IsAccepted(e) \/ NoIntent(e.txn, e.key)
    /\ \/ IF IsPrewritten(e.txn, e.key) THEN UNCHANGED vars
          ELSE Prewrite(e.txn, e.key, Content(e)) \/ RetryPrewrite(e.txn, e.key)
       \/ PrewriteTooLate(e.txn, e.key)
    /\ UNCHANGED <<low, resolved>>

OnLostPrewrite(e) ==
    /\ e.faulty
    /\ SameContent(e)
    /\ ~IsPrewritten(e.txn, e.key)
    /\ DelayPrewrite(e.txn, e.key, Content(e)) \/ (e.key \in unanswered[e.txn] /\ UNCHANGED vars)
    /\ UNCHANGED <<low, resolved>>

\* The store answered when it had found the intent, which may have been resolved since. Then a read of the key begins, which is
\* nothing yet; but where a copy of the prewrite may still come, nobody gets its result: see MeetIntent.
IntentWasMet(t, k) ==
    /\ IF k \in writes[t] THEN cursor' = [cursor EXCEPT ![t] = [step |-> "record", key |-> k, met |-> t]] ELSE UNCHANGED cursor
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, clock, stored, commitCell, commitTable, watermark,
                   inspected, latePuts, lateEntries, committed, reads, precedes, faults>>

IsIntent(t, k) == t \in stored[k] /\ commitCell[k][t] = NoTs

OnMeetIntent(e) ==
    /\ LL!Ready(e.txn)
    /\ readTs[e.met] < readTs[e.txn]
    /\ e.key \in writes[e.met]
    /\ IF IsIntent(e.met, e.key) /\ e.key \notin writes[e.txn] THEN MeetIntent(e.txn, e.key, "value") ELSE IntentWasMet(e.txn, e.key)
    /\ resolved' = resolved \cup {<<e.txn, e.key>>}
    /\ UNCHANGED low

NewerCommit == -11

\* It may be the intent of somebody who gave up since; then this one gives up, too.
OnRefusePrewrite(e) ==
    /\ e.obstacle = NewerCommit => ~NoNewerCommit(e.txn, e.key) \/ T!IsOver(e.txn)
    /\ e.obstacle # NewerCommit => e.met \in Txn /\ readTs[e.met] > readTs[e.txn] /\ e.key \in writes[e.met]
    /\ \/ \E content \in Contents : RefusePrewrite(e.txn, e.key, content)
       \/ e.obstacle # NewerCommit /\ ~IsIntent(e.met, e.key) /\ Rollback(e.txn)
       \/ T!IsOver(e.txn) /\ UNCHANGED vars
    /\ UNCHANGED <<low, resolved>>

IsRefused(e) == e.answer = T!BelowWatermark

OnRequestCommit(e) ==
    /\ IsRefused(e) \/ e.answer = clock + 1
    /\ IsRefused(e) <=> low >= readTs[e.txn]
    /\ \/ IF IsRefused(e) THEN LL!Ready(e.txn) /\ AllPrewritten(e.txn) /\ Rollback(e.txn) ELSE RequestCommit(e.txn)
       \/ T!IsOver(e.txn) /\ (IF IsRefused(e) THEN UNCHANGED vars ELSE T!CommitOfAnother({}, clock + 1))
    /\ UNCHANGED <<low, resolved>>

\* An own write that is not in the store yet is read from memory.
OnReadOwnWrite(e) ==
    /\ IF e.key \in writes[e.txn] THEN T!OnReadOwnWrite(e) ELSE UNCHANGED vars
    /\ UNCHANGED <<low, resolved>>

OnGetCommitEntry(e) ==
    /\ T!IsAt(e.txn, "entry", e.met)
    /\ e.entry = commitTable[e.met]
    /\ GetCommitEntry(e.txn)
    /\ UNCHANGED <<low, resolved>>

OnInvalidatePending(e) ==
    /\ T!IsAt(e.txn, "pending", e.met)
    /\ e.previous = T!AnswerToMarker(e.met)
    /\ InvalidatePending(e.txn)
    /\ UNCHANGED <<low, resolved>>

OnReReadRecord(e) ==
    /\ T!IsAt(e.txn, "reread", e.met)
    /\ T!ReadsKey(e.txn, e.key)
    /\ e.gone = T!IsGone(e.met, e.key)
    /\ e.commit = T!CommitCellSeen(e.met, e.key)
    /\ ReReadRecord(e.txn)
    /\ UNCHANGED <<low, resolved>>

OnRemoveIntent(e) ==
    /\ T!IsAt(e.txn, "remove", e.met)
    /\ T!ReadsKey(e.txn, e.key)
    /\ RemoveIntent(e.txn)
    /\ UNCHANGED <<low, resolved>>

\* Clients clean up after all that they meant to write; where nothing was prewritten, that is nothing.
OnCleanUp(e) ==
    /\ T!OnCleanUp(e) \/ (status[e.txn] = "aborted" /\ e.key \notin writes[e.txn] /\ UNCHANGED <<vars, low>>)
    /\ UNCHANGED resolved

OnCollectTombstone(e) ==
    /\ T!IsGone(e.met, e.key) \/ IsSettled(e.met, e.key)
    /\ T!OnCollectTombstone(e)
    /\ UNCHANGED resolved

\* The account: what was read only to resolve an intent, the application does not count.
AskedFor(t) == {r \in reads[t] : ~r.own /\ <<t, r.key>> \notin resolved}
OnTransaction(e) ==
    /\ e.entry = commitTable[e.met]
    /\ e.told = "committed" => status[e.met] \in {"committed", "closed"}
    /\ e.told = "aborted" => status[e.met] = "aborted"
    /\ e.told # "unknown" =>
        /\ Cardinality(AskedFor(e.met)) <= e.reads
        /\ e.reads <= Cardinality({r \in reads[e.met] : ~r.own})
    /\ UNCHANGED <<vars, low, resolved>>

Matches(e) ==
    CASE e.action = "Write" -> IF e.lost THEN OnLostPrewrite(e) ELSE OnPrewrite(e)
      [] e.action = "MeetIntent" -> OnMeetIntent(e)
      [] e.action = "RefusePrewrite" -> OnRefusePrewrite(e)
      [] e.action = "RequestCommit" -> OnRequestCommit(e)
      [] e.action = "CleanUp" -> OnCleanUp(e)
      [] e.action = "ReadOwnWrite" -> OnReadOwnWrite(e)
      [] e.action = "GetCommitEntry" -> OnGetCommitEntry(e)
      [] e.action = "InvalidatePending" -> OnInvalidatePending(e)
      [] e.action = "ReReadRecord" -> OnReReadRecord(e)
      [] e.action = "RemoveIntent" -> OnRemoveIntent(e)
      [] e.action = "CollectTombstone" -> OnCollectTombstone(e)
      [] e.action = "Transaction" -> OnTransaction(e)
      [] OTHER -> T!Matches(e) /\ UNCHANGED resolved

\* Who is refused gives up.
Match(e) == Matches(e) /\ T!Books([e EXCEPT !.action = IF @ = "RefusePrewrite" THEN "RefusePut" ELSE @])

-----------------------------------------------------------------------------
(* Silent steps, before the event e *)

MeetsIntent(e, t, k) == e.action \in {"MeetIntent", "RefusePrewrite"} /\ e.met = t /\ e.key = k
Shows(e, t, k) == T!ShowsRecord(e, t, k) \/ MeetsIntent(e, t, k)

\* The intents that must be resolved before the prewrite that e is, or shows.
Obstacles(e) ==
    IF e.key \notin Key THEN {}
    ELSE IF e.action = "Write" THEN IF e.lost \/ IsPrewritten(e.txn, e.key) THEN {} ELSE Intents(e.txn, e.key)
    ELSE IF e.met \in Txn /\ Shows(e, e.met, e.key) /\ e.met \notin stored[e.key] THEN Intents(e.met, e.key) ELSE {}

\* These records are not there any more.
ShownGone(e) == T!ShownGone(e) \cup (Obstacles(e) \ committed)
GoneRecord(e) ==
    LET gone == ShownGone(e)
    IN  IF gone = {} THEN {} ELSE {CHOOSE t \in gone : \A x \in gone : readTs[t] <= readTs[x]}

ContentOfLater(t, k) == IF T!IsDeletion(t, k) THEN "tombstone" ELSE "value"

\* Its client logs it with those of other rows.
SilentPrewrite(e, t, k) ==
    /\ k \notin writes[t] /\ T!WillBeLogged("Write", t, k)
    /\ Shows(e, t, k) \/ T!IsOvertaken(e, t)
    /\ Prewrite(t, k, ContentOfLater(t, k))
    /\ unlogged' = unlogged \cup {<<"Write", t, k>>}

\* It was sent again and answered, before somebody removes the intent.
SilentRetry(e, t, k) ==
    /\ e.action = "RemoveIntent" /\ e.met = t /\ e.key = k
    /\ k \in unanswered[t] /\ T!WillBeLogged("Write", t, k)
    /\ RetryPrewrite(t, k)
    /\ unlogged' = unlogged \cup {<<"Write", t, k>>}

\* It was not answered, or its client dies; or it comes twice.
SilentDelayPrewrite(e, t, k) ==
    /\ k \notin writes[t]
    /\ e.faulty \/ T!WillBeLogged("Write", t, k)
    /\ \/ Shows(e, t, k)
       \/ T!IsOvertaken(e, t) /\ T!OwesPut(t, k)
       \/ e.action = "Write" /\ e.txn = t /\ e.key = k /\ ~e.lost /\ e.again
    /\ DelayPrewrite(t, k, ContentOfLater(t, k))

SilentLatePrewrite(e, t, k) ==
    /\ \/ Shows(e, t, k) /\ (t \notin stored[k] \/ e.action = "CollectVersion")
       \/ t \in ShownGone(e) /\ T!IsSuperseded(t, k)
    /\ LatePrewrite(t, k)

\* The commit cell of w's record of k is needed: to be met, to be no intent, or for the conflict that it is.
NeedsCell(e, w, k) ==
    \/ T!NeedsCell(e, w, k)
    \/ /\ w \in stored[k] /\ commitCell[k][w] = NoTs
       /\ (w \in Obstacles(e) /\ w \in committed) \/ (e.action = "CollectTombstone" /\ e.met = w /\ e.key = k)
    \/ /\ e.action = "RefusePrewrite" /\ e.key = k /\ e.obstacle = NewerCommit
       /\ w \in stored[k] /\ commitCell[k][w] = NoTs /\ commitTs[w] > readTs[e.txn]

SilentPostCommit(e, t, k) ==
    /\ NeedsCell(e, t, k)
    /\ PostCommit(t, k)
    /\ T!Early(e, "PostCommit", t, k)

\* Somebody who found the entry wrote it, and was not answered or died: see OmidLLTrace.
SilentHeal(e, t, k) ==
    /\ NeedsCell(e, t, k) /\ k \notin todo[t]
    /\ <<"HealCommitCell", t, k>> \in tried
    /\ commitCell' = [commitCell EXCEPT ![k][t] = commitTs[t]]
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, stored, commitTable, watermark,
                   inspected, latePuts, lateEntries, committed, reads, precedes, faults>>

\* Whose cells or records may show.
Shown(e) == {e.txn, e.met} \cap Txn

\* A record that is gone needs no removal, and the code makes none.
PassGone(e) ==
    LET c == cursor[e.txn]
    IN  /\ e.txn \in Txn /\ c.step = "remove" /\ e.action # "RemoveIntent"
        /\ T!IsGone(c.met, c.key)
        /\ RemoveIntent(e.txn)
        /\ UNCHANGED tried

\* A reader wrote a commit cell, or removed an aborted intent, and was not answered: it goes on as if that was done. It may come
\* late, or never; then another reader does it.
PassUnanswered(e) ==
    LET c == cursor[e.txn]
    IN  /\ e.faulty /\ e.txn \in Txn
        /\ \/ /\ c.step = "heal" /\ e.action # "HealCommitCell"
              /\ T!Decide(e.txn, c.key, c.met, commitTs[c.met])
              /\ tried' = tried \cup {<<"HealCommitCell", c.met, c.key>>}
           \/ /\ c.step = "remove" /\ e.action # "RemoveIntent" /\ ~T!IsGone(c.met, c.key)
              /\ T!GoOn(e.txn, c.key, c.met, "record")
              /\ tried' = tried \cup {<<"RemoveIntent", c.met, c.key>>}
        /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, clock, stored, commitCell, commitTable, watermark,
                       inspected, latePuts, lateEntries, committed, precedes, faults>>

\* The record is gone because of that, or because a reader died after it.
SilentRemoveIntent(e, t, k) ==
    /\ e.faulty /\ t \in ShownGone(e)
    /\ \/ <<"RemoveIntent", t, k>> \in tried
       \/ \E r \in Txn : cursor[r] = [step |-> "remove", key |-> k, met |-> t] /\ T!IsDone(r)
    /\ stored' = [stored EXCEPT ![k] = RecordsAfterRemoval(k, t)]
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, commitCell, commitTable, watermark,
                   inspected, latePuts, lateEntries, committed, reads, precedes, faults>>

SilentCleanUp(e, t, k) ==
    /\ t \in ShownGone(e)
    /\ CleanUp(t, k)
    /\ T!Early(e, "CleanUp", t, k)

\* The spec's collector asks when the code's collector cleans.
SilentInspect(e, t, k) ==
    /\ <<k, t>> \in examined
    /\ \/ e.action = "CleanLeftover" /\ e.met = t /\ e.key = k
       \/ e.faulty /\ t \in ShownGone(e) /\ ~(status[t] = "aborted" /\ k \in todo[t])
    /\ InspectLeftover(t, k)

\* A collector did it, and was not answered or died.
SilentCollect(e, t, k) ==
    /\ e.faulty /\ t \in ShownGone(e) /\ ~(status[t] = "aborted" /\ k \in todo[t])
    /\ CleanLeftover(t, k) \/ CollectVersion(t, k) \/ CollectTombstone(t, k)

\* A read failed, and the client goes on with something else.
GiveUpRead(e) ==
    /\ e.faulty /\ e.txn \in Txn /\ e.action \in {"MeetIntent", "RefusePrewrite"}
    /\ status[e.txn] = "active" /\ cursor[e.txn].step # "none"
    /\ cursor' = [cursor EXCEPT ![e.txn] = T!NoRead]
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, clock, stored, commitCell, commitTable, watermark,
                   inspected, latePuts, lateEntries, committed, reads, precedes, faults>>

SilentFault(e) ==
    /\ e.faulty
    /\ \/ T!SilentRaise(e)
       \/ \E t \in {e.txn} \cap Txn : T!GiveUpRead(e, t)
       \/ \E t \in Shown(e) : T!SilentRepair(e, t)
       \/ \E t \in T!OvertakenTxn(e) : T!GiveUpRead(e, t)
       \/ \E t \in {T!EntryOf(e), e.met} \cap Txn : T!SilentEntry(e, t) \/ T!SilentMarker(e, t) \/ T!SilentRemoveEntry(e, t)
       \/ T!ShownWatermark(e) > 0 /\ \E t \in Txn : T!IsOvertaken(e, t) /\ (T!SilentEntry(e, t) \/ T!SilentMarker(e, t))
       \/ \E k \in {e.key} \cap Key, t \in GoneRecord(e) : SilentCollect(e, t, k) \/ SilentRemoveIntent(e, t, k)
       \/ GiveUpRead(e)

SilentRow(e) ==
    \/ \E k \in {e.key} \cap Key, t \in Shown(e) :
        \/ SilentPrewrite(e, t, k) \/ SilentRetry(e, t, k)
        \/ (SilentDelayPrewrite(e, t, k) \/ SilentLatePrewrite(e, t, k)) /\ UNCHANGED unlogged
    \/ \E k \in {e.key} \cap Key, t \in GoneRecord(e) :
        \/ SilentLatePrewrite(e, t, k) /\ UNCHANGED unlogged
        \/ SilentCleanUp(e, t, k)
    \/ \E k \in {e.key} \cap Key, t \in {e.met} \cup GoneRecord(e) : SilentInspect(e, t, k) /\ UNCHANGED unlogged
    \/ \E k \in (IF e.action = "CollectEntry" THEN Key ELSE {e.key} \cap Key) :
        \E t \in (IF e.action \in {"CollectVersion", "RefusePrewrite"} THEN stored[k] ELSE ({e.met} \cap Txn) \cup Obstacles(e)) :
            \/ SilentPostCommit(e, t, k)
            \/ e.faulty /\ (SilentHeal(e, t, k) \/ (NeedsCell(e, t, k) /\ k \notin todo[t] /\ HealLeftover(t, k))) /\ UNCHANGED unlogged
    \/ \E t \in T!OvertakenTxn(e) :
        \/ T!SilentEnd(e, t)
        \/ \E k \in Key : SilentPrewrite(e, t, k) \/ (SilentDelayPrewrite(e, t, k) /\ UNCHANGED unlogged)

Silent(e) ==
    \/ (T!PassTimestamps(e) \/ SilentFault(e)) /\ UNCHANGED <<unlogged, tried>>
    \/ SilentRow(e) /\ UNCHANGED tried
    \/ (PassGone(e) \/ PassUnanswered(e)) /\ UNCHANGED unlogged

-----------------------------------------------------------------------------

TraceInit ==
    /\ Init
    /\ RecordedInit
    /\ unlogged = {}
    /\ examined = {}
    /\ tried = {}
    /\ low = 0
    /\ resolved = {}

TraceNext ==
    /\ matched < Len(Events)
    /\ LET e == Events[matched + 1]
       IN  T!Known(e) /\ (Match(e) \/ (Silent(e) /\ Waits /\ UNCHANGED <<examined, low, resolved>>))

\* What the rest of the search depends on.
Searched == <<T!Searched, low, resolved>>
================================================================================
