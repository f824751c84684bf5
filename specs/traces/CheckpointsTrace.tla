--------------------------- MODULE CheckpointsTrace ---------------------------
(***************************************************************************)
(* Is a recorded trace a behaviour of Checkpoints?                         *)
(*                                                                         *)
(* Beside the protocol's events a trace tells what applications found:     *)
(* "Found" is the end of a read, "Listed" that of a snapshot-all. A read   *)
(* is one step of the spec there; the looks before it are held against     *)
(* what the store has, and against the spec's steps for a record without   *)
(* commit cell.                                                            *)
(*                                                                         *)
(* Records are told by their versions, of which Java (CheckpointsFormat)   *)
(* adds those of writes. Silent are, as in OmidLLTrace, single rows of a   *)
(* request that is logged when all its rows are done, and the end of a     *)
(* transaction that the watermark overtakes.                               *)
(*                                                                         *)
(* So far a trace has no fast path, and no faults but delays.              *)
(***************************************************************************)
EXTENDS Checkpoints, Recorded

TracedTxn == Names("txn")
TracedKey == Names("key")
TracedSpan == Constant("span")
TracedLevels == Constant("levels")

NoKey == ""

VARIABLES
    \* What was done silently and is logged later: action, transaction, key, and version where it matters.
    unlogged,
    \* The records that a collector has looked at again.
    examined,
    \* Where the read of each transaction stands: its key, the version that it has met last, and whose levels it passes over.
    place,
    \* How many checkpoints each transaction has made at its last level.
    beyond

traced == <<unlogged, examined, place, beyond>>

WillBeLogged(action, t, k) == Tells(trace, matched, action, t, k)
\* A write at this version of the key is logged later; it is a delete.
WillBeWritten(v, k) == Tells(trace, matched, "written", v, k)
IsDeletion(v, k) == Tells(trace, matched, "tombstone", v, k)

-----------------------------------------------------------------------------
(* Instead of operators of the spec: see the .cfg *)

\* Who is pending is left out. Equivalent, because the read has passed there: whoever was pending then was invalidated, which the looks
\* show, and whoever came since commits above the snapshot. So it is the same as a read that was a single step right then.
DecidedCandidates(t, k) ==
    {r \in stored[k] :
        /\ r.ts < readTs[t] + Levels
        /\ ~IsOwn(t, r.ts)
        /\ IsLastLevel(k, r)
        /\ OutcomeOf(r) > NoTs /\ OutcomeOf(r) < Bound(t)}

\* Without a fast path a store takes every put, and the TM refuses whom it would have refused. Equivalent, because of those who all ask
\* the TM none commits over a newer commit: model Pair2x1, which has no FP writes, keeps all its properties so.
Certified(t, k) == TRUE

-----------------------------------------------------------------------------
(* What is stored *)

Versions(k) == {r.ts : r \in stored[k]}
RecordOf(v, k) == CHOOSE r \in stored[k] : r.ts = v
IsGone(v, k) == v \notin Versions(k)
CellOf(v, k) == IF IsGone(v, k) THEN NoTs ELSE RecordOf(v, k).commit
Without(v, k) == {r \in stored[k] : r.ts # v}

\* The last version below this one.
Below(k, v) == LET before == {x \in Versions(k) : x < v} IN IF before = {} THEN 0 ELSE Last(before)

\* A transaction whose time was up when the watermark was raised, and whose client goes on until it notices.
IsOver(t) == status[t] # "active" /\ \E x \in unlogged : x[1] \in {"Rollback", "EndReadOnly"} /\ x[2] = t

Silently(action, t, k) == \E x \in unlogged : x[1] = action /\ x[2] = t /\ x[3] = k

-----------------------------------------------------------------------------
(* Events. Conditions come first: a rejection names the false one. *)

OnBegin(e) ==
    /\ e.txn = NextTs
    /\ Begin(e.txn)

\* Whose time was up goes on counting. Equivalent to a checkpoint before that.
CountsLevel(e) ==
    /\ level' = [level EXCEPT ![e.txn] = IF e.level < Levels THEN e.level ELSE @]
    /\ UNCHANGED <<status, readTs, commitTs, excluding, wrote, todo, cursor, tm, stored, table, lvc, latePuts, history, faults>>

\* The code refuses the first write after one checkpoint too many, the spec that checkpoint. Equivalent: who writes no more reads as
\* after a snapshot.
OnCheckpoint(e) ==
    /\ e.level = level[e.txn] + beyond[e.txn] + 1
    /\ IF IsOver(e.txn) THEN CountsLevel(e)
       ELSE IF e.level < Levels THEN Checkpoint(e.txn)
       ELSE IF excluding[e.txn] THEN TakeSnapshot(e.txn) ELSE UNCHANGED vars

OnTakeSnapshot(e) == TakeSnapshot(e.txn) \/ ((IsOver(e.txn) \/ beyond[e.txn] > 0) /\ UNCHANGED vars)

\* Whose time was up does not notice it when it writes. Equivalent to a put that came in time: a collector has removed its record, and
\* a copy of it comes now.
WriteTooLate(t, k, content) ==
    LET gone == content = "tombstone"
    IN  /\ IsOver(t) /\ level[t] \notin LevelsOf(t, k)
        /\ stored' = [stored EXCEPT ![k] = Put(@, [ts |-> WritePoint(t), by |-> t, gone |-> gone, commit |-> NoTs])]
        /\ wrote' = [wrote EXCEPT ![t] = @ \cup {[key |-> k, level |-> level[t], gone |-> gone]}]
        /\ todo' = [todo EXCEPT ![t] = @ \cup {[key |-> k, ts |-> WritePoint(t)]}]
        /\ UNCHANGED <<status, readTs, commitTs, level, excluding, cursor, tm, table, lvc, latePuts, history, faults>>

Writes(t, k, content) == Write(t, k, content) \/ WriteTooLate(t, k, content)

OnWrite(e) ==
    /\ e.version = WritePoint(e.txn)
    /\ beyond[e.txn] = 0
    /\ IF Silently("Write", e.txn, e.key) THEN UNCHANGED vars ELSE Writes(e.txn, e.key, IF e.delete THEN "tombstone" ELSE "value")

\* From memory: what the transaction has stored at its present level.
OnReadOwnWrite(e) ==
    /\ level[e.txn] \in LevelsOf(e.txn, e.key)
    /\ UNCHANGED vars

\* A read looks below its snapshot, or, if it has left records to the store, below what it writes now.
OnGetRecord(e) ==
    /\ cursor[e.txn].step = "none"
    /\ IF place[e.txn].key = e.key THEN e.met = Below(e.key, place[e.txn].met)
       ELSE place[e.txn].key = NoKey /\ e.met \in {Below(e.key, readTs[e.txn]), Below(e.key, WritePoint(e.txn) + 1)}
    /\ e.commit = CellOf(e.met, e.key)
    /\ IF e.met = 0 \/ e.met >= readTs[e.txn] \/ e.commit # NoTs \/ BaseOf(e.met) = place[e.txn].passed THEN UNCHANGED vars
       ELSE GetRecord(e.txn, e.key) /\ cursor'[e.txn].ts = e.met

\* The reader is at this step of a read.
IsAt(t, step) == cursor[t].step = step
Meets(t, v) == cursor[t].ts = v
MeetsWriter(t, w) == RowOf(cursor[t].ts) = w
ReadsKey(t, k) == cursor[t].key = k

OnGetCommitEntry(e) ==
    /\ IsAt(e.txn, "entry")
    /\ MeetsWriter(e.txn, e.met)
    /\ e.entry = EntryAt(e.met)
    /\ GetCommitEntry(e.txn)

OnHealCommitCell(e) ==
    /\ IsAt(e.txn, "heal")
    /\ Meets(e.txn, e.met)
    /\ ReadsKey(e.txn, e.key)
    /\ e.commit = cursor[e.txn].commit
    /\ HealsMet(e.key, e.met)
    /\ HealCommitCell(e.txn)

Collected == -2

\* What check-and-mutate to the marker, or to a commit timestamp, answers.
Answer(row, below) == IF EntryAt(row) # NoTs THEN EntryAt(row) ELSE IF row < watermark THEN below ELSE NoTs

OnInvalidatePending(e) ==
    /\ IsAt(e.txn, "pending")
    /\ MeetsWriter(e.txn, e.met)
    /\ e.previous = Answer(e.met, Invalidated)
    /\ InvalidatesMet(e.txn, cursor[e.txn].key)
    /\ UNCHANGED <<doing, tm, stored, watermark, lvc, latePuts, history, faults>>

LastCell(k, v) == IF LevelsNow(k, v) = {} THEN NoTs ELSE Newest(LevelsNow(k, v)).commit

OnReReadRecord(e) ==
    /\ IsAt(e.txn, "reread")
    /\ Meets(e.txn, e.met)
    /\ ReadsKey(e.txn, e.key)
    /\ e.gone = (LevelsNow(e.key, e.met) = {})
    /\ e.commit = LastCell(e.key, e.met)
    /\ ReReadRecord(e.txn)

OnRemoveFalseInvalidation(e) ==
    /\ IsAt(e.txn, "repair")
    /\ MeetsWriter(e.txn, e.met)
    /\ RemoveFalseInvalidation(e.txn)

\* A transaction does one thing after the other.
LooksNowhere(t) == place[t].key = NoKey

\* What is buffered and was not sent is no write of the spec yet.
IsBuffered(t, k, v) == v = WritePoint(t) /\ level[t] \notin LevelsOf(t, k)

\* The version found is that of the spec's record. A tombstone that hides nothing may be collected since it was read.
IsFound(records, v, deleted) ==
    IF records = {} THEN v = 0 \/ deleted ELSE v = Newest(records).ts /\ deleted = Newest(records).gone

IsLastMet(t, k, v) == place[t].key = k /\ place[t].met = v

\* What the application gets.
OnFound(e) ==
    /\ cursor[e.txn].step = "none"
    /\ IF IsOver(e.txn) THEN UNCHANGED vars
       ELSE IF ~excluding[e.txn] /\ IsBuffered(e.txn, e.key, e.version) THEN LooksNowhere(e.txn) /\ UNCHANGED vars
       ELSE /\ IF OwnRecords(e.txn, e.key) # {} THEN LooksNowhere(e.txn) /\ IsFound(OwnRecords(e.txn, e.key), e.version, e.delete)
               ELSE IsLastMet(e.txn, e.key, e.version) /\ IsFound(Candidates(e.txn, e.key), e.version, e.delete)
            /\ Read(e.txn, e.key)

\* The numbers whose bits are set.
Bits(n) == {l \in 0..(Levels - 1) : (n \div 2^l) % 2 = 1}

OwnStored(t, k) == {r \in stored[k] : IsOwn(t, r.ts)}
ListedLevels(t, k) == {r.ts - readTs[t] : r \in OwnStored(t, k)}
ListedTombstones(t, k) == {r.ts - readTs[t] : r \in {x \in OwnStored(t, k) : x.gone}}
\* The level whose write is not sent yet, if there is one.
Unsent(t, k) == {level[t]} \ LevelsOf(t, k)

OnListed(e) ==
    /\ cursor[e.txn].step = "none"
    /\ IF IsOver(e.txn) THEN UNCHANGED vars
       ELSE /\ ListedLevels(e.txn, e.key) = Bits(e.levels) \ Unsent(e.txn, e.key)
            /\ ListedTombstones(e.txn, e.key) = Bits(e.tombstones) \ Unsent(e.txn, e.key)
            /\ IsLastMet(e.txn, e.key, e.version)
            /\ IsFound(Candidates(e.txn, e.key), e.version, e.delete)
            /\ ReadAll(e.txn, e.txn, e.key)

OnEndReadOnly(e) ==
    /\ EndReadOnly(e.txn) \/ (Silently("EndReadOnly", e.txn, NoKey) /\ UNCHANGED vars)

\* Equivalent to the end of a transaction without writes, of which its client is told otherwise.
EndsUnwritten(t) ==
    /\ status[t] = "active" /\ wrote[t] = {}
    /\ status' = [status EXCEPT ![t] = "aborted"]
    /\ UNCHANGED <<readTs, commitTs, level, excluding, wrote, todo, cursor, tm, stored, table, lvc, latePuts, history, faults>>

OnRollback(e) ==
    Rollback(e.txn) \/ EndsUnwritten(e.txn) \/ (Silently("Rollback", e.txn, NoKey) /\ UNCHANGED vars)

OnCleanUp(e) == IF Silently("CleanUp", e.txn, e.key) THEN UNCHANGED vars ELSE CleanUp(e.txn, e.key)

Conflict == -11

\* See OmidLLTrace, CommitOfAnother.
RequestTooLate(e) ==
    /\ IsOver(e.txn)
    /\ IF e.answer = Conflict THEN UNCHANGED vars
       ELSE /\ clock' = NextTs
            /\ lastCommit' = [k \in Key |-> IF k \in Written(e.txn) THEN NextTs ELSE lastCommit[k]]
            /\ UNCHANGED <<client, stored, table, lvc, latePuts, history, faults>>

HasConflict(t) == \E k \in Written(t) : lastCommit[k] >= readTs[t]

OnRequestCommit(e) ==
    /\ e.answer \in {Conflict, NextTs}
    /\ (e.answer = Conflict) <=> HasConflict(e.txn)
    /\ RequestCommit(e.txn) \/ RequestTooLate(e)

OnWriteCommitEntry(e) ==
    /\ e.commit = e.given
    /\ e.previous = Answer(e.txn, Collected)
    /\ \/ WriteCommitEntry(e.txn)
       \/ (IsOver(e.txn) \/ Silently("WriteCommitEntry", e.txn, NoKey)) /\ e.previous # NoTs /\ UNCHANGED vars

OnPostCommit(e) ==
    /\ e.commit = commitTs[e.txn]
    /\ PostCommit(e.txn, e.key) \/ (Silently("PostCommit", e.txn, e.key) /\ UNCHANGED vars)

OnRemoveCommitEntry(e) == RemoveCommitEntry(e.txn)

\* The lowest of the spec's watermarks that refuses the same transactions; no transaction lies between the two.
Rounded(ts) ==
    LET above == {r \in {readTs[t] : t \in Txn} : r >= ts}
    IN  IF above = {} THEN NextTs ELSE CHOOSE r \in above : \A x \in above : r <= x

\* These have not ended, and the watermark overtakes them.
Overtaken(ts) == {t \in Txn : status[t] \in {"active", "certified"} /\ readTs[t] < ts}

OnRaiseWatermark(e) ==
    /\ e.others \/ e.raised <= e.watermark
    /\ e.watermark <= NextTs
    /\ Overtaken(e.watermark) = {}
    /\ \/ RaiseWatermark /\ watermark' = Rounded(e.watermark)
       \/ watermark >= Rounded(e.watermark) /\ UNCHANGED vars

IsBelowWatermark(v) == RowOf(v) < watermark

\* What is collected has been written, and may be gone already: its client or another collector was faster.
WasWritten(v, k) == \E t \in Txn : \E x \in wrote[t] : x.key = k /\ readTs[t] + x.level = v
AlreadyGone(e) == WasWritten(e.met, e.key) /\ IsBelowWatermark(e.met) /\ IsGone(e.met, e.key) /\ UNCHANGED vars

\* Another may have been faster: then the cell is as the collector writes it, or the record is gone.
OnHealLeftover(e) ==
    /\ IsBelowWatermark(e.met)
    /\ RowOf(e.met) \in committed /\ e.commit = commitTs[RowOf(e.met)]
    /\ IF CellOf(e.met, e.key) # NoTs THEN UNCHANGED vars
       ELSE AlreadyGone(e) \/ (HealLeftover(e.key) /\ stored'[e.key] = Heal(stored[e.key], e.met, e.commit))

\* A marker may be gone since the collector was told of it.
OnInspectLeftover(e) ==
    /\ IsBelowWatermark(e.met)
    /\ e.entry \in {NoTs, Invalidated}
    /\ EntryAt(RowOf(e.met)) \in {NoTs, e.entry}
    /\ e.gone = IsGone(e.met, e.key)
    /\ e.commit = CellOf(e.met, e.key)
    /\ UNCHANGED vars

IsExamined(v, k) == <<k, v>> \in examined
Takes(e) == ~IsGone(e.met, e.key) /\ stored'[e.key] = Without(e.met, e.key)

OnCleanLeftover(e) ==
    /\ e.others \/ IsExamined(e.met, e.key)
    /\ (IsExamined(e.met, e.key) /\ CleanLeftover(e.key) /\ Takes(e)) \/ AlreadyGone(e)

OnDropLevel(e) == (DropLevel(e.key) /\ Takes(e)) \/ (e.others /\ AlreadyGone(e))
OnCollectVersion(e) == (CollectVersion(e.key) /\ Takes(e)) \/ (e.others /\ AlreadyGone(e))
OnCollectTombstone(e) == (CollectTombstone(e.key) /\ Takes(e)) \/ (e.others /\ AlreadyGone(e))

\* Or it is gone already: its client or another collector was faster. Who writes nothing never has one.
OnCollectEntry(e) ==
    \/ EntryAt(e.met) # NoTs /\ CollectEntry /\ commitTable' = {x \in commitTable : x.row # e.met}
    \/ /\ wrote[e.met] # {} /\ e.met < watermark /\ EntryAt(e.met) = NoTs
       /\ e.others \/ status[e.met] = "closed"
       /\ UNCHANGED vars

\* The account: see OmidLLTrace. What somebody read for whom it was too late is no read of the spec.
ReadsOf(t) ==
    {[key |-> x.key, from |-> x.from] : x \in {y \in reads[t] : ~y.own}} \cup {[key |-> x.key, from |-> x.before] : x \in listed[t]}

OnTransaction(e) ==
    /\ e.entry = EntryAt(e.met)
    /\ e.told = "committed" => status[e.met] \in {"committed", "closed"}
    /\ e.told = "aborted" => status[e.met] = "aborted"
    /\ e.told = "committed" => e.reads = Cardinality({x.key : x \in ReadsOf(e.met)})
    /\ UNCHANGED vars

OnRead(e) ==
    /\ [key |-> e.key, from |-> e.from] \in ReadsOf(e.met) \/ status[e.met] = "aborted"
    /\ UNCHANGED vars

\* What is left of a write at some level.
OnRecord(e) ==
    /\ e.gone = IsGone(e.met, e.key)
    /\ e.commit = CellOf(e.met, e.key)
    /\ e.delete <=> ~IsGone(e.met, e.key) /\ RecordOf(e.met, e.key).gone
    /\ UNCHANGED vars

Known(e) == e.txn \in Txn \cup {NoTxn} /\ (e.met = NoTs \/ RowOf(e.met) \in Txn) /\ (e.action = "Transaction" => e.met \in Txn)

Matches(e) ==
    CASE e.action = "Begin" -> OnBegin(e)
      [] e.action = "Checkpoint" -> OnCheckpoint(e)
      [] e.action = "TakeSnapshot" -> OnTakeSnapshot(e)
      [] e.action = "Write" -> OnWrite(e)
      [] e.action = "ReadOwnWrite" -> OnReadOwnWrite(e)
      [] e.action = "GetRecord" -> OnGetRecord(e)
      [] e.action = "GetCommitEntry" -> OnGetCommitEntry(e)
      [] e.action = "HealCommitCell" -> OnHealCommitCell(e)
      [] e.action = "InvalidatePending" -> OnInvalidatePending(e)
      [] e.action = "ReReadRecord" -> OnReReadRecord(e)
      [] e.action = "RemoveFalseInvalidation" -> OnRemoveFalseInvalidation(e)
      [] e.action = "Found" -> OnFound(e)
      [] e.action = "Listed" -> OnListed(e)
      [] e.action = "EndReadOnly" -> OnEndReadOnly(e)
      [] e.action = "Rollback" -> OnRollback(e)
      [] e.action = "CleanUp" -> OnCleanUp(e)
      [] e.action = "RequestCommit" -> OnRequestCommit(e)
      [] e.action = "WriteCommitEntry" -> OnWriteCommitEntry(e)
      [] e.action = "PostCommit" -> OnPostCommit(e)
      [] e.action = "RemoveCommitEntry" -> OnRemoveCommitEntry(e)
      [] e.action = "RaiseWatermark" -> OnRaiseWatermark(e)
      [] e.action = "HealLeftover" -> OnHealLeftover(e)
      [] e.action = "InspectLeftover" -> OnInspectLeftover(e)
      [] e.action = "CleanLeftover" -> OnCleanLeftover(e)
      [] e.action = "DropLevel" -> OnDropLevel(e)
      [] e.action = "CollectEntry" -> OnCollectEntry(e)
      [] e.action = "CollectVersion" -> OnCollectVersion(e)
      [] e.action = "CollectTombstone" -> OnCollectTombstone(e)
      [] e.action = "Transaction" -> OnTransaction(e)
      [] e.action = "Read" -> OnRead(e)
      [] e.action = "Record" -> OnRecord(e)

\* What is logged now. A late commit request is noticed to be late when the commit table refuses its entry.
Noted(e) ==
    LET same == {x \in unlogged : x[2] = e.txn /\ x[1] = e.action /\ x[3] = e.key}
        ended == {x \in unlogged : x[2] = e.txn /\ x[1] = "Rollback"}
    IN  IF e.action = "WriteCommitEntry" \/ (e.action = "RequestCommit" /\ e.answer = Conflict) THEN same \cup ended
        ELSE IF same = {} THEN {} ELSE {CHOOSE x \in same : \A y \in same : x[4] <= y[4]}

NowhereYet == [key |-> NoKey, met |-> 0, passed |-> 0]

PlaceAfter(e) ==
    CASE e.action = "GetRecord" ->
            [place EXCEPT ![e.txn] = [key |-> e.key, met |-> e.met,
                passed |-> IF e.met = 0 \/ e.met >= readTs[e.txn] THEN place[e.txn].passed ELSE BaseOf(e.met)]]
      [] e.action \in {"Found", "Listed"} -> [place EXCEPT ![e.txn] = NowhereYet]
      [] OTHER -> place

\* Every client has come to its end; but the cleaning up below the watermark may be left out.
AllEnded ==
    /\ unlogged = {}
    /\ \A t \in Txn :
        /\ status[t] \notin {"active", "certified", "committed"}
        /\ status[t] = "aborted" => todo[t] \in {{}, IF IsBelowWatermark(t) THEN AllRecords(t) ELSE {}}

Match(e) ==
    /\ e.action \in {"Checkpoint", "TakeSnapshot", "Write", "ReadOwnWrite", "EndReadOnly", "RequestCommit"} => LooksNowhere(e.txn)
    /\ Matches(e)
    /\ unlogged' = unlogged \ Noted(e)
    /\ examined' = IF e.action = "InspectLeftover" /\ ~e.gone THEN examined \cup {<<e.key, e.met>>}
                   ELSE IF e.action = "CleanLeftover" THEN examined \ {<<e.key, e.met>>} ELSE examined
    /\ place' = PlaceAfter(e)
    /\ beyond' = IF e.action = "Checkpoint" /\ e.level >= Levels THEN [beyond EXCEPT ![e.txn] = @ + 1] ELSE beyond
    /\ Advances
    /\ matched + 1 = Len(Events) => AllEnded'

-----------------------------------------------------------------------------
(* Silent steps, before the event e *)

ShownTimestamp(e) ==
    CASE e.action = "Begin" -> e.txn [] e.action = "RequestCommit" -> e.answer [] e.action = "RaiseWatermark" -> e.watermark [] OTHER -> NoTs

\* The TM leaves timestamps out. Equivalent, because a timestamp that nobody holds is compared with nothing.
PassTimestamps(e) ==
    /\ NextTs < ShownTimestamp(e)
    /\ clock' = ShownTimestamp(e) - Span
    /\ UNCHANGED <<client, lastCommit, stored, table, lvc, latePuts, history, faults>>

Early(action, t, k, v) == unlogged' = unlogged \cup {<<action, t, k, v>>}

Looks == {"GetRecord", "ReReadRecord", "InspectLeftover", "Record"}

\* Somebody meets a record whose writer has not been answered yet.
SilentWrite(e, t, k) ==
    /\ e.action \in Looks /\ ~e.gone /\ e.met = WritePoint(t) /\ IsGone(e.met, k)
    /\ WillBeWritten(e.met, k)
    /\ Writes(t, k, IF IsDeletion(e.met, k) THEN "tombstone" ELSE "value")
    /\ Early("Write", t, k, e.met)

\* The commit cell of one row of several.
NeedsCell(e, t, k) ==
    \/ e.action \in Looks /\ e.key = k /\ RowOf(e.met) = t /\ e.commit > NoTs /\ CellOf(e.met, k) = NoTs
    \/ e.action \in {"CollectVersion", "CollectTombstone", "DropLevel"} /\ e.key = k
    \/ e.action = "CollectEntry" /\ e.met = t

SilentPostCommit(e, t, k) ==
    /\ NeedsCell(e, t, k) /\ WillBeLogged("PostCommit", t, k)
    /\ PostCommit(t, k)
    /\ Early("PostCommit", t, k, 0)

\* Versions that are not there any more.
ShownGone(e) ==
    CASE e.action = "GetRecord" ->
            LET top == IF place[e.txn].key = e.key THEN place[e.txn].met ELSE readTs[e.txn] IN {v \in Versions(e.key) : e.met < v /\ v < top}
      [] e.action = "ReReadRecord" -> {r.ts : r \in LevelsNow(e.key, e.met)}
      [] e.action \in {"InspectLeftover", "Record"} -> IF e.gone THEN {e.met} \cap Versions(e.key) ELSE {}
      [] e.action = "CollectTombstone" -> {v \in Versions(e.key) : v < e.met}
      [] OTHER -> {}

\* Its client has removed one, and others not yet.
SilentCleanUp(e, v) ==
    LET t == RowOf(v)
    IN  /\ WillBeLogged("CleanUp", t, e.key)
        /\ CleanUp(t, e.key) /\ stored'[e.key] = Without(v, e.key)
        /\ Early("CleanUp", t, e.key, v)

\* Its time is up. In the middle of a read it is left where it stands: nothing depends on it. The entry of who is certified will be
\* refused; the spec has the watermark wait for him. Equivalent to a marker that somebody reading has set, and that was collected.
SilentEnd(e, t) ==
    /\ e.action = "RaiseWatermark"
    /\ IF status[t] = "certified" THEN Early("WriteCommitEntry", t, NoKey, 0)
       ELSE IF WillBeLogged("EndReadOnly", t, NoKey) THEN Early("EndReadOnly", t, NoKey, 0)
       ELSE Early("Rollback", t, NoKey, 0)
    /\ IF status[t] = "active" /\ WillBeLogged("EndReadOnly", t, NoKey)
       THEN status' = [status EXCEPT ![t] = "closed"] /\ UNCHANGED todo
       ELSE Aborting(t)
    /\ UNCHANGED <<readTs, commitTs, level, excluding, wrote, cursor, tm, stored, table, lvc, latePuts, history, faults>>

\* A reader does not heal: its settings say so, or there is a later level. Equivalent to another reader, which began right before
\* and stops here.
LeavesCell(e, t) ==
    /\ cursor[t].step = "heal" /\ e.txn = t /\ e.action # "HealCommitCell"
    /\ GoTo(t, "none", NoTs)
    /\ UNCHANGED <<doing, tm, stored, table, lvc, latePuts, history, faults>>

Silent(e) ==
    \/ PassTimestamps(e) /\ UNCHANGED unlogged
    \/ \E t \in {RowOf(e.met)} \cap Txn, k \in {e.key} \cap Key : SilentWrite(e, t, k)
    \/ \E t \in committed, k \in (IF e.action = "CollectEntry" THEN Key ELSE {e.key} \cap Key) : SilentPostCommit(e, t, k)
    \/ e.key \in Key /\ \E v \in ShownGone(e) : SilentCleanUp(e, v)
    \/ e.action = "RaiseWatermark" /\ \E t \in Overtaken(e.watermark) : SilentEnd(e, t)
    \/ \E t \in {e.txn} \cap Txn : LeavesCell(e, t) /\ UNCHANGED unlogged

-----------------------------------------------------------------------------

TraceInit ==
    /\ Init
    /\ RecordedInit
    /\ unlogged = {}
    /\ examined = {}
    /\ place = [t \in Txn |-> NowhereYet]
    /\ beyond = [t \in Txn |-> 0]

TraceNext ==
    /\ matched < Len(Events)
    /\ LET e == Events[matched + 1]
       IN  Known(e) /\ (Match(e) \/ (Silent(e) /\ Waits /\ UNCHANGED <<examined, place, beyond>>))
================================================================================
