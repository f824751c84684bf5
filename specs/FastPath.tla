------------------------------- MODULE FastPath -------------------------------
(***************************************************************************)
(* Omid FP (VLDB'18 section 4): single-key transactions that never talk to *)
(* the transaction manager, beside the regular ones of OmidLL.tla.         *)
(*                                                                         *)
(* Timestamps have two parts. The transaction manager (TM) counts in steps *)
(* of Span; the numbers in between are the versions of fast-path (FP)      *)
(* writes. A write draws its version from the clock of the region server   *)
(* (LVC), stores a record that is committed at that version, and is done.  *)
(* Three rules make it agree with the regular transactions:                *)
(*                                                                         *)
(*   1. A regular read of a key lifts the LVC to its snapshot first, so    *)
(*      that later FP writes come after the snapshot. Whoever writes a     *)
(*      commit cell lifts the LVC to the commit timestamp.                 *)
(*   2. An FP write gives up where it meets a newer tentative record.      *)
(*   3. A regular put gives up where it meets a newer committed record.    *)
(*                                                                         *)
(* How a regular read and FP writes of a key exclude each other. An FP     *)
(* write holds the row's exclusive lock from before it draws its version   *)
(* until the record can be read (StoreVersion). HBase runs a get, and the  *)
(* hook before it, without any row lock: a write that drew its version     *)
(* before the read lifted the LVC may be stored after the read has looked. *)
(* So the read first lifts the LVC (BumpClock), then waits for those FP    *)
(* writes of the row that drew an older version and are not yet stored     *)
(* (AwaitFastWrites), and only then looks. It takes no exclusive lock, and *)
(* waits for nobody who draws after it, so readers never wait for readers, *)
(* nor for ever. An implementation either takes the row's shared lock for  *)
(* a moment, or keeps the rows of FP writes in flight in a sorted set: a   *)
(* row enters before its version is drawn and leaves after it can be read; *)
(* a get or a scan first lifts the LVC and then waits for the rows of its  *)
(* range that it finds there. Regular puts and updates hold the shared     *)
(* lock, as HBase's hooks before a batch do, with the check or the lift    *)
(* inside.                                                                 *)
(*                                                                         *)
(* The paper's maxVersion of a key is the LVC of the server that has it    *)
(* (MaxVersion.tla, RefinesMaxVersion). Each key stands for the region it  *)
(* is in. Argued, not checked: a region has nothing that its keys share    *)
(* but the LVC, which they share with all regions of the server.           *)
(*                                                                         *)
(* Beyond the paper: the FP write that is still on its way, answers that   *)
(* are lost, tombstones and their collection, and everything that OmidLL   *)
(* has. What a regular transaction does is taken from there (LL!Write and  *)
(* so on), with what the fast path adds to it.                             *)
(*                                                                         *)
(* A comment that begins with "Guard" marks an operator whose removal must *)
(* violate a property: specs/mutants/FastPath has a mutant for each.       *)
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
    Contents,
    \* The transactions that take the fast path.
    \* @type: Set(TXN);
    Fast,
    \* Region servers.
    \* @type: Set(SERVER);
    Server,
    \* The server that has all the keys at first.
    \* @type: KEY -> SERVER;
    FirstHost,
    \* The distance of two timestamps of the TM; one less FP writes fit in between.  VLDB'18 sec. 4.2: two to the power l
    \* @type: Int;
    Span

\* The variables of OmidLL. An FP transaction uses some of them: readTs and commitTs are the version that it drew; writes
\* and deletes its key; its status is idle until it was answered, then closed, aborted or unresolved.
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
(* What the fast path adds *)

\* The local version clock of each region server, in its memory.  VLDB'18 sec. 4.3  Lane: server
VARIABLE
    \* @type: SERVER -> Int;
    lvc
TypeOKLvc == lvc \in [Server -> Nat]

\* The server that each key is on.  VLDB'18 sec. 4.3  Lane: server
VARIABLE
    \* @type: KEY -> SERVER;
    host
TypeOKHost == host \in [Key -> Server]

\* The keys whose server has asked the TM for the time since it has them.  VLDB'18 sec. 4.3  Lane: server
VARIABLE
    \* @type: Set(KEY);
    bootstrapped
TypeOKBootstrapped == bootstrapped \subseteq Key

\* The regular read that has not looked yet, with its key. bumped: it lifted the LVC. admitted: it waited for older FP
\* writes.  VLDB'18 Alg. 4, preGet  Lane: client
VARIABLE
    \* @type: TXN -> { step: Str, key: KEY };
    gate
TypeOKGate == gate \in [Txn -> [step : {"none", "bumped", "admitted"}, key : Key \cup {NoKey}]]

\* The FP transaction in progress. between: it has read, and may write. drawn: it holds the row lock and has its version,
\* but is not stored. lost: its region was closed before. last: the commit timestamp of the record that it read.  VLDB'18 Alg. 4  Lane: client
VARIABLE
    \* @type: TXN -> { step: Str, key: KEY, last: Int };
    fast
TypeOKFast ==
    \A f \in Fast :
        fast[f].step \in {"none", "between", "drawn", "lost"} /\ fast[f].key \in Key \cup {NoKey} /\ fast[f].last \in Nat

regular ==
    <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, stored,
      commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults>>
servers == <<lvc, host, bootstrapped>>
vars == <<regular, servers, gate, fast>>

TypeOK ==
    LL!TypeOK /\ TypeOKLvc /\ TypeOKHost /\ TypeOKBootstrapped /\ TypeOKGate /\ TypeOKFast

NoGate == [step |-> "none", key |-> NoKey]

Init ==
    /\ LL!Init
    /\ lvc = [s \in Server |-> 0]
    /\ host = FirstHost
    /\ bootstrapped = Key
    /\ gate = [t \in Txn |-> NoGate]
    /\ fast = [f \in Fast |-> [step |-> "none", key |-> NoKey, last |-> NoTs]]

\* The clock of the TM after its next step.
NextTs == clock + Span

\* The LVC is lifted: it never goes back.
Bump(k, ts) == lvc' = [lvc EXCEPT ![host[k]] = IF ts > @ THEN ts ELSE @]

\* The FP write holds the row lock.
Holds(f, k) == fast[f].step = "drawn" /\ fast[f].key = k

\* What the application may do next, what may go wrong, and whether the watermark may go up; models restrict it.
\* @type: (TXN, KEY) => Bool;
MayRead(t, k) == TRUE
\* @type: (TXN, KEY, Str) => Bool;
MayWrite(t, k, content) == TRUE
\* @type: (TXN, Str, KEY) => Bool;
MayTakeFastPath(f, operation, k) == TRUE
\* @type: Bool;
MayFail == TRUE
\* @type: Bool;
MayRaise == TRUE

-----------------------------------------------------------------------------
(* Transaction manager *)

\* The TM gives the next timestamp.  VLDB'18 Alg. 2, Begin
\* As in OmidLL, with the longer step.
Begin(t) ==
    /\ t \notin Fast
    /\ status[t] = "idle"
    /\ clock' = NextTs
    /\ readTs' = [readTs EXCEPT ![t] = NextTs]
    /\ status' = [status EXCEPT ![t] = "active"]
    /\ precedes' = [precedes EXCEPT ![t] = {a \in Txn : status[a] \in {"committed", "closed"}}]
    /\ UNCHANGED <<commitTs, writes, deletes, unanswered, todo, cursor, lastCommit, lowWatermark, stored, commitCell,
                   commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, faults, servers, gate,
                   fast>>

\* The client is between two operations of its transaction.
Ready(t) == LL!Ready(t) /\ gate[t] = NoGate

\* The TM gives a commit timestamp, or refuses.  VLDB'18 Alg. 2, Commit
\* As in OmidLL, with the longer step. FP writes never come to the TM: a conflict with one was met by the put.
RequestCommit(t) ==
    /\ Ready(t) /\ writes[t] # {}
    /\ LL!WritesStored(t)
    /\ IF LL!NoConflict(t) /\ LL!AboveLowWatermark(t)
       THEN /\ clock' = NextTs
            /\ commitTs' = [commitTs EXCEPT ![t] = NextTs]
            /\ lastCommit' = [k \in Key |-> IF k \in writes[t] THEN NextTs ELSE lastCommit[k]]
            /\ status' = [status EXCEPT ![t] = "certified"]
            /\ UNCHANGED todo
       ELSE /\ status' = [status EXCEPT ![t] = "aborted"]
            /\ todo' = [todo EXCEPT ![t] = writes[t]]
            /\ UNCHANGED <<clock, commitTs, lastCommit>>
    /\ UNCHANGED <<readTs, writes, deletes, unanswered, cursor, lowWatermark, stored, commitCell, commitTable,
                   watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults, servers, gate,
                   fast>>

\* Guard (VLDB'18 sec. 3.2.1): the new TM knows none of the old one's commits, so it lets nobody commit who began before.
LowWatermarkOfNewTM == NextTs

\* Another TM takes over, with an empty conflict table and a clock that no timestamp given has passed.  VLDB'18 sec. 3.2.1
\* One step; TMFailover.tla has the many.
Failover ==
    /\ MayFail
    /\ clock' = NextTs
    /\ lastCommit' = [k \in Key |-> NoTs]
    /\ lowWatermark' = LowWatermarkOfNewTM
    /\ faults' = faults + 1
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, stored, commitCell, commitTable,
                   watermark, inspected, latePuts, lateEntries, committed, reads, precedes, servers, gate, fast>>

-----------------------------------------------------------------------------
(* Regular writes *)

\* Guard: a regular put holds the row's shared lock, so it waits for an FP write that holds the exclusive one. Otherwise
\* each looks before the other stores, and they do not see each other.
NoFastWriteInRow(k) == \A f \in Fast : ~Holds(f, k)

\* Guard (VLDB'18 Alg. 4, prePut): a regular put gives up where a newer version is committed. The version counts, so that
\* the store looks at newer versions only; a newer commit of an older version is found by the TM.
NoNewerCommit(t, k) == \A w \in stored[k] : commitCell[k][w] # NoTs => readTs[w] < readTs[t]

\* A tentative record is stored and acknowledged.  VLDB'18 Alg. 3, Write; Alg. 4, prePut
Write(t, k, content) ==
    /\ Ready(t) /\ MayWrite(t, k, content)
    /\ NoFastWriteInRow(k)
    /\ NoNewerCommit(t, k)
    /\ LL!Write(t, k, content)
    /\ UNCHANGED <<servers, gate, fast>>

\* The client sends an unanswered put again, and is answered.
RetryPut(t, k) ==
    /\ Ready(t)
    /\ NoFastWriteInRow(k)
    /\ NoNewerCommit(t, k)
    /\ LL!RetryPut(t, k)
    /\ UNCHANGED <<servers, gate, fast>>

\* The store refuses a put, also one that was sent again: the transaction is aborted.  VLDB'18 Alg. 4, prePut
RefusePut(t, k, content) ==
    /\ Ready(t) /\ MayWrite(t, k, content)
    /\ k \notin writes[t] \/ k \in unanswered[t]
    /\ NoFastWriteInRow(k)
    /\ ~NoNewerCommit(t, k)
    /\ status' = [status EXCEPT ![t] = "aborted"]
    /\ todo' = [todo EXCEPT ![t] = writes[t]]
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, cursor, clock, lastCommit, lowWatermark, stored,
                   commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes,
                   faults, servers, gate, fast>>

\* A put arrives late. Where it is refused, nobody hears of it.
LatePut(t, k) ==
    /\ NoFastWriteInRow(k)
    /\ IF NoNewerCommit(t, k) THEN LL!LatePut(t, k)
       ELSE /\ <<k, t>> \in latePuts
            /\ latePuts' = latePuts \ {<<k, t>>}
            /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit,
                           lowWatermark, stored, commitCell, commitTable, watermark, inspected, lateEntries, committed,
                           reads, precedes, faults>>
    /\ UNCHANGED <<servers, gate, fast>>

-----------------------------------------------------------------------------
(* Regular reads *)

\* Guard (VLDB'18 Alg. 4, preGet): a read lifts the LVC to its snapshot, so that FP writes that it does not see draw later
\* versions: the conflict of fig. 3 is found, and the read stays the same when it is repeated.
ReadLifts(t) == readTs[t]

\* Guard (erratum to VLDB'18 Alg. 4, preGet): a read lifts the LVC only to what the TM has given. Whoever may read sends what
\* snapshot he likes.
\* The server asks the TM where it does not know: ClockBound.tla has the steps, and that no snapshot which was given is refused.
\* This is what the code holds readers to. Who may also write is held to the TM's durable limit, so that the server asks less
\* often: a lie of his is not modelled here, as he can destroy the data in any case.
CanBeGiven(ts) == ts < NextTs

\* Before the first get of a key, the LVC is lifted.  VLDB'18 Alg. 4, preGet
BumpClock(t, k) ==
    /\ Ready(t) /\ MayRead(t, k) /\ ~LL!IsOwnWrite(t, k)
    /\ CanBeGiven(ReadLifts(t))
    /\ Bump(k, ReadLifts(t))
    /\ gate' = [gate EXCEPT ![t] = [step |-> "bumped", key |-> k]]
    /\ UNCHANGED <<regular, host, bootstrapped, fast>>

\* The snapshots that somebody may make up: any, as far as two timestamps that the TM has not given.
Forgeable == 0..(NextTs + Span)

\* A stranger, who may only read, sends a read with a snapshot that he made up. One that is refused changes nothing.
ForgeRead(k) ==
    \E ts \in Forgeable :
        /\ CanBeGiven(ts)
        /\ Bump(k, ts)
        /\ UNCHANGED <<regular, host, bootstrapped, gate, fast>>

\* Guard (erratum to VLDB'18 sec. 4.3): HBase does not run the hook atomically with the get. FP writes that drew a version
\* in the snapshot are stored before the read looks.
OlderFastWritesStored(t, k) == \A f \in Fast : Holds(f, k) => readTs[f] > readTs[t]

\* The read waits for FP writes of the row that are in flight.  VLDB'18 sec. 4.3: "enforces atomic execution"
AwaitFastWrites(t, k) ==
    /\ gate[t] = [step |-> "bumped", key |-> k]
    /\ OlderFastWritesStored(t, k)
    /\ gate' = [gate EXCEPT ![t].step = "admitted"]
    /\ UNCHANGED <<regular, servers, fast>>

\* The next record of the traversal is fetched; its commit cell, if set, decides.  VLDB'18 Alg. 3, Read
GetRecord(t, k) ==
    /\ cursor[t].step = "none" => gate[t] = [step |-> "admitted", key |-> k]
    /\ LL!GetRecord(t, k)
    /\ gate' = [gate EXCEPT ![t] = NoGate]
    /\ UNCHANGED <<servers, fast>>

-----------------------------------------------------------------------------
(* Commit cells: the LVC is lifted in the same step as the cell is put, and may be lifted just before. Argued, not        *)
(* checked: as long as the record is tentative, no FP write draws a version.                                              *)

\* Guard (VLDB'18 Alg. 4, preUpdate): post-commit lifts the LVC. Otherwise the next FP write goes below the commit.
PostCommitLifts(ts) == ts

\* The commit timestamp is copied to one key.  VLDB'18 Alg. 3, post-commit; Alg. 4, preUpdate
PostCommit(t, k) ==
    /\ LL!PostCommit(t, k)
    /\ Bump(k, PostCommitLifts(commitTs[t]))
    /\ UNCHANGED <<host, bootstrapped, gate, fast>>

\* Guard (erratum to VLDB'18 Alg. 4): a reader that writes the commit cell lifts the LVC, too.
HealingLifts(ts) == ts

\* A reader that found the entry writes the commit cell for those who come after it.
HealCommitCell(t) ==
    /\ LL!HealCommitCell(t)
    /\ Bump(cursor[t].key, HealingLifts(commitTs[cursor[t].met]))
    /\ UNCHANGED <<host, bootstrapped, gate, fast>>

\* Guard (erratum to VLDB'18 Alg. 4): so does the collector.
CollectorLifts(ts) == ts

\* A dead client's committed record gets its commit cell.
HealLeftover(t, k) ==
    /\ LL!HealLeftover(t, k)
    /\ Bump(k, CollectorLifts(commitTable[t]))
    /\ UNCHANGED <<host, bootstrapped, gate, fast>>

\* Guard: a tombstone is collected when no live transaction began before it. In OmidLL a younger one may go, because the TM
\* remembers its commit; that of an FP transaction only the record itself tells.
IsSettled(t, k) == commitCell[k][t] # NoTs /\ commitCell[k][t] < watermark

\* A tombstone is collected.
CollectTombstone(t, k) ==
    /\ IsSettled(t, k)
    /\ LL!CollectTombstone(t, k)
    /\ UNCHANGED <<servers, gate, fast>>

-----------------------------------------------------------------------------
(* The fast path *)

\* The committed records of a key.
Finished(k) == {w \in stored[k] : commitCell[k][w] # NoTs}

\* Whether w is the last committed record of k.
IsLast(w, k) == w \in Finished(k) /\ \A x \in Finished(k) : readTs[x] <= readTs[w]

\* The commit timestamp of the last committed record; NoTs where there is none.
LastCommitted(k) ==
    IF Finished(k) = {} THEN NoTs ELSE commitCell[k][CHOOSE w \in Finished(k) : IsLast(w, k)]

\* What a reader of the last committed record gets.
LastValue(k) == IF Finished(k) = {} THEN NoTxn ELSE LL!Value(CHOOSE w \in Finished(k) : IsLast(w, k), k)

\* An FP transaction has not begun.
IsFresh(f) == status[f] = "idle" /\ fast[f].key = NoKey

\* An FP transaction begins.
\* The request may be sent earlier. Argued, not checked: sending it late only adds to what it must come after.
BeginFast(f) == precedes' = [precedes EXCEPT ![f] = {a \in Txn : status[a] \in {"committed", "closed"}}]

\* The FP transaction f sees the last committed record of k.
ReadLast(f, k, step) ==
    /\ reads' = [reads EXCEPT ![f] = {[key |-> k, from |-> LastValue(k), own |-> FALSE]}]
    /\ fast' = [fast EXCEPT ![f] = [step |-> step, key |-> k, last |-> LastCommitted(k)]]

\* An FP transaction reads, and is done. Tentative records are ignored, committed ones among them.  VLDB'18 Alg. 4, brc
Brc(f, k) ==
    /\ IsFresh(f) /\ MayTakeFastPath(f, "brc", k)
    /\ BeginFast(f)
    /\ ReadLast(f, k, "none")
    /\ status' = [status EXCEPT ![f] = "closed"]
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, stored,
                   commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, faults, servers,
                   gate>>

\* An FP transaction reads, and is told the version.  VLDB'18 Alg. 4, br
Br(f, k) ==
    /\ IsFresh(f) /\ MayTakeFastPath(f, "br", k)
    /\ BeginFast(f)
    /\ ReadLast(f, k, "between")
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark,
                   stored, commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, faults,
                   servers, gate>>

\* Guard (VLDB'18 sec. 4.3): FP writes of a row exclude each other, from the draw until the record can be read.
RowIsFree(k) == \A f \in Fast : ~Holds(f, k)

\* Guard (VLDB'18 sec. 4.3): a server draws no version for a region before it has asked the TM for the time since it opened
\* it. Reads and regular transactions need not wait.
KnowsTheTime(k) == k \in bootstrapped

\* Guard (VLDB'18 Alg. 4, line 12): no tentative record that may be committed later. The paper has: no tentative record at
\* all. One below the last committed record can no longer come out above it.
NoNewerTentative(k) ==
    \A w \in stored[k] : commitCell[k][w] = NoTs => \E x \in Finished(k) : readTs[w] < readTs[x]

\* Guard (VLDB'18 sec. 4.2): a version never runs over into the next timestamp of the TM.
SequenceLeft(k) == (lvc[host[k]] + 1) % Span # 0

\* Guard (erratum to VLDB'18 Alg. 4, line 13): nobody has written the key since br told its commit timestamp. For FP writes
\* and regular ones it is the same kind of number. The paper compares with "at most", which also passes where a deletion
\* was collected in between.
IsSame(last, k) == LastCommitted(k) = last

\* Guard (VLDB'18 Alg. 4, line 14: fetch-and-increment): the version is later than all that were read or written.
NextVersion(k) == lvc[host[k]] + 1

\* Whether an FP write gets a version.
Accepts(k, unchanged) == unchanged /\ NoNewerTentative(k) /\ SequenceLeft(k)

\* The stored procedure takes the row lock, looks, and draws a version, or gives up.  VLDB'18 Alg. 4, putVersion
\* One action. Argued, not checked: nothing of the row changes under its exclusive lock, and the LVC only goes forward.
PutVersion(f, k, content, unchanged) ==
    /\ RowIsFree(k)
    /\ KnowsTheTime(k)
    /\ IF Accepts(k, unchanged)
       THEN /\ lvc' = [lvc EXCEPT ![host[k]] = NextVersion(k)]
            /\ readTs' = [readTs EXCEPT ![f] = NextVersion(k)]
            /\ commitTs' = [commitTs EXCEPT ![f] = NextVersion(k)]
            /\ writes' = [writes EXCEPT ![f] = {k}]
            /\ deletes' = IF content = "tombstone" THEN [deletes EXCEPT ![f] = {k}] ELSE deletes
            /\ fast' = [fast EXCEPT ![f].step = "drawn", ![f].key = k]
            /\ UNCHANGED status
       ELSE /\ status' = [status EXCEPT ![f] = "aborted"]
            /\ fast' = [fast EXCEPT ![f].step = "none", ![f].key = k]
            /\ UNCHANGED <<lvc, readTs, commitTs, writes, deletes>>
    /\ UNCHANGED <<unanswered, todo, cursor, clock, lastCommit, lowWatermark, stored, commitCell, commitTable,
                   watermark, inspected, latePuts, lateEntries, committed, reads, faults, host, bootstrapped, gate>>

\* An FP transaction writes a key that it has not read.  VLDB'18 Alg. 4, bwc
Bwc(f, k, content) ==
    /\ IsFresh(f) /\ MayTakeFastPath(f, "bwc", k)
    /\ BeginFast(f)
    /\ PutVersion(f, k, content, TRUE)

\* Guard: an FP write is sent once. One that was not answered may have been stored: sent again, it would be refused because
\* of itself, or be applied a second time, over what others have written since. The application is told that the outcome
\* is unknown.
FirstTry(f) == status[f] = "idle" /\ fast[f].step = "between"

\* An FP transaction writes the key that it has read.  VLDB'18 Alg. 4, wc
Wc(f, content) ==
    /\ FirstTry(f)
    /\ PutVersion(f, fast[f].key, content, IsSame(fast[f].last, fast[f].key))
    /\ UNCHANGED precedes

\* Guard: an FP write in flight is lost when its region is closed. HBase lets nobody write to a closed region, and fences
\* the log of a server before it opens the server's regions elsewhere.
MayStore(f) == fast[f].step = "drawn"

\* The record can be read, its version being its commit timestamp, and the row lock is released.  VLDB'18 Alg. 4, line 15
StoreVersion(f) ==
    LET k == fast[f].key
    IN  /\ MayStore(f)
        /\ stored' = [stored EXCEPT ![k] = @ \cup {f}]
        /\ commitCell' = [commitCell EXCEPT ![k][f] = commitTs[f]]
        /\ committed' = committed \cup {f}
        /\ status' = [status EXCEPT ![f] = IF @ = "idle" THEN "closed" ELSE @]
        /\ fast' = [fast EXCEPT ![f].step = "none"]
        /\ UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark,
                       commitTable, watermark, inspected, latePuts, lateEntries, reads, precedes, faults, servers,
                       gate>>

\* An FP write is not answered: it may be stored later, or never. (Also the death of the client.)
LoseFastAnswer(f) ==
    /\ status[f] = "idle" /\ fast[f].step = "drawn" /\ MayFail
    /\ status' = [status EXCEPT ![f] = "unresolved"]
    /\ faults' = faults + 1
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, stored,
                   commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes,
                   servers, gate, fast>>

-----------------------------------------------------------------------------
(* Regions *)

\* FP writes in flight are lost with their region. Their clients do not know whether they were stored before.
LoseInFlight(keys) ==
    LET lost == {f \in Fast : fast[f].step = "drawn" /\ fast[f].key \in keys}
    IN  /\ fast' = [f \in Fast |-> IF f \in lost THEN [fast[f] EXCEPT !.step = "lost"] ELSE fast[f]]
        /\ status' = [t \in Txn |-> IF t \in lost THEN "unresolved" ELSE status[t]]

\* Guard (VLDB'18 sec. 4.3): a server that opens a region does not take its own LVC for good.
BootstrappedAfterOpening(keys) == bootstrapped \ keys

\* Regions are opened on a server.
Open(keys, s) ==
    /\ MayFail
    /\ host' = [k \in Key |-> IF k \in keys THEN s ELSE host[k]]
    /\ bootstrapped' = BootstrappedAfterOpening(keys)
    /\ LoseInFlight(keys)
    /\ faults' = faults + 1
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, stored,
                   commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes,
                   gate>>

\* A region is moved to another server.  VLDB'18 sec. 4.3
MoveRegion(k, s) ==
    /\ host[k] # s
    /\ Open({k}, s)
    /\ UNCHANGED lvc

\* A server dies, its LVC is lost, and its regions are opened on another server, or on the same after it was started again.
\* VLDB'18 sec. 4.3
CrashServer(s, other) ==
    /\ \E k \in Key : host[k] = s
    /\ Open({k \in Key : host[k] = s}, other)
    /\ lvc' = [lvc EXCEPT ![s] = 0]

\* Guard (VLDB'18 sec. 4.3): the TM increments its clock for a server that asks for the time: between the last timestamp and
\* the next, the server that had the region before may have drawn all versions.
BootstrapTs == NextTs

\* More than three quarters of the versions up to the next timestamp are drawn. With a Span of 4 or less that is all of them.
SequenceLow(k) == 4 * ((lvc[host[k]] % Span) + 1) > 3 * Span

\* Guard: a server whose sequence is exhausted, or soon will be, asks, too. Otherwise FP writes wait for a regular transaction
\* to come by.
NeedsTime(k) == ~KnowsTheTime(k) \/ SequenceLow(k)

\* The server of a key asks the TM for the time, and lifts its LVC to it.  VLDB'18 sec. 4.3
\* One action. Argued, not checked: an answer may come late and lift to a timestamp that was given a while ago. That is enough
\* if the question was sent after the region was opened: whoever had it before draws no more, and drew nothing above. For what
\* was given since, the reads and commit cells of the key lift the LVC themselves; and other keys' writes before the answer draw
\* below it. The answer to a question from before the region was opened proves nothing.
BootstrapClock(k) ==
    /\ NeedsTime(k)
    /\ clock' = BootstrapTs
    /\ Bump(k, BootstrapTs)
    /\ bootstrapped' = bootstrapped \cup {k}
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, lastCommit, lowWatermark,
                   stored, commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, reads,
                   precedes, faults, host, gate, fast>>

-----------------------------------------------------------------------------
(* What the fast path adds nothing to *)

Unaffected == UNCHANGED <<servers, gate, fast>>

\* As in OmidLL, between two operations.
EndReadOnly(t) == Ready(t) /\ LL!EndReadOnly(t) /\ Unaffected
\* As in OmidLL, between two operations.
ReadOwnWrite(t, k) == Ready(t) /\ MayRead(t, k) /\ LL!ReadOwnWrite(t, k) /\ Unaffected
\* As in OmidLL, between two operations.
DelayPut(t, k, content) == MayFail /\ Ready(t) /\ MayWrite(t, k, content) /\ LL!DelayPut(t, k, content) /\ Unaffected
\* As in OmidLL.
GetCommitEntry(t) == LL!GetCommitEntry(t) /\ Unaffected
\* As in OmidLL.
InvalidatePending(t) == LL!InvalidatePending(t) /\ Unaffected
\* As in OmidLL.
ReReadRecord(t) == LL!ReReadRecord(t) /\ Unaffected
\* As in OmidLL.
RemoveFalseInvalidation(t) == LL!RemoveFalseInvalidation(t) /\ Unaffected
\* As in OmidLL.
Evict(k) == MayFail /\ LL!Evict(k) /\ Unaffected
\* As in OmidLL.
WriteCommitEntry(t) == LL!WriteCommitEntry(t) /\ Unaffected
\* As in OmidLL.
LoseEntryAnswer(t) == MayFail /\ LL!LoseEntryAnswer(t) /\ Unaffected
\* As in OmidLL.
LateCommitEntry(t) == LL!LateCommitEntry(t) /\ Unaffected
\* As in OmidLL.
RemoveCommitEntry(t) == LL!RemoveCommitEntry(t) /\ Unaffected
\* As in OmidLL.
LoseCommitAnswer(t) == MayFail /\ LL!LoseCommitAnswer(t) /\ Unaffected
\* As in OmidLL.
CleanUp(t, k) == LL!CleanUp(t, k) /\ Unaffected
\* As in OmidLL. A read that had not looked yet ends.
Rollback(t) == MayFail /\ LL!Rollback(t) /\ gate' = [gate EXCEPT ![t] = NoGate] /\ UNCHANGED <<servers, fast>>
\* As in OmidLL. A read that had not looked yet ends.
Crash(t) == MayFail /\ LL!Crash(t) /\ gate' = [gate EXCEPT ![t] = NoGate] /\ UNCHANGED <<servers, fast>>
\* As in OmidLL.
RaiseWatermark == MayRaise /\ LL!RaiseWatermark /\ Unaffected
\* As in OmidLL.
InspectLeftover(t, k) == LL!InspectLeftover(t, k) /\ Unaffected
\* As in OmidLL.
CleanLeftover(t, k) == LL!CleanLeftover(t, k) /\ Unaffected
\* As in OmidLL.
CollectEntry(t) == LL!CollectEntry(t) /\ Unaffected
\* As in OmidLL.
CollectVersion(t, k) == LL!CollectVersion(t, k) /\ Unaffected

-----------------------------------------------------------------------------

\* Steps that a client takes if nothing keeps it from it.
ClientStep(t) ==
    \/ EndReadOnly(t) \/ RequestCommit(t) \/ WriteCommitEntry(t) \/ RemoveCommitEntry(t)
    \/ GetCommitEntry(t) \/ HealCommitCell(t) \/ InvalidatePending(t) \/ ReReadRecord(t) \/ RemoveFalseInvalidation(t)
    \/ \E k \in Key :
        \/ BumpClock(t, k) \/ AwaitFastWrites(t, k) \/ GetRecord(t, k) \/ ReadOwnWrite(t, k)
        \/ RetryPut(t, k) \/ PostCommit(t, k) \/ CleanUp(t, k)

CollectorStep ==
    \/ RaiseWatermark
    \/ \E t \in Txn : CollectEntry(t)
    \/ \E t \in Txn, k \in Key :
        \/ HealLeftover(t, k) \/ InspectLeftover(t, k) \/ CleanLeftover(t, k)
        \/ CollectVersion(t, k) \/ CollectTombstone(t, k)

\* Steps of the region servers.
ServerStep ==
    \/ \E f \in Fast : StoreVersion(f)
    \/ \E k \in Key : BootstrapClock(k)

\* What applications do, and what arrives late.
Arrival ==
    \/ \E t \in Txn : Begin(t) \/ LateCommitEntry(t)
    \/ \E t \in Txn, k \in Key :
        LatePut(t, k) \/ \E content \in Contents : Write(t, k, content) \/ RefusePut(t, k, content)
    \/ \E f \in Fast, k \in Key : Brc(f, k) \/ Br(f, k)
    \/ \E f \in Fast, k \in Key, content \in Contents : Bwc(f, k, content)
    \/ \E f \in Fast, content \in Contents : Wc(f, content)

\* What goes wrong; models bound how often.
Fault ==
    \/ \E t \in Txn : Rollback(t) \/ Crash(t) \/ LoseCommitAnswer(t) \/ LoseEntryAnswer(t)
    \/ \E t \in Txn, k \in Key, content \in Contents : DelayPut(t, k, content)
    \/ \E k \in Key : Evict(k)
    \/ \E f \in Fast : LoseFastAnswer(f)
    \/ \E k \in Key, s \in Server : MoveRegion(k, s)
    \/ \E s \in Server, other \in Server : CrashServer(s, other)
    \/ \E k \in Key : ForgeRead(k)
    \/ Failover

Step == (\E t \in Txn : ClientStep(t)) \/ CollectorStep \/ ServerStep \/ Arrival

Next == Step \/ Fault

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* Properties *)

\* The snapshot of an FP transaction: directly after the record that it read; for a write, its version.
FastSnapshot(f) == IF readTs[f] # NoTs THEN readTs[f] ELSE fast[f].last + 1

\* Snapshot, OwnWrites, FirstCommitterWins, NoDirtyRead, StrongSI, ReadStates, SameKeyOrder, NoTies, FastBeforeRegular: see
\* RelaxedIsolation.tla
History ==
    [LL!History EXCEPT !.readTs = [t \in Txn |-> IF t \in Fast THEN FastSnapshot(t) ELSE readTs[t]]]

INSTANCE RelaxedIsolation WITH h <- History

\* What clients see. FP transactions are such of one key that need not come after what was answered.
Abstract ==
    INSTANCE SnapshotIsolation WITH
        Timestamps <- Nat, Unordered <- Fast,
        phase <- [t \in Txn |->
            IF t \in LL!Done THEN "committed"
            ELSE IF status[t] = "aborted" THEN "aborted"
            ELSE IF status[t] = "idle" /\ (t \in Fast => fast[t].step = "none") THEN "idle" ELSE "active"],
        readTs <- [t \in Txn |-> IF t \in Fast /\ reads[t] # {} THEN FastSnapshot(t) ELSE readTs[t]],
        commitTs <- [t \in Txn |-> IF t \in committed THEN commitTs[t] ELSE NoTs],
        writes <- [t \in Txn |-> IF t \in committed THEN writes[t] ELSE {}],
        deletes <- [t \in Txn |-> IF t \in committed THEN deletes[t] ELSE {}],
        reads <- [t \in Txn |-> {r \in reads[t] : ~r.own}],
        answered <- {t \in Txn : status[t] \in {"committed", "closed"}}

\* Each step is one that a database with snapshot isolation may take. When it fails, what somebody has read or was told is no
\* longer so.
RefinesSnapshotIsolation == Abstract!Spec

\* What a client was told is what happened. When it fails, an application retries what was done, or believes in what
\* was not; or he waits for ever for an FP write that was lost with its region.
AnswersTrue ==
    /\ LL!AnswersTrue
    /\ \A f \in Fast : fast[f].step = "lost" => status[f] = "unresolved"

\* Nobody is aborted but for somebody who overwrote a key of his, for a put that met a newer version, for a reader who could not
\* wait, or because his time or the server's versions were up; on the fast path, but for another writer of the key. When it
\* fails, a user who is alone in the world is aborted.
\* (Which key a refused put was for, nothing tells; but that the version was newer, and not only its commit.)
AbortsHaveReason ==
    \A t \in Txn :
        status[t] = "aborted" /\ faults = 0 =>
            IF t \in Fast
            THEN \/ lvc[host[fast[t].key]] >= Span - 1
                 \/ \E w \in Txn \ {t} : fast[t].key \in writes[w]
            ELSE \/ readTs[t] < watermark
                 \/ IF commitTs[t] = NoTs
                    THEN LL!WasOverwritten(t) \/ \E w \in Txn \ {t} : commitTs[w] # NoTs /\ readTs[w] > readTs[t]
                    ELSE LL!WasRead(t)

\* The TM's timestamps are multiples of Span, and the versions of FP writes are none: so no record is in the place of another
\* one's. (With NoTies, and since the TM's timestamps are unique, records might as well be named by their versions as by their
\* transactions.) When it fails, a write that was answered is overwritten in its own cell, or a tentative record is taken for a
\* committed one.  VLDB'18 sec. 4.2
VersionsTell ==
    \A t \in Txn :
        IF t \in Fast THEN readTs[t] = NoTs \/ readTs[t] % Span # 0
        ELSE readTs[t] % Span = 0 /\ commitTs[t] % Span = 0

\* No version passes the timestamps that the TM gives next. When it fails, an FP write is later than a transaction that
\* begins after it and does not see it.  VLDB'18 sec. 4.2
ClockBounded == \A s \in Server : lvc[s] < NextTs

\* The LVC of a region has reached all that was read and committed there. When it fails, an FP write goes below what
\* somebody has read.  VLDB'18 sec. 4.2: maxVersion
ClockCovers ==
    \A k \in bootstrapped :
        /\ \A w \in Txn : commitCell[k][w] <= lvc[host[k]]
        /\ \A t \in Txn \ Fast : (\E r \in reads[t] : r.key = k /\ ~r.own) => readTs[t] <= lvc[host[k]]

\* The maxVersion of a key: the LVC of its server. Until that knows the time, nothing is drawn, and maxVersion may be taken
\* to be as late as it can be.
MaxVersionOf(k) == IF k \in bootstrapped THEN lvc[host[k]] ELSE NextTs - 1

\* The clock of a region never goes back, on whatever server it is. When it fails, an update that was answered is
\* overwritten by an earlier one.  VLDB'18 sec. 4.3
ClockNeverBack == [][\A k \in Key : MaxVersionOf(k)' >= MaxVersionOf(k)]_vars

\* The greatest of a set of numbers, or zero.
Greatest(S) == IF S = {} THEN 0 ELSE CHOOSE x \in S : \A y \in S : y <= x

\* The latest snapshot in which the key was read, as far as the LVC knows.
SnapshotOf(k) ==
    Greatest({readTs[t] : t \in {u \in Txn \ Fast : gate[u].key = k \/ \E r \in reads[u] : r.key = k /\ ~r.own}})

\* The version that was drawn for the key and is not stored.
DrawnFor(k) == Greatest({readTs[f] : f \in {g \in Fast : Holds(g, k)}})

PerKey ==
    INSTANCE MaxVersion WITH
        maxVersion <- [k \in Key |-> MaxVersionOf(k)], snapshot <- [k \in Key |-> SnapshotOf(k)],
        commit <- [k \in Key |-> Greatest({commitCell[k][t] : t \in Txn})], drawn <- [k \in Key |-> DrawnFor(k)]

\* One clock for each server does what one for each key would do.  VLDB'18 sec. 4.3
RefinesMaxVersion == PerKey!Spec

\* An FP write of the key would be accepted, as bwc and as br with wc at once.
IsOpen(k) == RowIsFree(k) /\ KnowsTheTime(k) /\ Accepts(k, IsSame(LastCommitted(k), k))

\* No key stays closed to FP writes. When it fails, a client that died at the wrong moment has taken the fast path away from
\* everybody.
FastPathOpens == \A k \in Key : []<>IsOpen(k)

\* Live clients, servers and the collector go on.
Fairness ==
    /\ \A t \in Txn : WF_vars(ClientStep(t)) /\ WF_vars(CollectEntry(t))
    /\ \A f \in Fast : WF_vars(StoreVersion(f))
    /\ WF_vars(RaiseWatermark /\ LL!PassesNobody)
    /\ \A k \in Key : WF_vars(BootstrapClock(k))
    /\ \A t \in Txn, k \in Key :
        WF_vars(HealLeftover(t, k)) /\ SF_vars(InspectLeftover(t, k)) /\ WF_vars(CleanLeftover(t, k))

FairSpec == Spec /\ Fairness
=============================================================================
