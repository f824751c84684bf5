------------------------------ MODULE IndexFence ------------------------------
(***************************************************************************)
(* A secondary index that is built while its table is written (VLDB'18     *)
(* section 6.1), on top of the transactions of OmidLL.tla.                 *)
(*                                                                         *)
(* The index has a record for each row of the table, at a key that is a    *)
(* function of the row's value. It is built in four steps:                 *)
(*                                                                         *)
(*   1. Every region of the table gets the trigger: from now on            *)
(*      whoever puts a row also writes the index records that change       *)
(*      by that, tentative ones of his transaction. Fast-path writes,      *)
(*      which cannot do so, are refused from then on.                      *)
(*   2. The fence: a timestamp of the transaction manager (TM). Who        *)
(*      began below it and wrote the table is refused at commit. So        *)
(*      whoever commits above it began above it, and has met the           *)
(*      trigger.                                                           *)
(*   3. A build: transactions, one after the other, that begin above the   *)
(*      fence. Each reads some rows of the table in its snapshot and       *)
(*      populates the index with them, with records that are born          *)
(*      committed, and without looking for conflicts. The next one, a      *)
(*      part of the build, goes on where the last one stopped or died. So  *)
(*      no transaction lives longer than others, and nobody holds the      *)
(*      collector up until a large table is done.                          *)
(*   4. The index is ready, for snapshots from the last part's on.         *)
(*                                                                         *)
(* A build puts what the trigger would have put, had it been there: at the *)
(* version and with the commit timestamp of the row's record. Then the     *)
(* versions and commits of an index key are in the same order, a put may   *)
(* be repeated, and another part may go on where one has died. At the      *)
(* part's own version it would lie above what was deleted by somebody who  *)
(* began before the part and commits after it.                             *)
(*                                                                         *)
(* Index records are not in the write set that the TM compares: whoever    *)
(* writes one writes its row. They are in the client's own list, which it  *)
(* heals or cleans in the end; after its death the collector does.         *)
(*                                                                         *)
(* A region is a row here. What a transaction does apart from that is      *)
(* taken from OmidLL (LL!Write and so on). Fast-path writes are reduced to *)
(* what matters here: the draw of a version, and the record, committed at  *)
(* that version, that can be read some time later.                         *)
(*                                                                         *)
(* A comment that begins with "Guard" marks an operator whose removal must *)
(* violate a property: specs/mutants/IndexFence has a mutant for each.     *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
    \* @type: Set(TXN);
    Txn,
    \* The rows of the table.
    \* @type: Set(KEY);
    Row,
    \* The function of the index: the key for a transaction's value of a row. Different rows have different keys.
    \* @type: <<TXN, KEY>> -> KEY;
    IndexKey,
    \* No transaction: whence a read of a missing key comes.
    \* @type: TXN;
    NoTxn,
    \* No key: what a client reads that reads nothing.
    \* @type: KEY;
    NoKey,
    \* What a write of a row may store: a subset of {"value", "tombstone"}.
    \* @type: Set(Str);
    Contents,
    \* Who wrote all the rows that are there at first.
    \* @type: TXN;
    First,
    \* The transactions that build the index, one after the other: the parts of the build.
    \* @type: Set(TXN);
    Builder,
    \* The transactions that take the fast path.
    \* @type: Set(TXN);
    Fast,
    \* The transactions whose writes the TM need not compare, since nobody else writes their rows.
    \* @type: Set(TXN);
    ConflictFree,
    \* The distance of two timestamps of the TM; the versions of fast-path writes fit in between.
    \* @type: Int;
    Span

Index == {IndexKey[e] : e \in DOMAIN IndexKey}
Key == Row \cup Index

\* The variables of OmidLL. The index's records are among the others in all of them. A fast-path transaction has the version that it
\* drew as readTs and commitTs; it is idle until its record can be read, then closed.
VARIABLES
    \* @type: TXN -> Str;
    status,
    \* @type: TXN -> Int;
    readTs,
    \* @type: TXN -> Int;
    commitTs,
    \* @type: TXN -> Set(KEY);
    writes,
    \* @type: TXN -> Set(KEY);
    deletes,
    \* @type: TXN -> Set(KEY);
    unanswered,
    \* @type: TXN -> Set(KEY);
    todo,
    \* @type: TXN -> { step: Str, key: KEY, met: TXN };
    cursor,
    \* @type: Int;
    clock,
    \* @type: KEY -> Int;
    lastCommit,
    \* @type: Int;
    lowWatermark,
    \* @type: KEY -> Set(TXN);
    stored,
    \* @type: KEY -> (TXN -> Int);
    commitCell,
    \* @type: TXN -> Int;
    commitTable,
    \* @type: Int;
    watermark,
    \* @type: Set(<<KEY, TXN>>);
    inspected,
    \* @type: Set(<<KEY, TXN>>);
    latePuts,
    \* @type: Set(TXN);
    lateEntries,
    \* @type: Set(TXN);
    committed,
    \* @type: TXN -> Set({ key: KEY, from: TXN, own: Bool });
    reads,
    \* @type: TXN -> Set(TXN);
    precedes,
    \* @type: Int;
    faults

LL == INSTANCE OmidLL

NoTs == LL!NoTs

-----------------------------------------------------------------------------
(* What the index adds *)

\* The rows whose region has the trigger.  VLDB'18 sec. 6.1  Lane: key
VARIABLE
    \* @type: Set(KEY);
    triggers
TypeOKTriggers == triggers \subseteq Row

\* The rows whose put by a transaction met the trigger.  Lane: client
VARIABLE
    \* @type: TXN -> Set(KEY);
    triggered
TypeOKTriggered == \A t \in Txn : triggered[t] \subseteq writes[t] \cap Row

\* The table's fence in the TM's memory.  VLDB'18 sec. 6.1  Lane: TM
VARIABLE
    \* @type: Int;
    fence
TypeOKFence == fence \in Nat

\* The fence that the TM has answered to whoever creates the index.  Lane: client
VARIABLE
    \* @type: Int;
    fencedAt
TypeOKFencedAt == fencedAt \in Nat

\* The part of the build that is under way. One that was given up may go on: it is not told.  Lane: client
VARIABLE
    \* @type: Set(TXN);
    building
TypeOKBuilding == building \subseteq Builder /\ Cardinality(building) <= 1

\* The rows of which a part knows that their index record was put and answered, by itself or by a part before it.  Lane: client
VARIABLE
    \* @type: TXN -> Set(KEY);
    populated
TypeOKPopulated == populated \in [Builder -> SUBSET Row]

\* Puts of builds that were sent and may still arrive: the index record, and whose record of the row it is for.  Lane: key
VARIABLE
    \* @type: Set(<<KEY, TXN>>);
    lateIndexPuts
TypeOKLateIndexPuts == lateIndexPuts \subseteq Index \X Txn

\* From this timestamp on the index is ready; NoTs while it is not.  Lane: client
VARIABLE
    \* @type: Int;
    readyFrom
TypeOKReadyFrom == readyFrom \in Nat

\* The fast-path writes that have drawn their version and cannot be read yet.  Lane: key
VARIABLE
    \* @type: Set(<<KEY, TXN>>);
    drawn
TypeOKDrawn == drawn \subseteq Row \X Fast

regular ==
    <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, stored,
      commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults>>
index == <<triggers, triggered, fence, fencedAt, building, populated, lateIndexPuts, readyFrom, drawn>>
vars == <<regular, index>>

TypeOK ==
    /\ LL!TypeOK
    /\ TypeOKTriggers /\ TypeOKTriggered /\ TypeOKFence /\ TypeOKFencedAt /\ TypeOKBuilding /\ TypeOKPopulated
    /\ TypeOKLateIndexPuts /\ TypeOKReadyFrom /\ TypeOKDrawn

\* The clock of the TM after its next step.
NextTs == clock + Span

\* The rows are there, and committed; there is no index.
Init ==
    /\ status = [t \in Txn |-> IF t = First THEN "closed" ELSE "idle"]
    /\ readTs = [t \in Txn |-> IF t = First THEN Span ELSE NoTs]
    /\ commitTs = [t \in Txn |-> IF t = First THEN 2 * Span ELSE NoTs]
    /\ writes = [t \in Txn |-> IF t = First THEN Row ELSE {}]
    /\ deletes = [t \in Txn |-> {}]
    /\ unanswered = [t \in Txn |-> {}]
    /\ todo = [t \in Txn |-> {}]
    /\ cursor = [t \in Txn |-> LL!NoRead]
    /\ clock = 2 * Span
    /\ lastCommit = [k \in Key |-> IF k \in Row THEN 2 * Span ELSE NoTs]
    /\ lowWatermark = 0
    /\ stored = [k \in Key |-> IF k \in Row THEN {First} ELSE {}]
    /\ commitCell = [k \in Key |-> [t \in Txn |-> IF k \in Row /\ t = First THEN 2 * Span ELSE NoTs]]
    /\ commitTable = [t \in Txn |-> NoTs]
    /\ watermark = 0
    /\ inspected = {}
    /\ latePuts = {}
    /\ lateEntries = {}
    /\ committed = {First}
    /\ reads = [t \in Txn |-> {}]
    /\ precedes = [t \in Txn |-> {}]
    /\ faults = 0
    /\ triggers = {}
    /\ triggered = [t \in Txn |-> {}]
    /\ fence = NoTs
    /\ fencedAt = NoTs
    /\ building = {}
    /\ populated = [p \in Builder |-> {}]
    /\ lateIndexPuts = {}
    /\ readyFrom = NoTs
    /\ drawn = {}

\* What the application may read and write next, what may go wrong, and whether the watermark may go up; models restrict it.
\* @type: (TXN, KEY) => Bool;
MayRead(t, k) == TRUE
\* @type: (TXN, KEY, Str) => Bool;
MayWrite(t, k, content) == TRUE
\* @type: Bool;
MayFail == TRUE
\* @type: Bool;
MayRaise == TRUE

-----------------------------------------------------------------------------
(* The trigger and the fence *)

\* The region of a row has the trigger from now on.  VLDB'18 sec. 6.1: "installs a coprocessor"
\* It need not wait for fast-path writes in flight: their versions are below the fence, and the build waits for them, as each read.
InstallTrigger(k) ==
    /\ k \notin triggers
    /\ triggers' = triggers \cup {k}
    /\ UNCHANGED <<regular, triggered, fence, fencedAt, building, populated, lateIndexPuts, readyFrom, drawn>>

\* Guard (VLDB'18 sec. 6.1): every region has the trigger before the fence is asked for. Who begins above the fence and puts where
\* the trigger is missing, commits without an index record.
TriggersEverywhere == triggers = Row

\* The TM increments its clock and remembers the fence.  VLDB'18 sec. 6.1
\* One action. Argued, not checked: whoever asks does nothing between request and answer.
Fence ==
    /\ fencedAt = NoTs
    /\ TriggersEverywhere
    /\ clock' = NextTs
    /\ fence' = NextTs
    /\ fencedAt' = NextTs
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, lastCommit, lowWatermark, stored,
                   commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes,
                   faults, triggers, triggered, building, populated, lateIndexPuts, readyFrom, drawn>>

-----------------------------------------------------------------------------
(* Writers *)

\* A timestamp of the TM becomes the transaction's snapshot.
BeginAt(t, ts) ==
    /\ status[t] = "idle"
    /\ clock' = NextTs
    /\ readTs' = [readTs EXCEPT ![t] = ts]
    /\ status' = [status EXCEPT ![t] = "active"]
    /\ precedes' = [precedes EXCEPT ![t] = {a \in Txn : status[a] \in {"committed", "closed"}}]
    /\ UNCHANGED <<commitTs, writes, deletes, unanswered, todo, cursor, lastCommit, lowWatermark, stored, commitCell,
                   commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, faults>>

\* The TM gives the next timestamp.  VLDB'18 Alg. 2, Begin
Begin(t) ==
    /\ t \notin Builder \cup Fast
    /\ BeginAt(t, NextTs)
    /\ UNCHANGED index

\* What the transaction has read of the row, before it wrote it.
OldOf(t, k) == {r \in reads[t] : r.key = k /\ ~r.own}

\* Guard (VLDB'18 sec. 6.2): the trigger deletes the index record of the row's value in the transaction's snapshot, unless the
\* new value has the same.
Obsolete(t, k) ==
    {IndexKey[<<r.from, k>>] : r \in {x \in OldOf(t, k) : x.from # NoTxn}}
        \ (IF k \in deletes[t] THEN {} ELSE {IndexKey[<<t, k>>]})

\* The index records that the trigger has yet to write for the transaction.
DueValues(t) == {IndexKey[<<t, k>>] : k \in triggered[t] \ deletes[t]} \ writes[t]
DueTombstones(t) == (UNION {Obsolete(t, k) : k \in triggered[t]}) \ writes[t]

\* A tentative record of a row is stored and acknowledged. The trigger has read the row in the transaction's snapshot.
\* VLDB'18 Alg. 3, Write
Write(t, k, content) ==
    /\ t \notin Builder \cup Fast /\ k \in Row /\ MayWrite(t, k, content)
    /\ k \in triggers => OldOf(t, k) # {}
    /\ LL!Write(t, k, content)
    /\ triggered' = IF k \in triggers THEN [triggered EXCEPT ![t] = @ \cup {k}] ELSE triggered
    /\ UNCHANGED <<triggers, fence, fencedAt, building, populated, lateIndexPuts, readyFrom, drawn>>

\* The trigger writes an index record, a tentative one.  VLDB'18 sec. 6.1: "an additional update of the secondary index"
WriteIndex(t, k) ==
    /\ \/ k \in DueValues(t) /\ LL!Write(t, k, "value")
       \/ k \in DueTombstones(t) /\ LL!Write(t, k, "tombstone")
    /\ UNCHANGED index

\* Guard: the put of a row is acknowledged when those of its index records are, and the commit timestamp is asked for after that.
IndexStored(t) == DueValues(t) \cup DueTombstones(t) = {}

\* What the TM compares: rows, and no index records. Whoever writes an index record writes its row.  VLDB'18 sec. 6.1
Compared(t) == IF t \in ConflictFree THEN {} ELSE writes[t] \cap Row

\* Guard: a transaction names the table also if the TM has nothing of it to compare.
NamesTable(t) == writes[t] \cap Row # {}

\* Guard (VLDB'18 sec. 6.1): who began below the fence and wrote the table has not met the trigger everywhere.
AboveFence(t) == NamesTable(t) => fence < readTs[t]

\* Guard (VLDB'18 Alg. 2, conflictDetect): nobody who committed after this transaction began wrote one of its rows. So nobody
\* wrote one of its index records.
NoConflict(t) == \A k \in Compared(t) : lastCommit[k] < readTs[t]

\* The TM gives a commit timestamp, or refuses.  VLDB'18 Alg. 2, Commit
RequestCommit(t) ==
    /\ LL!Ready(t) /\ t \notin Builder /\ writes[t] # {}
    /\ IndexStored(t)
    /\ IF NoConflict(t) /\ LL!AboveLowWatermark(t) /\ AboveFence(t)
       THEN /\ clock' = NextTs
            /\ commitTs' = [commitTs EXCEPT ![t] = NextTs]
            /\ lastCommit' = [k \in Key |-> IF k \in Compared(t) THEN NextTs ELSE lastCommit[k]]
            /\ status' = [status EXCEPT ![t] = "certified"]
            /\ UNCHANGED todo
       ELSE /\ status' = [status EXCEPT ![t] = "aborted"]
            /\ todo' = [todo EXCEPT ![t] = writes[t]]
            /\ UNCHANGED <<clock, commitTs, lastCommit>>
    /\ UNCHANGED <<readTs, writes, deletes, unanswered, cursor, lowWatermark, stored, commitCell, commitTable, watermark,
                   inspected, latePuts, lateEntries, committed, reads, precedes, faults, index>>

\* Guard: the commit cells of index records, too, are durable before the client's commit-table entry goes, although the TM never
\* heard of them.
IndexCellsDurable(t) == todo[t] \cap Index = {}

\* The client removes its commit-table entry.  VLDB'18 Alg. 3, Commit
RemoveCommitEntry(t) ==
    /\ status[t] = "committed"
    /\ todo[t] \cap Row = {}
    /\ IndexCellsDurable(t)
    /\ commitTable' = [commitTable EXCEPT ![t] = NoTs]
    /\ status' = [status EXCEPT ![t] = "closed"]
    /\ todo' = [todo EXCEPT ![t] = {}]
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, cursor, clock, lastCommit, lowWatermark, stored,
                   commitCell, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults, index>>

-----------------------------------------------------------------------------
(* The build *)

\* Guard: a part begins above the fence. Below, somebody could have committed above its snapshot who never met the trigger.
BeginsAboveFence == fencedAt # NoTs

\* Guard (erratum to VLDB'18 sec. 6.1): the snapshot of a part is that of a transaction of its own. The fence is none: nothing
\* keeps the collector below it.
BuildSnapshot == NextTs

\* Guard: a part goes on where the ones before it have stopped or died. What they have populated stays right: who changes one of their
\* rows commits above their snapshots, hence above the fence, and has met the trigger.
AlreadyPopulated == UNION {populated[p] : p \in Builder}

\* A part of the build begins: the first, or the next one when the last has ended, died or was given up.
BuildBegin(p) ==
    /\ p \in Builder
    /\ building = {} /\ readyFrom = NoTs
    /\ BeginsAboveFence
    /\ BeginAt(p, BuildSnapshot)
    /\ building' = {p}
    /\ populated' = [populated EXCEPT ![p] = AlreadyPopulated]
    /\ UNCHANGED <<triggers, triggered, fence, fencedAt, lateIndexPuts, readyFrom, drawn>>

\* The part has populated a row that the others have not.
HasGoneOn(p) == \E k \in populated[p] : \A q \in Builder \ {p} : k \notin populated[q]

\* Guard (erratum to VLDB'18 sec. 6.1): as whose record an index record is stored. At the build's own version it would lie above the
\* tombstone of somebody who began before the build and commits after it.
StoredAs(p, w) == w

\* Guard (VLDB'18 sec. 6.1): an index record is born committed, since the build never commits.
BornCommitted(w) == commitTs[w]

\* The store executes a put of an index record: value and commit cell at once.
StoreIndex(e, w) ==
    /\ stored' = [stored EXCEPT ![e] = @ \cup {w}]
    /\ commitCell' = [commitCell EXCEPT ![e][w] = BornCommitted(w)]

\* Guard: a build puts nothing when the watermark has passed its snapshot: what was deleted since may have been collected.
PutsInTime(p) == LL!InTime(p)

\* The row was read by the part, and not populated yet.
MayPopulate(p, k) ==
    /\ p \in Builder /\ LL!Ready(p) /\ k \notin populated[p]
    /\ PutsInTime(p)

\* A build puts the index record of a row that it has read, if the row was there.  VLDB'18 sec. 6.1: population
Populate(p, k) ==
    /\ MayPopulate(p, k)
    /\ \E r \in OldOf(p, k) :
        IF r.from = NoTxn THEN UNCHANGED <<stored, commitCell>> ELSE StoreIndex(IndexKey[<<r.from, k>>], StoredAs(p, r.from))
    /\ populated' = [populated EXCEPT ![p] = @ \cup {k}]
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark,
                   commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults, triggers,
                   triggered, fence, fencedAt, building, lateIndexPuts, readyFrom, drawn>>

\* The put of an index record is sent, and no answer comes. The build sends it again: Populate.
DelayPopulate(p, k) ==
    /\ MayFail
    /\ MayPopulate(p, k)
    /\ \E r \in {x \in OldOf(p, k) : x.from # NoTxn} :
        lateIndexPuts' = lateIndexPuts \cup {<<IndexKey[<<r.from, k>>], StoredAs(p, r.from)>>}
    /\ faults' = faults + 1
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark,
                   stored, commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, reads,
                   precedes, triggers, triggered, fence, fencedAt, building, populated, readyFrom, drawn>>

\* The put of an index record arrives late; if it was sent again, for the second time.
LatePopulate(e, w) ==
    /\ <<e, w>> \in lateIndexPuts
    /\ lateIndexPuts' = lateIndexPuts \ {<<e, w>>}
    /\ StoreIndex(e, w)
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark,
                   commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults, triggers,
                   triggered, fence, fencedAt, building, populated, readyFrom, drawn>>

\* A part ends before its time is up, and another one goes on.
EndPart(p) ==
    /\ p \in building /\ LL!Ready(p)
    /\ HasGoneOn(p) /\ populated[p] # Row
    /\ status' = [status EXCEPT ![p] = "closed"]
    /\ building' = building \ {p}
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, stored,
                   commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults,
                   triggers, triggered, fence, fencedAt, populated, lateIndexPuts, readyFrom, drawn>>

\* Guard: the index is ready when the index records of all rows were put and answered.
AllPopulated(p) == populated[p] = Row

\* Guard: the index is ready for snapshots from the last part's on. In an older one, a row of the last part may have had another value.
LatestSnapshot(p) == readTs[p]

\* The index is ready, and the build ends.  VLDB'18 sec. 6.1: "the index can become available to queries"
Ready(p) ==
    /\ p \in Builder /\ LL!Ready(p) /\ readyFrom = NoTs
    /\ AllPopulated(p)
    /\ status' = [status EXCEPT ![p] = "closed"]
    /\ readyFrom' = LatestSnapshot(p)
    /\ building' = building \ {p}
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, stored,
                   commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults,
                   triggers, triggered, fence, fencedAt, populated, lateIndexPuts, drawn>>

\* A part is given up, and goes on: its client stands still, or is cut off. Another one may begin.
GiveUpPart(p) ==
    /\ p \in building /\ MayFail
    /\ building' = building \ {p}
    /\ faults' = faults + 1
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark,
                   stored, commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes,
                   triggers, triggered, fence, fencedAt, populated, lateIndexPuts, readyFrom, drawn>>

-----------------------------------------------------------------------------
(* Reads *)

\* Guard: an index is asked only when it is ready.
IndexIsReady == readyFrom # NoTs

\* Guard: an index is asked only for snapshots from the last part's on. Of what was overwritten before, it knows nothing.
CoversSnapshot(t) == readyFrom <= readTs[t]

MayUse(t, k) == k \in Index => IndexIsReady /\ CoversSnapshot(t)

\* The read has waited for fast-path writes of the row that drew an older version.  FastPath: OlderFastWritesStored
OlderFastWritesStored(t, k) == \A d \in drawn : d[1] = k => readTs[d[2]] > readTs[t]

\* The next record of the traversal is fetched; its commit cell, if set, decides.  VLDB'18 Alg. 3, Read
GetRecord(t, k) ==
    /\ cursor[t].step = "none" => MayRead(t, k) /\ MayUse(t, k) /\ OlderFastWritesStored(t, k)
    /\ LL!GetRecord(t, k)
    /\ UNCHANGED index

\* Guard: a build, too, forces whom it finds pending to abort, and skips nobody else. He may have his commit timestamp from before
\* the fence, and commit when the build has passed his row.
SkipsNobody(t) == TRUE

\* The transaction seems pending: the reader forces it to abort.  VLDB'18 Alg. 3, Read
InvalidatePending(t) ==
    /\ IF SkipsNobody(t) THEN LL!InvalidatePending(t)
       ELSE /\ cursor[t].step = "pending"
            /\ cursor' = [cursor EXCEPT ![t].step = "record"]
            /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, clock, lastCommit, lowWatermark,
                           stored, commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, reads,
                           precedes, faults>>
    /\ UNCHANGED index

-----------------------------------------------------------------------------
(* The fast path *)

\* Guard: a region with the trigger takes no fast-path write: it could not write the index records with it, nor does a fast-path
\* write ask the TM, who would refuse it below the fence.
NoFastWrites(k) == k \notin triggers

\* The versions that a fast-path write of the row may draw: later than all that was read or committed there, and before the TM's
\* next timestamp.  VLDB'18 sec. 4.2: maxVersion
Versions(k) ==
    {v \in 1..(NextTs - 1) :
        /\ v % Span # 0
        /\ \A w \in Txn : commitCell[k][w] < v
        /\ \A t \in Txn \ Fast : cursor[t].key = k \/ (\E r \in reads[t] : r.key = k) => readTs[t] < v}

\* A fast-path write draws its version.  VLDB'18 Alg. 4, line 14
DrawVersion(f, k) ==
    /\ f \in Fast /\ status[f] = "idle" /\ readTs[f] = NoTs
    /\ NoFastWrites(k)
    /\ \A w \in stored[k] : commitCell[k][w] # NoTs
    /\ \A d \in drawn : d[1] # k
    /\ \E v \in Versions(k) :
        /\ readTs' = [readTs EXCEPT ![f] = v]
        /\ commitTs' = [commitTs EXCEPT ![f] = v]
    /\ writes' = [writes EXCEPT ![f] = {k}]
    /\ drawn' = drawn \cup {<<k, f>>}
    /\ precedes' = [precedes EXCEPT ![f] = {a \in Txn : status[a] \in {"committed", "closed"}}]
    /\ UNCHANGED <<status, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, stored, commitCell,
                   commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, faults, triggers, triggered,
                   fence, fencedAt, building, populated, lateIndexPuts, readyFrom>>

\* Its record can be read.  VLDB'18 Alg. 4, line 15
StoreVersion(f, k) ==
    /\ <<k, f>> \in drawn
    /\ drawn' = drawn \ {<<k, f>>}
    /\ stored' = [stored EXCEPT ![k] = @ \cup {f}]
    /\ commitCell' = [commitCell EXCEPT ![k][f] = commitTs[f]]
    /\ committed' = committed \cup {f}
    /\ status' = [status EXCEPT ![f] = "closed"]
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark,
                   commitTable, watermark, inspected, latePuts, lateEntries, reads, precedes, faults, triggers, triggered,
                   fence, fencedAt, building, populated, lateIndexPuts, readyFrom>>

-----------------------------------------------------------------------------
(* Transaction manager and collector *)

\* Guard (VLDB'18 sec. 3.2.1): the new TM lets nobody commit who began before. It knows no fence of the old one's either, and
\* needs none: whom the fence would refuse, the low watermark does.
LowWatermarkOfNewTM == NextTs

\* Another TM takes over, with an empty memory.  VLDB'18 sec. 3.2.1
\* One step; TMFailover.tla has the many.
Failover ==
    /\ MayFail
    /\ clock' = NextTs
    /\ lastCommit' = [k \in Key |-> NoTs]
    /\ lowWatermark' = LowWatermarkOfNewTM
    /\ fence' = NoTs
    /\ faults' = faults + 1
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, stored, commitCell, commitTable,
                   watermark, inspected, latePuts, lateEntries, committed, reads, precedes, triggers, triggered, fencedAt,
                   building, populated, lateIndexPuts, readyFrom, drawn>>

\* Guard: a transaction lives long enough for a row. Otherwise no part ever comes to its end.
LastsForARow(p) == watermark' <= readTs[p] \/ (HasGoneOn(p) /\ populated[p] # Row)

\* The watermark goes up.
RaiseWatermark ==
    /\ MayRaise
    /\ LL!RaiseWatermark
    /\ \A p \in building : LastsForARow(p)
    /\ UNCHANGED index

\* Guard: the collector comes to the index, too. A dead writer's records there are in nobody's list any more.
VisitsIndex(k) == TRUE

\* The commit table tells the collector that the writer of a record that had no commit cell has not committed.
InspectLeftover(t, k) == VisitsIndex(k) /\ LL!InspectLeftover(t, k) /\ UNCHANGED index

\* Guard: a commit-table entry goes only after a pass over the index, too.
IndexHealed(t) ==
    commitTable[t] = LL!Invalidated \/ \A k \in Index : t \in stored[k] => commitCell[k][t] # NoTs

\* A commit-table entry is collected, whoever left it.
CollectEntry(t) ==
    /\ commitTable[t] # NoTs
    /\ LL!EntryIsSettled(t)
    /\ commitTable[t] = LL!Invalidated \/ \A k \in Row : t \in stored[k] => commitCell[k][t] # NoTs
    /\ IndexHealed(t)
    /\ commitTable' = [commitTable EXCEPT ![t] = NoTs]
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark,
                   stored, commitCell, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults,
                   index>>

\* Guard: a tombstone of the index is collected only when it is committed below the watermark. In OmidLL a younger one may go,
\* because only a conflicting writer could bring something below it; a build looks for no conflicts. It puts what its snapshot has,
\* and what was deleted since is above the watermark that its snapshot keeps.
IsSettled(t, k) == commitCell[k][t] # NoTs /\ commitCell[k][t] < watermark

\* Guard: nor while an older put of a build is on its way.
NoIndexPutInFlight(t, k) == \A put \in lateIndexPuts : put[1] = k => readTs[put[2]] > readTs[t]

\* A tombstone is collected.
CollectTombstone(t, k) ==
    /\ k \in Index => IsSettled(t, k) /\ NoIndexPutInFlight(t, k)
    /\ LL!CollectTombstone(t, k)
    /\ UNCHANGED index

-----------------------------------------------------------------------------
(* What the index adds nothing to *)

\* As in OmidLL.
EndReadOnly(t) == t \notin Builder /\ LL!EndReadOnly(t) /\ UNCHANGED index
\* As in OmidLL.
GetCommitEntry(t) == LL!GetCommitEntry(t) /\ UNCHANGED index
\* As in OmidLL.
HealCommitCell(t) == LL!HealCommitCell(t) /\ UNCHANGED index
\* As in OmidLL.
ReReadRecord(t) == LL!ReReadRecord(t) /\ UNCHANGED index
\* As in OmidLL.
RemoveFalseInvalidation(t) == LL!RemoveFalseInvalidation(t) /\ UNCHANGED index
\* As in OmidLL.
WriteCommitEntry(t) == LL!WriteCommitEntry(t) /\ UNCHANGED index
\* As in OmidLL.
PostCommit(t, k) == LL!PostCommit(t, k) /\ UNCHANGED index
\* As in OmidLL. Also the end of a part whose time is up.
Rollback(t) == MayFail /\ LL!Rollback(t) /\ building' = building \ {t}
    /\ UNCHANGED <<triggers, triggered, fence, fencedAt, populated, lateIndexPuts, readyFrom, drawn>>
\* As in OmidLL.
CleanUp(t, k) == LL!CleanUp(t, k) /\ UNCHANGED index
\* As in OmidLL.
Crash(t) == MayFail /\ LL!Crash(t) /\ building' = building \ {t}
    /\ UNCHANGED <<triggers, triggered, fence, fencedAt, populated, lateIndexPuts, readyFrom, drawn>>
\* As in OmidLL.
HealLeftover(t, k) == LL!HealLeftover(t, k) /\ UNCHANGED index
\* As in OmidLL.
CleanLeftover(t, k) == LL!CleanLeftover(t, k) /\ UNCHANGED index
\* As in OmidLL.
CollectVersion(t, k) == LL!CollectVersion(t, k) /\ UNCHANGED index

-----------------------------------------------------------------------------

\* Steps that a client takes if nothing keeps it from it.
ClientStep(t) ==
    \/ EndReadOnly(t) \/ RequestCommit(t) \/ WriteCommitEntry(t) \/ RemoveCommitEntry(t)
    \/ GetCommitEntry(t) \/ HealCommitCell(t) \/ InvalidatePending(t) \/ ReReadRecord(t) \/ RemoveFalseInvalidation(t)
    \/ EndPart(t) \/ Ready(t)
    \/ \E k \in Key : GetRecord(t, k) \/ WriteIndex(t, k) \/ PostCommit(t, k) \/ CleanUp(t, k) \/ Populate(t, k)

CollectorStep ==
    \/ RaiseWatermark
    \/ \E t \in Txn : CollectEntry(t)
    \/ \E t \in Txn, k \in Key :
        \/ HealLeftover(t, k) \/ InspectLeftover(t, k) \/ CleanLeftover(t, k)
        \/ CollectVersion(t, k) \/ CollectTombstone(t, k)

\* What applications and whoever creates the index do, and what arrives late.
Arrival ==
    \/ Fence
    \/ \E k \in Row : InstallTrigger(k)
    \/ \E t \in Txn : Begin(t) \/ BuildBegin(t)
    \/ \E t \in Txn, k \in Row, content \in Contents : Write(t, k, content)
    \/ \E e \in Index, w \in Txn : LatePopulate(e, w)
    \/ \E f \in Fast, k \in Row : DrawVersion(f, k) \/ StoreVersion(f, k)

\* What goes wrong; models bound how often.
Fault ==
    \/ Failover
    \/ \E t \in Txn : Rollback(t) \/ Crash(t) \/ GiveUpPart(t)
    \/ \E p \in Builder, k \in Row : DelayPopulate(p, k)

Step == (\E t \in Txn : ClientStep(t)) \/ CollectorStep \/ Arrival

Next == Step \/ Fault

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* Properties *)

\* Who takes effect where it has to, whatever was answered before: nobody asks for the order of fast-path writes and others here,
\* nor for what a build reads.
Unordered == Fast \cup Builder

\* Snapshot, FirstCommitterWins, NoDirtyRead, StrongSI of what was read in the table: see Isolation.tla. What was read in the index
\* is judged by the rows: IndexReads.
History ==
    [LL!History EXCEPT !.reads = [t \in Txn |-> {r \in reads[t] : r.key \in Row}],
                       !.precedes = [t \in Txn |-> IF t \in Unordered THEN {} ELSE precedes[t]]]

INSTANCE Isolation WITH h <- History

\* What clients see of the table.
Abstract ==
    INSTANCE SnapshotIsolation WITH
        Key <- Row, Timestamps <- Nat,
        phase <- [t \in Txn |->
            IF t \in LL!Done THEN "committed"
            ELSE IF \E d \in drawn : d[2] = t THEN "asked"
            ELSE IF status[t] \in {"idle", "aborted"} THEN status[t] ELSE "active"],
        readTs <- [t \in Txn |-> IF t \in Fast \ committed THEN NoTs ELSE readTs[t]],
        commitTs <- [t \in Txn |-> IF t \in committed THEN commitTs[t] ELSE NoTs],
        writes <- [t \in Txn |-> IF t \in committed THEN writes[t] \cap Row ELSE {}],
        deletes <- [t \in Txn |-> IF t \in committed THEN deletes[t] \cap Row ELSE {}],
        reads <- [t \in Txn |-> {r \in reads[t] : r.key \in Row /\ ~r.own}],
        answered <- {t \in Txn : status[t] \in {"committed", "closed"}}

\* Each step is one that a database with snapshot isolation may take, index or not. (The first rows are committed from the
\* beginning.) When it fails, what somebody has read or was told is no longer so.
RefinesSnapshotIsolation == [][Abstract!Next]_(Abstract!vars)

\* What the record of a transaction tells whoever looks at it now: its commit timestamp, if it has committed.
OutcomeOf(t, k) ==
    IF commitCell[k][t] # NoTs THEN commitCell[k][t] ELSE IF commitTable[t] > NoTs THEN commitTable[t] ELSE NoTs

\* What k holds for a snapshot, by the records that are stored now.
StoredAt(k, ts) ==
    LET before == {w \in stored[k] : OutcomeOf(w, k) # NoTs /\ OutcomeOf(w, k) < ts}
    IN  IF before = {} THEN NoTxn
        ELSE LL!Value(CHOOSE w \in before : \A x \in before : readTs[x] <= readTs[w], k)

\* The snapshots that somebody else than the build may have, or get: as far as the next timestamp.
Snapshots == {ts \in (readyFrom + 1)..NextTs : ts >= watermark}

\* The index is the function of the table, in each snapshot from the last part's on. When it fails, a query by the index misses rows,
\* or finds rows that are not there.  VLDB'18 sec. 6.1
IndexIsFunction ==
    readyFrom # NoTs =>
        \A ts \in Snapshots :
            LET rows == {k \in Row : StoredAt(k, ts) # NoTxn}
            IN  {e \in Index : StoredAt(e, ts) # NoTxn} = {IndexKey[<<StoredAt(k, ts), k>>] : k \in rows}

\* What was read of the index is what the table has in the reader's snapshot. When it fails, a user's query by the index gives
\* another answer than the same query without it.
IndexReads ==
    \A t \in Txn : \A r \in reads[t] :
        r.key \in Index /\ ~r.own =>
            (r.from # NoTxn <=> \E k \in Row :
                /\ ValueAt(k, readTs[t]) # NoTxn
                /\ IndexKey[<<ValueAt(k, readTs[t]), k>>] = r.key)

\* Who began below the fence and wrote the table commits below it, or never. When it fails, a committed row has no index record.
\* VLDB'18 sec. 6.1
FencedNeverCommits ==
    fencedAt # NoTs =>
        \A t \in committed : writes[t] \cap Row # {} => (commitTs[t] > fencedAt => readTs[t] > fencedAt)

\* What a client was told is what happened. When it fails, an application retries what was done, or believes in what was not.
AnswersTrue == LL!AnswersTrue

\* Somebody who committed, or was about to, wrote one of t's rows after t began.
WasOverwritten(t) ==
    \E w \in Txn \ {t} : commitTs[w] > readTs[t] /\ writes[w] \cap writes[t] \cap Row # {}

\* Nobody is aborted but for a conflict, for the fence, for a reader who could not wait, or because his time was up. When it
\* fails, a user who is alone in the world is aborted.
AbortsHaveReason ==
    \A t \in Txn :
        status[t] = "aborted" /\ faults = 0 =>
            \/ readTs[t] < watermark
            \/ IF commitTs[t] = NoTs THEN WasOverwritten(t) \/ (fencedAt > readTs[t] /\ writes[t] \cap Row # {})
               ELSE LL!WasRead(t)

\* Once there is a fence, the index is ready some time, whoever writes meanwhile, however long it takes, and if a part dies. When it fails, an index is
\* paid for by every write, and never of use.
BuildEnds == fencedAt # NoTs ~> readyFrom # NoTs

\* What dead clients leave, index records included, is healed or cleaned in the end: nothing stays left over. When it fails, every
\* reader of the index pays for ever.
LeftoversVanish == LL!LeftoversVanish

\* Whose leftovers the collector comes to. Fewer in a model: what holds there, holds without it.
Collected == Txn

\* Live clients, builds and the collector go on.
Fairness ==
    /\ \A t \in Txn : WF_vars(ClientStep(t)) /\ WF_vars(BuildBegin(t)) /\ WF_vars(CollectEntry(t))
    /\ \A t \in Txn : WF_vars(~LL!InTime(t) /\ Rollback(t))
    /\ WF_vars(RaiseWatermark /\ LL!PassesNobody)
    /\ \A t \in Collected, k \in Key :
        WF_vars(HealLeftover(t, k)) /\ SF_vars(InspectLeftover(t, k)) /\ WF_vars(CleanLeftover(t, k))

FairSpec == Spec /\ Fairness
=============================================================================
