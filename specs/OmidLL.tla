-------------------------------- MODULE OmidLL --------------------------------
(***************************************************************************)
(* Omid LL (VLDB'18 sections 2.1 and 3): snapshot isolation over a         *)
(* versioned key-value store, with a commit table that clients write       *)
(* themselves.                                                             *)
(*                                                                         *)
(* A transaction gets its read timestamp from the transaction manager (TM) *)
(* and puts tentative records at that version. To commit, it asks the TM   *)
(* for a commit timestamp (which detects conflicts), then creates its      *)
(* commit-table entry by check-and-mutate: that step is the commit. Last   *)
(* it copies the timestamp into the commit cell of each record and removes *)
(* the entry. A reader that meets a record without commit cell asks the    *)
(* commit table; if there is no entry either, it forces the writer to      *)
(* abort with an invalidation marker, and re-reads the record, because the *)
(* writer may have finished in between.                                    *)
(*                                                                         *)
(* One action is one message to the store, the commit table or the TM.     *)
(* Beyond the paper: clients die between any two steps; puts and           *)
(* commit-table writes arrive late or twice; answers are lost; what dead   *)
(* clients leave, old versions, tombstones and commit-table entries are    *)
(* collected below a watermark.                                            *)
(*                                                                         *)
(* A comment that begins with "Guard" marks an operator whose removal must *)
(* violate a property: specs/mutants/OmidLL has a mutant for each.         *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
    \* @type: Set(TXN);
    Txn,
    \* @type: Set(KEY);
    Key,
    \* No transaction: whence a read of a missing key comes.
    \* @type: TXN;
    NoTxn,
    \* No key: what a client reads that reads nothing.
    \* @type: KEY;
    NoKey,
    \* What a write may store: a subset of {"value", "tombstone"}.
    \* @type: Set(Str);
    Contents

\* No timestamp, also the paper's nil. Timestamps are positive.
NoTs == 0

\* The invalidation marker, written as an entry into the commit table.  Alg. 3: the bottom sign
Invalidated == -1

-----------------------------------------------------------------------------
(* Clients *)

\* Where each transaction's client stands. certified: it holds a commit timestamp. unknown: its commit-table write was
\* not answered. unresolved: it told the application that the outcome is unknown. closed: committed, and nothing more
\* to do; also the end of a read-only transaction.  Lane: client
VARIABLE
    \* @type: TXN -> Str;
    status
TypeOKStatus ==
    status \in [Txn -> {"idle", "active", "certified", "unknown", "committed", "closed", "aborted", "unresolved", "dead"}]

\* The read timestamp, also the version of the transaction's records.  VLDB'18 Alg. 2, Begin  Lane: client
VARIABLE
    \* @type: TXN -> Int;
    readTs
TypeOKReadTs == readTs \in [Txn -> Nat]

\* The commit timestamp that the TM gave; NoTs before that.  VLDB'18 Alg. 2, Commit  Lane: client
VARIABLE
    \* @type: TXN -> Int;
    commitTs
TypeOKCommitTs == commitTs \in [Txn -> Nat]

\* The write set: keys enter before their put is sent.  VLDB'18 Alg. 3, Write  Lane: client
VARIABLE
    \* @type: TXN -> Set(KEY);
    writes
TypeOKWrites == writes \in [Txn -> SUBSET Key]

\* The keys of the write set that the transaction deletes.  Lane: client
VARIABLE
    \* @type: TXN -> Set(KEY);
    deletes
TypeOKDeletes == \A t \in Txn : deletes[t] \subseteq writes[t]

\* The keys whose put was not answered.  Lane: client
VARIABLE
    \* @type: TXN -> Set(KEY);
    unanswered
TypeOKUnanswered == \A t \in Txn : unanswered[t] \subseteq writes[t]

\* The keys that the client has still to post-commit or to clean up.  Lane: client
VARIABLE
    \* @type: TXN -> Set(KEY);
    todo
TypeOKTodo == \A t \in Txn : todo[t] \subseteq writes[t]

\* The read in progress: its next step, its key, and the writer of the record that was met last.  VLDB'18 Alg. 3, Read
\* none: no read. record: fetch the next version. entry: ask the commit table. heal: write the commit cell.
\* pending: invalidate. reread: look again. repair: remove the marker.  Lane: client
VARIABLE
    \* @type: TXN -> { step: Str, key: KEY, met: TXN };
    cursor
TypeOKCursor ==
    cursor \in [Txn -> [step : {"none", "record", "entry", "heal", "pending", "reread", "repair"},
                        key : Key \cup {NoKey}, met : Txn \cup {NoTxn}]]

-----------------------------------------------------------------------------
(* Transaction manager *)

\* The last timestamp given.  VLDB'18 Alg. 2: Clock  Lane: TM
VARIABLE
    \* @type: Int;
    clock
TypeOKClock == clock \in Nat

\* The conflict table: the last commit timestamp given for a key; NoTs where there is none or where it was evicted.
\* VLDB'18 sec. 3.2: conflictDetect  Lane: TM
VARIABLE
    \* @type: KEY -> Int;
    lastCommit
TypeOKLastCommit == lastCommit \in [Key -> Nat]

\* Transactions that began before it cannot commit: the conflict table has forgotten later commits.  Lane: TM
VARIABLE
    \* @type: Int;
    lowWatermark
TypeOKLowWatermark == lowWatermark \in Nat

-----------------------------------------------------------------------------
(* Data store and commit table *)

\* The transactions that have a value cell (or a tombstone) in the key.  VLDB'18 sec. 2.1  Lane: key
VARIABLE
    \* @type: KEY -> Set(TXN);
    stored
TypeOKStored == stored \in [Key -> SUBSET Txn]

\* The commit cell beside each transaction's value cell. Absence is nil; a commit cell whose value cell is gone is ignored.
\* VLDB'18 fig. 2  Lane: key
VARIABLE
    \* @type: KEY -> (TXN -> Int);
    commitCell
TypeOKCommitCell == commitCell \in [Key -> [Txn -> Nat]]

\* The commit table: each transaction's entry, by its read timestamp.  VLDB'18 fig. 2  Lane: CT
VARIABLE
    \* @type: TXN -> Int;
    commitTable
TypeOKCommitTable ==
    DOMAIN commitTable = Txn /\ \A t \in Txn : commitTable[t] = Invalidated \/ commitTable[t] >= 0

\* Below it the commit table takes no new entries, and the collector may collect.  Lane: CT
VARIABLE
    \* @type: Int;
    watermark
TypeOKWatermark == watermark \in Nat

\* The records that a collector examines: the commit table told it that their transactions have not committed.  Lane: CT
VARIABLE
    \* @type: Set(<<KEY, TXN>>);
    inspected
TypeOKInspected == inspected \subseteq Key \X Txn

-----------------------------------------------------------------------------
(* Network *)

\* Tentative puts that were sent and may still arrive.  Lane: key
VARIABLE
    \* @type: Set(<<KEY, TXN>>);
    latePuts
TypeOKLatePuts == latePuts \subseteq Key \X Txn

\* Transactions whose commit-table write was sent and may still arrive.  Lane: CT
VARIABLE
    \* @type: Set(TXN);
    lateEntries
TypeOKLateEntries == lateEntries \subseteq Txn

-----------------------------------------------------------------------------
(* History *)

\* The transactions whose commit-table entry was created: this is the commit.  Lane: none
VARIABLE
    \* @type: Set(TXN);
    committed
TypeOKCommitted == committed \subseteq Txn

\* What each transaction read.  Lane: client
VARIABLE
    \* @type: TXN -> Set({ key: KEY, from: TXN, own: Bool });
    reads
TypeOKReads ==
    \A t \in Txn : reads[t] \subseteq [key : Key, from : Txn \cup {NoTxn}, own : BOOLEAN]

\* The transactions whose commit was answered before this one began.  Lane: none
VARIABLE
    \* @type: TXN -> Set(TXN);
    precedes
TypeOKPrecedes == precedes \in [Txn -> SUBSET Txn]

\* How many things went wrong: deaths, rollbacks, evictions, messages without answer.  Lane: none
VARIABLE
    \* @type: Int;
    faults
TypeOKFaults == faults \in Nat

client == <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor>>
tm == <<clock, lastCommit, lowWatermark>>
store == <<stored, commitCell>>
table == <<commitTable, watermark>>
network == <<latePuts, lateEntries>>
vars == <<client, tm, store, table, inspected, network, committed, reads, precedes, faults>>

TypeOK ==
    /\ TypeOKStatus /\ TypeOKReadTs /\ TypeOKCommitTs /\ TypeOKWrites /\ TypeOKDeletes /\ TypeOKUnanswered
    /\ TypeOKTodo /\ TypeOKCursor /\ TypeOKClock /\ TypeOKLastCommit /\ TypeOKLowWatermark /\ TypeOKStored
    /\ TypeOKCommitCell /\ TypeOKCommitTable /\ TypeOKWatermark /\ TypeOKInspected /\ TypeOKLatePuts
    /\ TypeOKLateEntries /\ TypeOKCommitted /\ TypeOKReads /\ TypeOKPrecedes /\ TypeOKFaults

NoRead == [step |-> "none", key |-> NoKey, met |-> NoTxn]

Init ==
    /\ status = [t \in Txn |-> "idle"]
    /\ readTs = [t \in Txn |-> NoTs]
    /\ commitTs = [t \in Txn |-> NoTs]
    /\ writes = [t \in Txn |-> {}]
    /\ deletes = [t \in Txn |-> {}]
    /\ unanswered = [t \in Txn |-> {}]
    /\ todo = [t \in Txn |-> {}]
    /\ cursor = [t \in Txn |-> NoRead]
    /\ clock = 0
    /\ lastCommit = [k \in Key |-> NoTs]
    /\ lowWatermark = 0
    /\ stored = [k \in Key |-> {}]
    /\ commitCell = [k \in Key |-> [t \in Txn |-> NoTs]]
    /\ commitTable = [t \in Txn |-> NoTs]
    /\ watermark = 0
    /\ inspected = {}
    /\ latePuts = {}
    /\ lateEntries = {}
    /\ committed = {}
    /\ reads = [t \in Txn |-> {}]
    /\ precedes = [t \in Txn |-> {}]
    /\ faults = 0

-----------------------------------------------------------------------------
(* Begin, write, end of a read-only transaction *)

\* The TM gives the next timestamp.  VLDB'18 Alg. 2, Begin
\* One action: a client does nothing between its request and the answer, and taking the request to be sent as late as possible
\* only adds to what the transaction must see. TMFailover has them apart, and refines the same SnapshotIsolation.
Begin(t) ==
    /\ status[t] = "idle"
    /\ clock' = clock + 1
    /\ readTs' = [readTs EXCEPT ![t] = clock + 1]
    /\ status' = [status EXCEPT ![t] = "active"]
    /\ precedes' = [precedes EXCEPT ![t] = {a \in Txn : status[a] \in {"committed", "closed"}}]
    /\ UNCHANGED <<commitTs, writes, deletes, unanswered, todo, cursor, lastCommit, lowWatermark, store, table,
                   inspected, network, committed, reads, faults>>

\* The client is between two operations of its transaction.
Ready(t) == status[t] = "active" /\ cursor[t].step = "none"

\* What the application may read and write next, what may go wrong, and whether the watermark may go up; models restrict it.
\* @type: (TXN, KEY) => Bool;
MayRead(t, k) == TRUE
\* @type: (TXN, KEY, Str) => Bool;
MayWrite(t, k, content) == TRUE
\* @type: Bool;
MayFail == TRUE
\* @type: Bool;
MayRaise == TRUE

\* Whether readers may ask the TM about a writer before they invalidate it. No paper has this; region servers that read for others do so.
\* @type: Bool;
MayAsk == TRUE

\* The write set learns of the key.
Track(t, k, content) ==
    /\ Ready(t) /\ MayWrite(t, k, content)
    /\ k \notin writes[t]
    /\ writes' = [writes EXCEPT ![t] = @ \cup {k}]
    /\ deletes' = IF content = "tombstone" THEN [deletes EXCEPT ![t] = @ \cup {k}] ELSE deletes

\* Guard (VLDB'18 sec. 2.1, put): a tentative put names the value only. Were the commit cell put too, as "nil", a put
\* that arrives twice would wipe a commit.
CommitCellAfterPut(t, k) == commitCell[k][t]

\* The store executes a tentative put.
Store(t, k) ==
    /\ stored' = [stored EXCEPT ![k] = @ \cup {t}]
    /\ commitCell' = [commitCell EXCEPT ![k][t] = CommitCellAfterPut(t, k)]

\* A tentative record is stored and acknowledged.  VLDB'18 Alg. 3, Write
Write(t, k, content) ==
    /\ Track(t, k, content)
    /\ Store(t, k)
    /\ UNCHANGED <<status, readTs, commitTs, unanswered, todo, cursor, tm, table, inspected, network, committed,
                   reads, precedes, faults>>

\* A tentative put is sent, and no answer comes: it may be stored late, or never.
DelayPut(t, k, content) ==
    /\ MayFail
    /\ Track(t, k, content)
    /\ unanswered' = [unanswered EXCEPT ![t] = @ \cup {k}]
    /\ latePuts' = latePuts \cup {<<k, t>>}
    /\ faults' = faults + 1
    /\ UNCHANGED <<status, readTs, commitTs, todo, cursor, tm, store, table, inspected, lateEntries, committed, reads,
                   precedes>>

\* The client sends an unanswered put again, and is answered.
RetryPut(t, k) ==
    /\ Ready(t) /\ k \in unanswered[t]
    /\ unanswered' = [unanswered EXCEPT ![t] = @ \ {k}]
    /\ Store(t, k)
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, todo, cursor, tm, table, inspected, network, committed,
                   reads, precedes, faults>>

\* A put arrives late; if it was sent again, for the second time.
LatePut(t, k) ==
    /\ <<k, t>> \in latePuts
    /\ latePuts' = latePuts \ {<<k, t>>}
    /\ Store(t, k)
    /\ UNCHANGED <<client, tm, table, inspected, lateEntries, committed, reads, precedes, faults>>

\* A transaction that wrote nothing ends without a word to the commit table.
EndReadOnly(t) ==
    /\ Ready(t) /\ writes[t] = {}
    /\ status' = [status EXCEPT ![t] = "closed"]
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, todo, cursor, tm, store, table, inspected, network,
                   committed, reads, precedes, faults>>

-----------------------------------------------------------------------------
(* Read: the traversal of VLDB'18 Alg. 3 *)

\* What a transaction that sees t's record of k gets.
Value(t, k) == IF k \in deletes[t] THEN NoTxn ELSE t

\* Guard (erratum to VLDB'18 Alg. 3, Read): a client reads its own write without asking the commit table. The paper
\* has no such test: a transaction would invalidate itself.
IsOwnWrite(t, k) == k \in writes[t]

\* A read of a key that the transaction wrote.
ReadOwnWrite(t, k) ==
    /\ Ready(t) /\ MayRead(t, k)
    /\ IsOwnWrite(t, k)
    /\ k \notin unanswered[t]
    /\ reads' = [reads EXCEPT ![t] = @ \cup {[key |-> k, from |-> Value(t, k), own |-> TRUE]}]
    /\ UNCHANGED <<client, tm, store, table, inspected, network, committed, precedes, faults>>

\* Guard (VLDB'18 Alg. 3, Read): commits before the reader's snapshot are in it, later ones are not.
CommittedBefore(ts, t) == ts < readTs[t]

\* The read of k ends with this value.
Return(t, k, from) ==
    /\ cursor' = [cursor EXCEPT ![t] = NoRead]
    /\ reads' = [reads EXCEPT ![t] = @ \cup {[key |-> k, from |-> from, own |-> k \in writes[t]]}]

\* The read goes on with another step.
GoOn(t, k, w, step) ==
    /\ cursor' = [cursor EXCEPT ![t] = [step |-> step, key |-> k, met |-> w]]
    /\ UNCHANGED reads

\* The commit timestamp of w's record is known.
Decide(t, k, w, ts) ==
    IF CommittedBefore(ts, t) THEN Return(t, k, Value(w, k)) ELSE GoOn(t, k, w, "record")

\* Guard (VLDB'18 Alg. 3, Read): the traversal goes on below the record met last.
IsBelowLast(w, last) == readTs[w] < readTs[last]

\* The records of k that are left to the traversal, at first those up to the own version.
OlderRecords(t, k) ==
    {w \in stored[k] : IF cursor[t].step = "none" THEN readTs[w] <= readTs[t] ELSE IsBelowLast(w, cursor[t].met)}

\* Guard (VLDB'18 Alg. 3, Read): versions are traversed from the latest to the earliest.
IsNewest(w, records) == \A x \in records : readTs[x] <= readTs[w]

\* Guard: a reader fetches nothing more when the watermark has passed its snapshot: what it needs may have been collected.
\* Reader and TM keep this by a lease: a reader refuses what it fetched after its time was up, and the TM forgets it later.
InTime(t) == watermark <= readTs[t]

\* The next record of the traversal is fetched; its commit cell, if set, decides.  VLDB'18 Alg. 3, Read
\* Only the fetch needs to be in time: what the commit table and a second look tell of a record stays true when it is collected.
GetRecord(t, k) ==
    /\ InTime(t)
    /\ \/ Ready(t) /\ MayRead(t, k) /\ ~IsOwnWrite(t, k)
       \/ cursor[t].step = "record" /\ cursor[t].key = k
    /\ LET records == OlderRecords(t, k)
       IN  IF records = {} THEN Return(t, k, NoTxn)
           ELSE \E w \in records :
                    /\ IsNewest(w, records)
                    /\ IF commitCell[k][w] # NoTs THEN Decide(t, k, w, commitCell[k][w]) ELSE GoOn(t, k, w, "entry")
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, tm, store, table, inspected, network,
                   committed, precedes, faults>>

\* The record has no commit cell: its commit-table entry is asked for.  VLDB'18 Alg. 3, Read
GetCommitEntry(t) ==
    LET c == cursor[t]
        entry == commitTable[c.met]
    IN  /\ c.step = "entry"
        /\ CASE entry = NoTs -> GoOn(t, c.key, c.met, "pending")
             [] entry = Invalidated -> GoOn(t, c.key, c.met, "reread")
             [] OTHER -> Decide(t, c.key, c.met, entry) \/ GoOn(t, c.key, c.met, "heal")
        /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, tm, store, table, inspected,
                       network, committed, precedes, faults>>

\* A reader that found the entry writes the commit cell for those who come after it.
HealCommitCell(t) ==
    LET c == cursor[t]
    IN  /\ c.step = "heal"
        /\ commitCell' = [commitCell EXCEPT ![c.key][c.met] = commitTs[c.met]]
        /\ Decide(t, c.key, c.met, commitTs[c.met])
        /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, tm, stored, table, inspected,
                       network, committed, precedes, faults>>

\* Guard (VLDB'18 Alg. 3, check-and-mutate): the marker is written only where there is no entry.
InvalidatesOnlyPending(w) == commitTable[w] = NoTs

\* Guard: below the watermark the commit table stores no marker. A marker for a transaction that committed long ago
\* would tell its client, who is still asking for the outcome, that it was aborted.
MarkerStillTells(w) == readTs[w] >= watermark

\* Guard (VLDB'18 Alg. 3, Read): a reader that skips a pending transaction has aborted it first.
EntryAfterInvalidation(w) == IF MarkerStillTells(w) THEN Invalidated ELSE commitTable[w]

\* The transaction seems pending: the reader forces it to abort.  VLDB'18 Alg. 3, Read
InvalidatePending(t) ==
    LET c == cursor[t]
        entry == commitTable[c.met]
    IN  /\ c.step = "pending"
        /\ IF InvalidatesOnlyPending(c.met)
           THEN /\ commitTable' = [commitTable EXCEPT ![c.met] = EntryAfterInvalidation(c.met)]
                /\ GoOn(t, c.key, c.met, "reread")
           ELSE /\ UNCHANGED commitTable
                /\ IF entry = Invalidated THEN GoOn(t, c.key, c.met, "reread") ELSE Decide(t, c.key, c.met, entry)
        /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, tm, store, watermark, inspected,
                       network, committed, precedes, faults>>

\* Guard: the TM says so of a writer only as long as it has given it no commit timestamp: the one it may yet give is above all
\* snapshots that there are.
\* Argued, not checked: who began under an earlier TM gets none from a later one, so an earlier one's answer is true, too.
IsPending(w) == commitTs[w] = NoTs

\* The TM says that the writer has not asked to commit: the reader goes on below its record, and leaves the writer alone.
PassPending(t) ==
    LET c == cursor[t]
    IN  /\ MayAsk
        /\ c.step = "pending"
        /\ IsPending(c.met)
        /\ GoOn(t, c.key, c.met, "record")
        /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, tm, store, table, inspected,
                       network, committed, precedes, faults>>

\* Guard (VLDB'18 Alg. 3, "check for race"): a commit cell that appeared in the meantime shows that the writer had
\* committed and removed its entry before the marker was written.
SawCommitCell(k, w) == w \in stored[k] /\ commitCell[k][w] # NoTs

\* The reader created or found the marker, and looks at the record again.  VLDB'18 Alg. 3, Read
ReReadRecord(t) ==
    LET c == cursor[t]
    IN  /\ c.step = "reread"
        /\ GoOn(t, c.key, c.met, IF SawCommitCell(c.key, c.met) THEN "repair" ELSE "record")
        /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, tm, store, table, inspected,
                       network, committed, precedes, faults>>

\* The invalidation was false: the marker is removed.  VLDB'18 Alg. 3, Read
RemoveFalseInvalidation(t) ==
    LET c == cursor[t]
    IN  /\ c.step = "repair"
        /\ commitTable' = [commitTable EXCEPT ![c.met] = NoTs]
        /\ Decide(t, c.key, c.met, commitTs[c.met])
        /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, tm, store, watermark, inspected,
                       network, committed, precedes, faults>>

-----------------------------------------------------------------------------
(* Commit *)

\* Guard (VLDB'18 Alg. 3, Write before Commit): every put is acknowledged before the commit timestamp is asked for.
\* Otherwise a later snapshot misses the record that is still on its way.
WritesStored(t) == unanswered[t] = {}

\* Guard (VLDB'18 Alg. 2, conflictDetect): nobody who committed after this transaction began wrote one of its keys.
NoConflict(t) == \A k \in writes[t] : lastCommit[k] < readTs[t]

\* Guard (VLDB'18 sec. 3.2): what the bounded conflict table has forgotten counts as a conflict.
AboveLowWatermark(t) == lowWatermark < readTs[t]

\* The TM gives a commit timestamp, or refuses.  VLDB'18 Alg. 2, Commit
\* A refusal takes no timestamp here. Argued, not checked: a timestamp that nobody holds is compared with nothing.
RequestCommit(t) ==
    /\ Ready(t) /\ writes[t] # {}
    /\ WritesStored(t)
    /\ IF NoConflict(t) /\ AboveLowWatermark(t)
       THEN /\ clock' = clock + 1
            /\ commitTs' = [commitTs EXCEPT ![t] = clock + 1]
            /\ lastCommit' = [k \in Key |-> IF k \in writes[t] THEN clock + 1 ELSE lastCommit[k]]
            /\ status' = [status EXCEPT ![t] = "certified"]
            /\ UNCHANGED todo
       ELSE /\ status' = [status EXCEPT ![t] = "aborted"]
            /\ todo' = [todo EXCEPT ![t] = writes[t]]
            /\ UNCHANGED <<clock, commitTs, lastCommit>>
    /\ UNCHANGED <<readTs, writes, deletes, unanswered, cursor, lowWatermark, store, table, inspected, network,
                   committed, reads, precedes, faults>>

\* Guard: an evicted entry raises the low watermark to its timestamp.
LowWatermarkAfterEviction(k) == IF lastCommit[k] > lowWatermark THEN lastCommit[k] ELSE lowWatermark

\* The bounded conflict table drops an entry.
Evict(k) ==
    /\ lastCommit[k] # NoTs /\ MayFail
    /\ lastCommit' = [lastCommit EXCEPT ![k] = NoTs]
    /\ lowWatermark' = LowWatermarkAfterEviction(k)
    /\ faults' = faults + 1
    /\ UNCHANGED <<client, clock, store, table, inspected, network, committed, reads, precedes>>

\* Guard (VLDB'18 Alg. 3, check-and-mutate): the entry is created only where there is none.
NoEntryYet(t) == commitTable[t] = NoTs

\* Guard: the commit table refuses transactions below its watermark: their markers may have been collected. The check is
\* made under the lock of the entry's row.
AboveWatermark(t) == readTs[t] >= watermark

\* The commit table takes the entry.
TakesEntry(t) == NoEntryYet(t) /\ AboveWatermark(t)

\* The commit table executes check-and-mutate(nil -> commitTs).
CreateEntry(t) ==
    IF TakesEntry(t)
    THEN /\ commitTable' = [commitTable EXCEPT ![t] = commitTs[t]]
         /\ committed' = committed \cup {t}
    ELSE UNCHANGED <<commitTable, committed>>

\* Guard: a client that finds its own timestamp in its entry has committed: an earlier try, whose answer was lost, did it.
IsOwnEntry(t) == commitTable[t] = commitTs[t]

\* Guard: a refusal below the watermark answers a first try only. A client whose earlier try was not answered may have
\* committed, and its entry may have been collected since.
RefusalDecides(t) == status[t] = "certified"

\* What the answer of the commit table tells the client.
Outcome(t) ==
    IF TakesEntry(t) \/ IsOwnEntry(t) THEN "committed"
    ELSE IF commitTable[t] # NoTs \/ RefusalDecides(t) THEN "aborted"
    ELSE "unresolved"

\* Guard: a client whose commit-table write was not answered asks again.
AwaitsEntry(t) == status[t] \in {"certified", "unknown"}

\* The client creates its commit-table entry: if it succeeds, the transaction is committed.  VLDB'18 Alg. 3, Commit
WriteCommitEntry(t) ==
    /\ AwaitsEntry(t)
    /\ CreateEntry(t)
    /\ status' = [status EXCEPT ![t] = Outcome(t)]
    /\ todo' = [todo EXCEPT ![t] = IF Outcome(t) = "unresolved" THEN {} ELSE writes[t]]
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, cursor, tm, store, watermark, inspected, network,
                   reads, precedes, faults>>

\* The client's commit-table write is not answered: it may arrive late, or never.
LoseEntryAnswer(t) ==
    /\ status[t] = "certified" /\ MayFail
    /\ status' = [status EXCEPT ![t] = "unknown"]
    /\ lateEntries' = lateEntries \cup {t}
    /\ faults' = faults + 1
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, todo, cursor, tm, store, table, inspected, latePuts,
                   committed, reads, precedes>>

\* A commit-table write arrives late; if it was sent again, for the second time.
LateCommitEntry(t) ==
    /\ t \in lateEntries
    /\ lateEntries' = lateEntries \ {t}
    /\ CreateEntry(t)
    /\ UNCHANGED <<client, tm, store, watermark, inspected, latePuts, reads, precedes, faults>>

\* The commit timestamp is copied to one key.  VLDB'18 Alg. 3, post-commit
PostCommit(t, k) ==
    /\ status[t] = "committed" /\ k \in todo[t]
    /\ commitCell' = [commitCell EXCEPT ![k][t] = commitTs[t]]
    /\ todo' = [todo EXCEPT ![t] = @ \ {k}]
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, cursor, tm, stored, table, inspected,
                   network, committed, reads, precedes, faults>>

\* Guard (VLDB'18 Alg. 3, Commit): all commit cells are durable before the entry goes. Otherwise a reader's second look
\* finds nothing, and it skips a committed transaction.
CommitCellsDurable(t) == todo[t] = {}

\* The client removes its entry.  VLDB'18 Alg. 3, Commit
RemoveCommitEntry(t) ==
    /\ status[t] = "committed"
    /\ CommitCellsDurable(t)
    /\ commitTable' = [commitTable EXCEPT ![t] = NoTs]
    /\ status' = [status EXCEPT ![t] = "closed"]
    /\ todo' = [todo EXCEPT ![t] = {}]
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, cursor, tm, store, watermark, inspected, network,
                   committed, reads, precedes, faults>>

-----------------------------------------------------------------------------
(* Abort and death *)

\* A transaction ends without commit.
Abort(t) ==
    /\ MayFail
    /\ status' = [status EXCEPT ![t] = "aborted"]
    /\ todo' = [todo EXCEPT ![t] = writes[t]]
    /\ cursor' = [cursor EXCEPT ![t] = NoRead]
    /\ faults' = faults + 1
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, tm, store, table, inspected, network, committed,
                   reads, precedes>>

\* The application gives up, or its time is up, or a put was not answered.
Rollback(t) == status[t] = "active" /\ Abort(t)

\* The TM's answer to the commit request is lost: the client gives up, since it has sent no commit-table write.
LoseCommitAnswer(t) == status[t] = "certified" /\ Abort(t)

\* Guard (erratum to VLDB'18 Alg. 3, last line): an aborted transaction leaves its marker. If it removed it, a
\* commit-table write of its own that arrives late would commit it.
EntryAfterCleanUp(t) == commitTable[t]

\* The client of an aborted transaction removes one record.  VLDB'18 Alg. 3, Commit
CleanUp(t, k) ==
    /\ status[t] = "aborted" /\ k \in todo[t]
    /\ stored' = [stored EXCEPT ![k] = @ \ {t}]
    /\ todo' = [todo EXCEPT ![t] = @ \ {k}]
    /\ commitTable' = [commitTable EXCEPT ![t] = EntryAfterCleanUp(t)]
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, cursor, tm, commitCell, watermark,
                   inspected, network, committed, reads, precedes, faults>>

\* A client dies. What it did and what it was told stays; nothing more comes from it.
Crash(t) ==
    /\ MayFail
    /\ \/ status[t] \in {"active", "certified", "unknown"}
       \/ status[t] \in {"committed", "aborted"} /\ todo[t] # {}
    /\ status' = [status EXCEPT ![t] = IF @ = "committed" THEN "closed" ELSE IF @ = "aborted" THEN @ ELSE "dead"]
    /\ cursor' = [cursor EXCEPT ![t] = NoRead]
    /\ todo' = [todo EXCEPT ![t] = {}]
    /\ unanswered' = [unanswered EXCEPT ![t] = {}]
    /\ faults' = faults + 1
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, tm, store, table, inspected, network, committed, reads,
                   precedes>>

-----------------------------------------------------------------------------
(* The collector: recovery after dead clients, and garbage *)

\* Guard: whom the TM forgets when the time is up: those who have not ended, dead or alive.
Forgets(t) == status[t] \in {"active", "dead"}

\* The watermark goes up, in all of the commit table, before anything below it is collected. Who is below reads no more.
RaiseWatermark ==
    /\ MayRaise
    /\ \E ts \in {clock + 1} \cup {readTs[t] : t \in Txn} :
        /\ watermark < ts
        /\ \A t \in Txn : status[t] \in {"active", "dead"} /\ readTs[t] < ts => Forgets(t)
        /\ watermark' = ts
    /\ UNCHANGED <<client, tm, store, commitTable, inspected, network, committed, reads, precedes, faults>>

\* Guard: the collector touches only what is below the watermark: there, a transaction without an entry can no longer
\* commit.
IsBelowWatermark(t) == readTs[t] < watermark

\* A dead client's committed record gets its commit cell.
HealLeftover(t, k) ==
    /\ t \in stored[k] /\ commitCell[k][t] = NoTs
    /\ IsBelowWatermark(t)
    /\ commitTable[t] > NoTs
    /\ commitCell' = [commitCell EXCEPT ![k][t] = commitTable[t]]
    /\ UNCHANGED <<client, tm, stored, table, inspected, network, committed, reads, precedes, faults>>

\* There is one collector, which examines one record after the other; models with several replace both.
MayInspect == inspected = {}
StillInspected(t, k) == {}

\* The commit table tells the collector that the writer of a record that had no commit cell has not committed.
InspectLeftover(t, k) ==
    /\ t \in stored[k] /\ MayInspect
    /\ IsBelowWatermark(t)
    /\ commitTable[t] \in {NoTs, Invalidated}
    /\ inspected' = inspected \cup {<<k, t>>}
    /\ UNCHANGED <<client, tm, store, table, network, committed, reads, precedes, faults>>

\* Guard: the collector looks at the record again, as a reader does: it may have been healed, and its entry collected,
\* before the commit table was asked.
StillTentative(t, k) == commitCell[k][t] = NoTs

\* The record of an aborted or dead transaction is removed.
CleanLeftover(t, k) ==
    /\ <<k, t>> \in inspected
    /\ inspected' = StillInspected(t, k)
    /\ stored' = IF StillTentative(t, k) THEN [stored EXCEPT ![k] = @ \ {t}] ELSE stored
    /\ UNCHANGED <<client, tm, commitCell, table, network, committed, reads, precedes, faults>>

\* Guard: a commit entry goes only after a pass over all records: each one of the transaction has its commit cell.
AllHealed(t) ==
    commitTable[t] = Invalidated \/ \A k \in Key : t \in stored[k] => commitCell[k][t] # NoTs

\* Guard: an entry is collected below the watermark only. A marker that goes too early lets a slow commit through after a
\* reader skipped it.
EntryIsSettled(t) == readTs[t] < watermark

\* A commit-table entry is collected, whoever left it.
CollectEntry(t) ==
    /\ commitTable[t] # NoTs
    /\ EntryIsSettled(t)
    /\ AllHealed(t)
    /\ commitTable' = [commitTable EXCEPT ![t] = NoTs]
    /\ UNCHANGED <<client, tm, store, watermark, inspected, network, committed, reads, precedes, faults>>

\* Guard: a version that live readers may need stays: only a newer one that was committed below the watermark hides it.
IsSuperseded(t, k) ==
    \E w \in stored[k] : /\ readTs[t] < readTs[w]
                         /\ commitCell[k][w] # NoTs
                         /\ commitCell[k][w] < watermark

\* Guard: no copy of the put is on its way: arriving after the version is gone, it would bring the version back. The
\* implementation collects below watermarks only that are older than any message can be.
NoPutInFlight(t, k) == <<k, t>> \notin latePuts

\* An old version is collected.
CollectVersion(t, k) ==
    /\ t \in stored[k]
    /\ IsSuperseded(t, k)
    /\ NoPutInFlight(t, k)
    /\ stored' = [stored EXCEPT ![k] = @ \ {t}]
    /\ commitCell' = [commitCell EXCEPT ![k][t] = NoTs]
    /\ UNCHANGED <<client, tm, table, inspected, network, committed, reads, precedes, faults>>

\* Guard: a tombstone stays while there is an older version that it hides. When there is none, it may go even if it is
\* young or tentative: only an older, overlapping writer could still bring one, and the two conflict.
HidesNothing(t, k) == \A w \in stored[k] : readTs[t] <= readTs[w]

\* Guard: a version that is not a tombstone is the value of its key.
IsTombstone(t, k) == k \in deletes[t]

\* A tombstone is collected.
CollectTombstone(t, k) ==
    /\ t \in stored[k]
    /\ IsTombstone(t, k)
    /\ HidesNothing(t, k)
    /\ stored' = [stored EXCEPT ![k] = @ \ {t}]
    /\ commitCell' = [commitCell EXCEPT ![k][t] = NoTs]
    /\ UNCHANGED <<client, tm, table, inspected, network, committed, reads, precedes, faults>>

-----------------------------------------------------------------------------

\* Steps that a client or the collector takes if nothing keeps it from it.
ClientStep(t) ==
    \/ EndReadOnly(t) \/ RequestCommit(t) \/ WriteCommitEntry(t) \/ RemoveCommitEntry(t)
    \/ GetCommitEntry(t) \/ HealCommitCell(t) \/ PassPending(t) \/ InvalidatePending(t) \/ ReReadRecord(t)
    \/ RemoveFalseInvalidation(t)
    \/ \E k \in Key : RetryPut(t, k) \/ ReadOwnWrite(t, k) \/ GetRecord(t, k) \/ PostCommit(t, k) \/ CleanUp(t, k)

CollectorStep ==
    \/ RaiseWatermark
    \/ \E t \in Txn : CollectEntry(t)
    \/ \E t \in Txn, k \in Key :
        \/ HealLeftover(t, k) \/ InspectLeftover(t, k) \/ CleanLeftover(t, k)
        \/ CollectVersion(t, k) \/ CollectTombstone(t, k)

\* What applications do, and what arrives late.
Arrival ==
    \/ \E t \in Txn : Begin(t) \/ LateCommitEntry(t)
    \/ \E t \in Txn, k \in Key : LatePut(t, k) \/ \E content \in Contents : Write(t, k, content)

\* What goes wrong; models bound how often.
Fault ==
    \/ \E t \in Txn : Rollback(t) \/ Crash(t) \/ LoseCommitAnswer(t) \/ LoseEntryAnswer(t)
    \/ \E t \in Txn, k \in Key, content \in Contents : DelayPut(t, k, content)
    \/ \E k \in Key : Evict(k)

Step == (\E t \in Txn : ClientStep(t)) \/ CollectorStep \/ Arrival

Next == Step \/ Fault

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* Properties *)

\* Those that have committed, who wrote nothing included.
Done == committed \cup {t \in Txn : status[t] = "closed" /\ writes[t] = {}}

\* Snapshot, OwnWrites, FirstCommitterWins, NoDirtyRead, StrongSI, ReadStates, NoPhenomena: see Isolation.tla
History ==
    [done |-> Done,
     writes |-> writes, deletes |-> deletes, reads |-> reads, precedes |-> precedes,
     readTs |-> readTs, commitTs |-> commitTs]

INSTANCE Isolation WITH h <- History

\* What clients see: the commit is the commit-table entry.
Abstract ==
    INSTANCE SnapshotIsolation WITH
        Timestamps <- Nat, Unordered <- {},
        phase <- [t \in Txn |->
            IF t \in Done THEN "committed" ELSE IF status[t] \in {"idle", "aborted"} THEN status[t] ELSE "active"],
        commitTs <- [t \in Txn |-> IF t \in committed THEN commitTs[t] ELSE NoTs],
        writes <- [t \in Txn |-> IF t \in committed THEN writes[t] ELSE {}],
        deletes <- [t \in Txn |-> IF t \in committed THEN deletes[t] ELSE {}],
        reads <- [t \in Txn |-> {r \in reads[t] : ~r.own}],
        answered <- {t \in Txn : status[t] \in {"committed", "closed"}}

\* Each step is one that a database with snapshot isolation may take. When it fails, what somebody has read or was told is no
\* longer so.
RefinesSnapshotIsolation == Abstract!Spec

\* What a client was told is what happened. When it fails, an application retries what was done, or believes in what
\* was not.
AnswersTrue ==
    \A t \in Txn :
        /\ status[t] \in {"committed", "closed"} /\ writes[t] # {} => t \in committed
        /\ status[t] = "aborted" => t \notin committed

\* Somebody who committed, or was about to, wrote one of t's keys after t began.
WasOverwritten(t) ==
    \E w \in Txn \ {t} : commitTs[w] > readTs[t] /\ writes[w] \cap writes[t] # {}

\* Somebody with a later snapshot came by one of t's records.
WasRead(t) ==
    \E r \in Txn :
        readTs[r] > readTs[t] /\ \E k \in writes[t] : k = cursor[r].key \/ \E x \in reads[r] : x.key = k

\* If t was aborted, and nothing went wrong, then for a conflict, for a reader who could not wait, or because its time was up.
AbortHasReason(t) ==
    status[t] = "aborted" /\ faults = 0 =>
        \/ readTs[t] < watermark
        \/ IF commitTs[t] = NoTs THEN WasOverwritten(t) ELSE WasRead(t)

\* Nobody is aborted but for a conflict, for a reader who could not wait, or because his time was up; and nobody is left without
\* an answer unless the watermark has passed him. When it fails, a user who is alone in the world is aborted, or never learns
\* whether he paid.
AbortsHaveReason ==
    \A t \in Txn : AbortHasReason(t) /\ (status[t] = "unresolved" => readTs[t] < watermark)

\* (P ~> ~P is []<>~P, which TLC checks without a tableau: in a third of the time.)

\* Every commit of a live client ends. When it fails, an application hangs.
CommitEnds ==
    \A t \in Txn : []<>(status[t] \notin {"certified", "unknown"})

\* Every read of a live client ends.
ReadEnds == \A t \in Txn : []<>(cursor[t].step = "none")

\* What dead clients leave is healed or cleaned in the end: nothing stays left over. When it fails, every reader of the key pays for ever.
LeftoversVanish ==
    \A t \in Txn, k \in Key :
        []<>~(status[t] \in {"dead", "aborted", "closed"} /\ t \in stored[k] /\ commitCell[k][t] = NoTs)

\* The watermark goes up only as far as live readers allow: whose time is up was too slow, and nobody may count on that.
PassesNobody == \A t \in Txn : status[t] = "active" => watermark' <= readTs[t]

\* Live clients and the collector go on. (Strong fairness where the collector's one place for an inspected record may be
\* taken by another.)
Fairness ==
    /\ \A t \in Txn : WF_vars(ClientStep(t)) /\ WF_vars(CollectEntry(t))
    /\ \A t \in Txn : WF_vars(cursor[t].step = "record" /\ ~InTime(t) /\ Rollback(t))
    /\ WF_vars(RaiseWatermark /\ PassesNobody)
    /\ \A t \in Txn, k \in Key :
        WF_vars(HealLeftover(t, k)) /\ SF_vars(InspectLeftover(t, k)) /\ WF_vars(CleanLeftover(t, k))

FairSpec == Spec /\ Fairness
=============================================================================
