---------------------------- MODULE IndexFenceTrace ----------------------------
(***************************************************************************)
(* Is a recorded trace a behaviour of IndexFence?                          *)
(*                                                                         *)
(* What transactions and collectors log is held against OmidLL as          *)
(* OmidLLTrace does it, with what the index adds to each action. That      *)
(* somebody keeps the index with a row is logged as WriteIndex when he     *)
(* writes the row; then its index records are Writes as well. A part of a  *)
(* build is a transaction that logs BuildBegin, and what it populates.     *)
(*                                                                         *)
(* Of the index, a trace tells its rows, and the keys of its function:     *)
(* see Java (IndexFenceFormat). Silent are, as in OmidLLTrace, what a      *)
(* request did before its client has logged it, and the end of who is      *)
(* overtaken by the watermark; and the triggers, before the fence.         *)
(*                                                                         *)
(* So far a trace has no faults but delays.                                *)
(***************************************************************************)
EXTENDS IndexFence, Recorded

TracedTxn == Names("txn")
TracedRow == Names("row")
TracedParts == Names("part")
TracedIndex == Names("key") \ TracedRow
TracedIndexKey == Function("index")
TracedSpan == Constant("span")

VARIABLES
    \* See OmidLLTrace.
    unlogged,
    examined,
    tried,
    \* The index records that go with the rows that somebody writes, as he has told; and whether he has read the row since.
    kept

T == INSTANCE OmidLLTrace

Unaffected == UNCHANGED index

-----------------------------------------------------------------------------
(* Events of transactions and collectors. Conditions come first: a rejection names the false one. *)

OnBegin(e) ==
    /\ e.txn = NextTs
    /\ e.txn \in Builder => BeginsAboveFence
    /\ BeginAt(e.txn, NextTs)
    /\ Unaffected

\* Who writes a row has read it before, each time.
OnWriteIndex(e) ==
    /\ e.row \in Row /\ e.key \in Index
    /\ T!IsOver(e.txn) \/ OldOf(e.txn, e.row) # {}
    /\ \A x \in kept : x.txn = e.txn /\ x.key = e.key /\ x.delete = e.delete => x.old
    /\ UNCHANGED vars

\* The transaction writes the row together with its index records.
Keeps(t, k) == \E x \in kept : x.txn = t /\ x.row = k

\* It has told of this record, and this was the last that it has told.
IsKept(e) == \E x \in kept : x.txn = e.txn /\ x.key = e.key /\ x.delete = e.delete

\* The keys where the transaction has index records to write. A value of its own that it has replaced, it deletes: equivalent to no write,
\* because nobody else ever has a record there.
ValuesOf(t) == {IndexKey[<<t, k>>] : k \in triggered[t] \ deletes[t]}
TombstonesOf(t) == UNION {Obsolete(t, k) \cup {IndexKey[<<t, k>>]} : k \in triggered[t]}

\* Where there was no row, a delete has nothing to tell the index.
DeletesNothing(e) == e.delete /\ \E r \in OldOf(e.txn, e.key) : r.from = NoTxn

\* Whoever keeps the index has met the trigger, whether the others have or not. Equivalent to triggers of which each is there before the
\* fence: who begins above it has met them all.
OnWrite(e) ==
    /\ e.key \in Index => IsKept(e)
    /\ e.key \in Index /\ ~T!IsOver(e.txn) => e.key \in IF e.delete THEN TombstonesOf(e.txn) ELSE ValuesOf(e.txn)
    /\ Keeps(e.txn, e.key) /\ ~T!IsOver(e.txn) => OldOf(e.txn, e.key) # {} \/ e.key \in writes[e.txn]
    /\ triggers = Row /\ readTs[e.txn] > fencedAt /\ e.key \in Row /\ ~DeletesNothing(e) => Keeps(e.txn, e.key)
    /\ T!OnWrite(e)
    /\ triggered' = IF Keeps(e.txn, e.key) THEN [triggered EXCEPT ![e.txn] = @ \cup {e.key}] ELSE triggered
    /\ UNCHANGED <<triggers, fence, fencedAt, building, populated, lateIndexPuts, readyFrom, drawn>>

\* A transaction whose time is up: see OmidLLTrace, CommitOfAnother.
RequestTooLate(e) ==
    /\ T!IsOver(e.txn)
    /\ IF e.answer < 0 THEN UNCHANGED vars ELSE T!CommitOfAnother(Compared(e.txn), NextTs) /\ Unaffected

Fenced == -13

\* The TM looks at its low watermark first, then at fences, then for conflicts.
OnRequestCommit(e) ==
    /\ e.answer \in {T!Conflict, T!BelowWatermark, Fenced} \/ e.answer = NextTs
    /\ (e.answer = T!BelowWatermark) <=> ~LL!AboveLowWatermark(e.txn)
    /\ (e.answer = Fenced) <=> (LL!AboveLowWatermark(e.txn) /\ ~AboveFence(e.txn))
    /\ (e.answer = T!Conflict) <=> (LL!AboveLowWatermark(e.txn) /\ AboveFence(e.txn) /\ ~NoConflict(e.txn))
    /\ RequestCommit(e.txn) \/ RequestTooLate(e)

\* The TM forgets a fence as it forgets a commit. Equivalent, because its low watermark refuses whom the fence would refuse.
EvictFence(e) ==
    /\ e.commit = fence /\ lowWatermark < fence
    /\ lowWatermark' = fence
    /\ fence' = NoTs
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, stored, commitCell, commitTable,
                   watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults, triggers, triggered, fencedAt,
                   building, populated, lateIndexPuts, readyFrom, drawn>>

\* Or a new TM, which knows nothing; the timestamp that it begins with was left out.
OnEvict(e) ==
    \/ (\E k \in Key : lastCommit[k] = e.commit /\ LL!Evict(k)) /\ Unaffected
    \/ EvictFence(e)
    \/ e.succeeded /\ T!EvictAnother(e) /\ Unaffected

OnRaiseWatermark(e) == T!RaiseAsTheCode(e, NextTs) /\ Unaffected

OnGetRecord(e) ==
    /\ MayUse(e.txn, e.key)
    /\ T!OnGetRecord(e)
    /\ Unaffected

\* A part that has populated a row has stored the index record of whoever wrote it.
WrittenFor(t) == writes[t] \cup {IndexKey[<<t, k>>] : k \in writes[t] \cap UNION {populated[p] : p \in Builder}}

OnCollectVersion(e) ==
    /\ T!CollectVersion(e.met, e.key) \/ T!AlreadyGone(e, WrittenFor(e.met))
    /\ Unaffected

OnCollectTombstone(e) ==
    /\ e.key \in Row \/ T!IsGone(e.met, e.key) \/ IsSettled(e.met, e.key)
    /\ T!OnCollectTombstone(e)
    /\ Unaffected

-----------------------------------------------------------------------------
(* Events of builds *)

\* Also another one, for a build that goes on after the first.
OnFence(e) ==
    /\ e.fence = NextTs
    /\ TriggersEverywhere
    /\ clock' = NextTs
    /\ fence' = NextTs
    /\ fencedAt' = NextTs
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, lastCommit, lowWatermark, stored,
                   commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes,
                   faults, triggers, triggered, building, populated, lateIndexPuts, readyFrom, drawn>>

\* It has its snapshot already. If others are under way, the spec has given them up.
OnBuildBegin(e) ==
    /\ e.txn \in Builder \ building /\ readTs[e.txn] # NoTs
    /\ building' = building \cup {e.txn}
    /\ populated' = [populated EXCEPT ![e.txn] = AlreadyPopulated]
    /\ UNCHANGED <<regular, triggers, triggered, fence, fencedAt, lateIndexPuts, readyFrom, drawn>>

\* The index records of a row that two parts populate are the same: equivalent to those of the first.
PutsIndex(p, k) ==
    /\ p \in Builder /\ PutsInTime(p)
    /\ \E r \in OldOf(p, k) :
        IF r.from = NoTxn THEN UNCHANGED <<stored, commitCell>> ELSE StoreIndex(IndexKey[<<r.from, k>>], StoredAs(p, r.from))
    /\ populated' = [populated EXCEPT ![p] = @ \cup {k}]
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark,
                   commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults, triggers,
                   triggered, fence, fencedAt, building, lateIndexPuts, readyFrom, drawn>>

\* What it has read is what it puts, and where.
OnPopulate(e) ==
    /\ e.txn \in Builder /\ e.key \in Row
    /\ \E r \in OldOf(e.txn, e.key) : r.from = e.met
    /\ IF e.met = NoTxn THEN e.index = NoKey ELSE e.index = IndexKey[<<e.met, e.key>>]
    /\ IF <<"Populate", e.txn, e.key>> \in unlogged THEN UNCHANGED vars ELSE PutsIndex(e.txn, e.key)

\* A part that has populated nothing leaves nothing to another.
OnEndPart(e) ==
    /\ e.txn \in Builder /\ populated[e.txn] # {}
    /\ building' = building \ {e.txn}
    /\ UNCHANGED <<regular, triggers, triggered, fence, fencedAt, populated, lateIndexPuts, readyFrom, drawn>>

\* A second build that was ready later changes nothing.
OnReady(e) ==
    /\ e.txn \in Builder /\ AllPopulated(e.txn)
    /\ readyFrom' = IF readyFrom = NoTs THEN LatestSnapshot(e.txn) ELSE readyFrom
    /\ building' = building \ {e.txn}
    /\ UNCHANGED <<regular, triggers, triggered, fence, fencedAt, populated, lateIndexPuts, drawn>>

-----------------------------------------------------------------------------

Matches(e) ==
    CASE e.action = "Begin" -> OnBegin(e)
      [] e.action = "Write" -> OnWrite(e)
      [] e.action = "RequestCommit" -> OnRequestCommit(e)
      [] e.action = "Evict" -> OnEvict(e)
      [] e.action = "RaiseWatermark" -> OnRaiseWatermark(e)
      [] e.action = "GetRecord" -> OnGetRecord(e)
      [] e.action = "CollectVersion" -> OnCollectVersion(e)
      [] e.action = "CollectTombstone" -> OnCollectTombstone(e)
      [] e.action = "WriteIndex" -> OnWriteIndex(e)
      [] e.action = "Fence" -> OnFence(e)
      [] e.action = "BuildBegin" -> OnBuildBegin(e)
      [] e.action = "Populate" -> OnPopulate(e)
      [] e.action = "EndPart" -> OnEndPart(e)
      [] e.action = "Ready" -> OnReady(e)
      [] OTHER -> T!Matches(e) /\ Unaffected

Match(e) ==
    /\ Matches(e)
    /\ T!Books(e)
    /\ kept' = CASE e.action = "WriteIndex" ->
                    {x \in kept : x.txn # e.txn \/ x.key # e.key}
                        \cup {[txn |-> e.txn, row |-> e.row, key |-> e.key, delete |-> e.delete, old |-> FALSE]}
                 [] e.action \in {"GetRecord", "ReadOwnWrite"} ->
                    {[x EXCEPT !.old = x.old \/ (x.txn = e.txn /\ x.row = e.key)] : x \in kept}
                 [] OTHER -> kept
    /\ T!IsEnd(e) => \A p \in building' : status'[p] # "closed"

-----------------------------------------------------------------------------
(* Silent steps, before the event e *)

PassTimestamps(e) ==
    LET shown == CASE e.action = "Fence" -> e.fence [] e.action = "Evict" -> 0 [] OTHER -> T!ShownTimestamp(e)
    IN  T!PassTo(shown, Span) /\ Unaffected

\* All who write the table keep the index: it shows when they do.
SilentTrigger(e) == e.action = "Fence" /\ \E k \in Row : InstallTrigger(k)

\* Somebody meets an index record that a part has put and not logged yet, or the watermark overtakes the part.
SilentPopulate(e, p, k) ==
    /\ T!WillBeLogged("Populate", p, k) /\ <<"Populate", p, k>> \notin unlogged
    /\ \/ T!IsOvertaken(e, p)
       \/ \E r \in OldOf(p, k) : r.from # NoTxn /\ e.key = IndexKey[<<r.from, k>>] /\ r.from \notin stored[e.key]
    /\ PutsIndex(p, k)
    /\ unlogged' = unlogged \cup {<<"Populate", p, k>>}

Silent(e) ==
    \/ (PassTimestamps(e) \/ SilentTrigger(e)) /\ UNCHANGED unlogged
    \/ \E p \in Builder, k \in Row : SilentPopulate(e, p, k)
    \/ T!SilentRow(e) /\ Unaffected

-----------------------------------------------------------------------------

\* There is nothing at first.
TraceInit ==
    /\ LL!Init
    /\ RecordedInit
    /\ triggers = {}
    /\ triggered = [t \in Txn |-> {}]
    /\ fence = NoTs
    /\ fencedAt = NoTs
    /\ building = {}
    /\ populated = [p \in Builder |-> {}]
    /\ lateIndexPuts = {}
    /\ readyFrom = NoTs
    /\ drawn = {}
    /\ unlogged = {}
    /\ examined = {}
    /\ tried = {}
    /\ kept = {}

TraceNext ==
    /\ matched < Len(Events)
    /\ LET e == Events[matched + 1]
       IN  T!Known(e) /\ (Match(e) \/ (Silent(e) /\ Waits /\ UNCHANGED <<examined, tried, kept>>))

\* What the rest of the search depends on.
Searched == <<T!Searched, index, kept>>
================================================================================
