------------------------------ MODULE Checkpoints ------------------------------
(***************************************************************************)
(* Transactions with several write points (VLDB'18 section 6.2), beside    *)
(* fast-path (FP) transactions.                                            *)
(*                                                                         *)
(* A statement that writes what it reads must not see its own writes. So a *)
(* transaction writes in levels: its first records have its read timestamp *)
(* for a version, and after each checkpoint the next number.               *)
(* Between checkpoint and snapshot it reads the levels before its present  *)
(* one; otherwise all. Snapshot-all returns each of its own versions of a  *)
(* key, and the one that they replace.                                     *)
(*                                                                         *)
(* The transaction manager (TM) counts in steps of Span, so there are      *)
(* numbers behind each of its timestamps. FP writes draw theirs from the   *)
(* same ones, and a version alone must tell what it is. One rule says so   *)
(* to everybody who looks at a version (readers, the fast path, the        *)
(* commit table, collector and compaction, the clock of the region         *)
(* server): of the numbers behind a timestamp the first belong to the      *)
(* levels of its transaction, the others to FP writes.                     *)
(*                                                                         *)
(*     ts          ts+1 .. ts+Levels-1      ts+Levels .. ts+Span-1         *)
(*     first level      its next ones         committed at that number     *)
(*                                                                         *)
(* What other transactions see of a key is its last level. So only that    *)
(* one gets a commit cell; an earlier one is settled by whoever settles    *)
(* the last.                                                               *)
(*                                                                         *)
(* A read is one step here, and so is an FP write, unless a pending        *)
(* transaction has to be invalidated first. What a reader does about a     *)
(* record without commit cell is also here in the steps of OmidLL, since   *)
(* the record that it has met may stop being the last level meanwhile:     *)
(* neither may that one be healed, nor does its empty commit cell tell     *)
(* anything. Argued, not checked: otherwise, what OmidLL and FastPath show *)
(* of a read in several steps holds for the last level of each key as it   *)
(* does for a single one, as the levels of a transaction share its         *)
(* commit-table entry and are committed by one step.                       *)
(*                                                                         *)
(* A comment that begins with "Guard" marks an operator whose removal must *)
(* violate a property: specs/mutants/Checkpoints has a mutant for each.    *)
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
    \* What a write may store: a subset of {"value", "tombstone"}.
    \* @type: Set(Str);
    Contents,
    \* The transactions that take the fast path.
    \* @type: Set(TXN);
    Fast,
    \* The distance of two timestamps of the TM.
    \* @type: Int;
    Span,
    \* How many levels a transaction may have. FP writes have the other numbers.  VLDB'18 sec. 6.2: 50
    \* @type: Int;
    Levels

\* @typeAlias: cell = { ts: Int, by: TXN, gone: Bool, commit: Int };
Checkpoints_aliases == TRUE

\* No timestamp. Timestamps are positive.
NoTs == 0

\* The invalidation marker, written as an entry into the commit table.
Invalidated == -1

-----------------------------------------------------------------------------
(* Clients *)

\* Where each transaction stands. An FP transaction is idle until it is closed.  Lane: client
VARIABLE
    \* @type: TXN -> Str;
    status
TypeOKStatus == status \in [Txn -> {"idle", "active", "certified", "committed", "closed", "aborted", "dead"}]

\* The read timestamp; of an FP transaction, its place in the order of commits.  VLDB'18 Alg. 2, Begin  Lane: client
VARIABLE
    \* @type: TXN -> Int;
    readTs
TypeOKReadTs == readTs \in [Txn -> Nat]

\* The commit timestamp; NoTs before there is one.  VLDB'18 Alg. 2, Commit  Lane: client
VARIABLE
    \* @type: TXN -> Int;
    commitTs
TypeOKCommitTs == commitTs \in [Txn -> Nat]

\* How many checkpoints the transaction has made.  VLDB'18 sec. 6.2  Lane: client
VARIABLE
    \* @type: TXN -> Int;
    level
TypeOKLevel == level \in [Txn -> Nat]

\* Whether the transaction is between a checkpoint and a snapshot.  VLDB'18 sec. 6.2: SIX  Lane: client
VARIABLE
    \* @type: TXN -> Bool;
    excluding
TypeOKExcluding == excluding \in [Txn -> BOOLEAN]

\* What the transaction has written: for each key and level, whether it was deleted.  Lane: client
VARIABLE
    \* @type: TXN -> Set({ key: KEY, level: Int, gone: Bool });
    wrote
TypeOKWrote == \A t \in Txn : wrote[t] \subseteq [key : Key, level : Nat, gone : BOOLEAN]

\* The records that the client has still to post-commit or to clean up, by key and version.  Lane: client
VARIABLE
    \* @type: TXN -> Set({ key: KEY, ts: Int });
    todo
TypeOKTodo == \A t \in Txn : todo[t] \subseteq [key : Key, ts : Nat]

\* Where a read in several steps stands, and the record without commit cell that it has met, by key and version; the commit
\* timestamp that the commit table has told.  Lane: client
VARIABLE
    \* @type: TXN -> { step: Str, key: KEY, ts: Int, commit: Int };
    cursor
TypeOKCursor ==
    cursor \in [Txn -> [step : {"none", "entry", "heal", "pending", "reread", "repair"}, key : Key, ts : Nat, commit : Nat]]

-----------------------------------------------------------------------------
(* Transaction manager *)

\* The last timestamp given.  VLDB'18 Alg. 2: Clock  Lane: TM
VARIABLE
    \* @type: Int;
    clock
TypeOKClock == clock \in Nat

\* The conflict table: the last commit timestamp given for a key.  VLDB'18 sec. 3.2: conflictDetect  Lane: TM
VARIABLE
    \* @type: KEY -> Int;
    lastCommit
TypeOKLastCommit == lastCommit \in [Key -> Nat]

-----------------------------------------------------------------------------
(* Data store and commit table *)

\* The records of each key: version, writer, whether it is a tombstone, and the commit cell (NoTs where there is none). The store
\* does not know the writer: only properties ask for it.  VLDB'18 sec. 2.1  Lane: key
VARIABLE
    \* @type: KEY -> Set($cell);
    stored
TypeOKStored == \A k \in Key : stored[k] \subseteq [ts : Nat, by : Txn, gone : BOOLEAN, commit : Nat]

\* The commit table: for rows, which are read timestamps, the commit timestamp or the marker.  VLDB'18 fig. 2  Lane: CT
VARIABLE
    \* @type: Set({ row: Int, ts: Int });
    commitTable
TypeOKCommitTable == commitTable \subseteq [row : Nat, ts : Nat \cup {Invalidated}]

\* Below it the commit table takes no new entries, and the collector may collect.  Lane: CT
VARIABLE
    \* @type: Int;
    watermark
TypeOKWatermark == watermark \in Nat

\* The local version clock of the region server that has the keys.  VLDB'18 sec. 4.3  Lane: server
VARIABLE
    \* @type: Int;
    lvc
TypeOKLvc == lvc \in Nat

\* Copies of puts that may still arrive.  Lane: key
VARIABLE
    \* @type: Set({ key: KEY, record: $cell });
    latePuts
TypeOKLatePuts == \A p \in latePuts : p.key \in Key /\ p.record.by \in Txn

-----------------------------------------------------------------------------
(* History *)

\* The transactions that have committed.  Lane: none
VARIABLE
    \* @type: Set(TXN);
    committed
TypeOKCommitted == committed \subseteq Txn

\* What each transaction read: whose value, of which level, and whether it was its own.  Lane: client
VARIABLE
    \* @type: TXN -> Set({ key: KEY, from: TXN, level: Int, own: Bool });
    reads
TypeOKReads ==
    \A t \in Txn : reads[t] \subseteq [key : Key, from : Txn \cup {NoTxn}, level : Nat, own : BOOLEAN]

\* What snapshot-all returned: versions of the key that a transaction has written, and whose value they replace.  Lane: client
VARIABLE
    \* @type: TXN -> Set({ key: KEY, of: TXN, versions: Set({ level: Int, gone: Bool }), before: TXN });
    listed
TypeOKListed ==
    \A t \in Txn : \A x \in listed[t] : x.key \in Key /\ x.of \in Txn /\ x.before \in Txn \cup {NoTxn}

\* How many things went wrong: deaths, copies of puts.  Lane: none
VARIABLE
    \* @type: Int;
    faults
TypeOKFaults == faults \in Nat

doing == <<status, readTs, commitTs, level, excluding, wrote, todo>>
client == <<doing, cursor>>
tm == <<clock, lastCommit>>
table == <<commitTable, watermark>>
history == <<committed, reads, listed>>
vars == <<client, tm, stored, table, lvc, latePuts, history, faults>>

TypeOK ==
    /\ TypeOKStatus /\ TypeOKReadTs /\ TypeOKCommitTs /\ TypeOKLevel /\ TypeOKExcluding /\ TypeOKWrote /\ TypeOKTodo /\ TypeOKCursor
    /\ TypeOKClock /\ TypeOKLastCommit /\ TypeOKStored /\ TypeOKCommitTable /\ TypeOKWatermark /\ TypeOKLvc
    /\ TypeOKLatePuts /\ TypeOKCommitted /\ TypeOKReads /\ TypeOKListed /\ TypeOKFaults

\* @type: { step: Str, key: KEY, ts: Int, commit: Int };
NoRead == [step |-> "none", key |-> CHOOSE k \in Key : TRUE, ts |-> NoTs, commit |-> NoTs]

Init ==
    /\ status = [t \in Txn |-> "idle"]
    /\ readTs = [t \in Txn |-> NoTs]
    /\ commitTs = [t \in Txn |-> NoTs]
    /\ level = [t \in Txn |-> 0]
    /\ excluding = [t \in Txn |-> FALSE]
    /\ wrote = [t \in Txn |-> {}]
    /\ todo = [t \in Txn |-> {}]
    /\ cursor = [t \in Txn |-> NoRead]
    /\ clock = 0
    /\ lastCommit = [k \in Key |-> NoTs]
    /\ stored = [k \in Key |-> {}]
    /\ commitTable = {}
    /\ watermark = 0
    /\ lvc = 0
    /\ latePuts = {}
    /\ committed = {}
    /\ reads = [t \in Txn |-> {}]
    /\ listed = [t \in Txn |-> {}]
    /\ faults = 0

\* The clock of the TM after its next step.
NextTs == clock + Span

\* What the application may do next, what may go wrong, and whether the watermark may go up; models restrict it.
\* @type: (TXN, KEY) => Bool;
MayRead(t, k) == TRUE
\* @type: (TXN, KEY, Str) => Bool;
MayWrite(t, k, content) == TRUE
\* @type: (TXN) => Bool;
MayCheckpoint(t) == TRUE
\* @type: (TXN, KEY) => Bool;
MayList(t, k) == TRUE
\* @type: (TXN, KEY) => Bool;
MayMeet(t, k) == TRUE
\* @type: Bool;
MayFail == TRUE
\* @type: Bool;
MayRaise == TRUE

-----------------------------------------------------------------------------
(* The rule: what a version tells *)

\* The version is an FP write's, which is committed at it.
IsFast(v) == v % Span >= Levels

\* The read timestamp of the transaction that a level is of.
BaseOf(v) == v - (v % Span)

\* Guard: to readers. A level that they took for an FP write's would be a dirty read.
ReaderSaysFast(v) == IsFast(v)

\* Guard: to the fast path.
FastSaysFast(v) == IsFast(v)

\* Guard: to collector and compaction. A level that they took for committed would supersede what everybody else reads.
CollectorSaysFast(v) == IsFast(v)

\* Guard: to whoever asks the commit table: the entry of all levels of a transaction is in the row of its read timestamp.
RowOf(v) == BaseOf(v)

\* Guard: to the clock of the region server: it passes over the numbers that belong to levels.
NextVersion(v) == IF IsFast(v + 1) THEN v + 1 ELSE BaseOf(v + 1) + Levels

\* An FP write never runs over into the next timestamp of the TM.  VLDB'18 sec. 4.2
SequenceLeft == (lvc + 1) % Span # 0

-----------------------------------------------------------------------------
(* Begin, checkpoint, snapshot *)

\* The TM gives the next timestamp.  VLDB'18 Alg. 2, Begin
Begin(t) ==
    /\ t \notin Fast
    /\ status[t] = "idle"
    /\ clock' = NextTs
    /\ readTs' = [readTs EXCEPT ![t] = NextTs]
    /\ status' = [status EXCEPT ![t] = "active"]
    /\ UNCHANGED <<commitTs, level, excluding, wrote, todo, cursor, lastCommit, stored, table, lvc, latePuts, history, faults>>

\* Guard (VLDB'18 sec. 6.2): the level after the last one is refused. Its number is an FP write's.
LevelsLeft(t) == level[t] + 1 < Levels

\* What was written is visible, what is written from now on is not.  VLDB'18 sec. 6.2, checkpoint
Checkpoint(t) ==
    /\ status[t] = "active" /\ MayCheckpoint(t)
    /\ LevelsLeft(t)
    /\ level' = [level EXCEPT ![t] = @ + 1]
    /\ excluding' = [excluding EXCEPT ![t] = TRUE]
    /\ UNCHANGED <<status, readTs, commitTs, wrote, todo, cursor, tm, stored, table, lvc, latePuts, history, faults>>

\* All that was written is visible.  VLDB'18 sec. 6.2, snapshot
TakeSnapshot(t) ==
    /\ status[t] = "active" /\ excluding[t]
    /\ excluding' = [excluding EXCEPT ![t] = FALSE]
    /\ UNCHANGED <<status, readTs, commitTs, level, wrote, todo, cursor, tm, stored, table, lvc, latePuts, history, faults>>

\* The version of what the transaction writes now.  VLDB'18 sec. 6.2: tau_w
WritePoint(t) == readTs[t] + level[t]

\* Guard (VLDB'18 sec. 6.2: tau_r): the last of its own versions that the transaction reads. Between checkpoint and snapshot that is
\* the level before the present one.
ReadPoint(t) == IF excluding[t] THEN WritePoint(t) - 1 ELSE WritePoint(t)

-----------------------------------------------------------------------------
(* Writes *)

\* The keys that the transaction wrote, the levels of one, the last of them.
Written(t) == {x.key : x \in wrote[t]}
LevelsOf(t, k) == {x.level : x \in {y \in wrote[t] : y.key = k}}
Last(S) == CHOOSE x \in S : \A y \in S : y <= x

\* A put names the value only: a commit cell that is there stays.
Put(records, r) ==
    {x \in records : x.ts # r.ts} \cup
        {[r EXCEPT !.commit = IF \E x \in records : x.ts = r.ts THEN (CHOOSE x \in records : x.ts = r.ts).commit ELSE NoTs]}

\* Guard: a client sends one put of a key at each level. A copy of an earlier one, at the same version, could arrive after the later
\* one and bring its value back.
OncePerLevel(t, k) == level[t] \notin LevelsOf(t, k)

\* The committed records of a key, as far as the fast path sees, and whoever asks no commit table.
Finished(k) == {r \in stored[k] : r.commit # NoTs \/ FastSaysFast(r.ts)}

\* Guard (VLDB'18 Alg. 4, prePut): a regular put gives up where somebody's newer version is committed; newer than the snapshot,
\* whatever the level.
NoNewerCommit(t, k) == \A r \in Finished(k) : r.ts < readTs[t]

\* The write set learns of the key, and the record is stored at the present level.  VLDB'18 Alg. 3, Write
StoreAt(t, k, content) ==
    LET gone == content = "tombstone"
        record == [ts |-> WritePoint(t), by |-> t, gone |-> gone, commit |-> NoTs]
    IN  /\ status[t] = "active" /\ MayWrite(t, k, content)
        /\ OncePerLevel(t, k)
        /\ NoNewerCommit(t, k)
        /\ stored' = [stored EXCEPT ![k] = Put(@, record)]
        /\ wrote' = [wrote EXCEPT ![t] =
               {x \in @ : x.key # k \/ x.level # level[t]} \cup {[key |-> k, level |-> level[t], gone |-> gone]}]
        /\ UNCHANGED <<status, readTs, commitTs, level, excluding, todo, cursor, tm, table, lvc, history>>

\* A tentative record is stored and acknowledged.  VLDB'18 Alg. 3, Write
Write(t, k, content) ==
    /\ StoreAt(t, k, content)
    /\ UNCHANGED <<latePuts, faults>>

\* The same, and a copy of the put is still on its way.
WriteTwice(t, k, content) ==
    /\ MayFail
    /\ StoreAt(t, k, content)
    /\ latePuts' =
        latePuts \cup {[key |-> k, record |-> [ts |-> WritePoint(t), by |-> t, gone |-> content = "tombstone", commit |-> NoTs]]}
    /\ faults' = faults + 1

\* The copy arrives.
LatePut ==
    \E p \in latePuts :
        /\ latePuts' = latePuts \ {p}
        /\ stored' = [stored EXCEPT ![p.key] = Put(@, p.record)]
        /\ UNCHANGED <<client, tm, table, lvc, history, faults>>

\* The store refuses a put: the transaction is aborted.  VLDB'18 Alg. 4, prePut
RefusePut(t, k, content) ==
    /\ status[t] = "active" /\ MayWrite(t, k, content)
    /\ OncePerLevel(t, k)
    /\ ~NoNewerCommit(t, k)
    /\ status' = [status EXCEPT ![t] = "aborted"]
    /\ todo' = [todo EXCEPT ![t] = {[key |-> x.key, ts |-> readTs[t] + x.level] : x \in wrote[t]}]
    /\ UNCHANGED <<readTs, commitTs, level, excluding, wrote, cursor, tm, stored, table, lvc, latePuts, history, faults>>

-----------------------------------------------------------------------------
(* Reads *)

\* What the commit table has in a row.
EntryAt(row) ==
    IF \E e \in commitTable : e.row = row THEN (CHOOSE e \in commitTable : e.row = row).ts ELSE NoTs

\* Guard: what looks like a record of the own transaction is not asked for in the commit table, also a level that is not read:
\* the transaction would invalidate itself.
IsOwn(t, v) == BaseOf(v) = readTs[t] /\ ~IsFast(v)

\* The own records of k that the transaction reads.
OwnRecords(t, k) == {r \in stored[k] : IsOwn(t, r.ts) /\ r.ts <= ReadPoint(t)}

\* Guard: of another transaction's levels only the last one counts. Whoever asked for an earlier one, whose commit cell is missing
\* for ever, would take its transaction for pending.
IsLastLevel(k, r) == ~IsFast(r.ts) => \A x \in stored[k] : BaseOf(x.ts) = BaseOf(r.ts) /\ ~IsFast(x.ts) => x.ts <= r.ts

\* Others' records are compared with the read timestamp, at whatever level the transaction reads. (No guard: between the two there
\* are but its own levels, by the rule; see ComparesWithReadPoint.)
Bound(t) == readTs[t]

\* What a reader learns of a record: its commit timestamp, the marker, or NoTs if it is pending. What is below the watermark and has
\* no entry can no longer commit.
OutcomeOf(r) ==
    IF r.commit # NoTs THEN r.commit
    ELSE IF ReaderSaysFast(r.ts) THEN r.ts
    ELSE IF EntryAt(RowOf(r.ts)) # NoTs THEN EntryAt(RowOf(r.ts))
    ELSE IF RowOf(r.ts) < watermark THEN Invalidated ELSE NoTs

\* The records of k that may be the answer, or must be asked for, of those up to the last level that the transaction may have.
Candidates(t, k) ==
    {r \in stored[k] :
        /\ r.ts < readTs[t] + Levels
        /\ ~IsOwn(t, r.ts)
        /\ IsLastLevel(k, r)
        /\ OutcomeOf(r) # Invalidated /\ OutcomeOf(r) < Bound(t)}

Newest(records) == CHOOSE r \in records : \A x \in records : x.ts <= r.ts

\* Nobody who is pending is in the way.
Decided(t, k) == IF Candidates(t, k) = {} THEN TRUE ELSE OutcomeOf(Newest(Candidates(t, k))) # NoTs

\* What the read of a record is.
Reading(k, records, own) ==
    IF records = {} THEN [key |-> k, from |-> NoTxn, level |-> 0, own |-> own]
    ELSE LET r == Newest(records)
         IN  [key |-> k, from |-> IF r.gone THEN NoTxn ELSE r.by,
              level |-> IF r.gone \/ r.by \in Fast THEN 0 ELSE r.ts - readTs[r.by], own |-> own]

\* Guard (VLDB'18 Alg. 4, preGet): a read lifts the clock to the transaction's read timestamp, at whatever level it reads, so that
\* what the fast path writes later is later than the snapshot.
ReadLifts(t) == readTs[t]
Lift(ts) == lvc' = IF ts > lvc THEN ts ELSE lvc

\* A transaction reads a key: its own last level as far as it reads its own, else what was committed before its snapshot.
\* VLDB'18 Alg. 3, Read; sec. 6.2
Read(t, k) ==
    /\ status[t] = "active" /\ MayRead(t, k)
    /\ OwnRecords(t, k) = {} => Decided(t, k)
    /\ reads' = [reads EXCEPT ![t] = @ \cup
           {IF OwnRecords(t, k) # {} THEN Reading(k, OwnRecords(t, k), TRUE) ELSE Reading(k, Candidates(t, k), FALSE)}]
    /\ Lift(ReadLifts(t))
    /\ UNCHANGED <<client, tm, stored, table, latePuts, committed, listed, faults>>

-----------------------------------------------------------------------------
(* What a reader does about a record without commit cell, in several steps *)

\* A record's commit cell is written.
Heal(records, ts, commit) == {IF r.ts = ts THEN [r EXCEPT !.commit = commit] ELSE r : r \in records}

\* The read goes on with this step.
GoTo(t, step, commit) == cursor' = [cursor EXCEPT ![t] = [@ EXCEPT !.step = step, !.commit = commit]]

\* A reader meets a record of a writer who seems pending.  VLDB'18 Alg. 3, GetRecord
GetRecord(t, k) ==
    /\ status[t] = "active" /\ cursor[t].step = "none" /\ MayMeet(t, k)
    /\ \E r \in stored[k] :
        /\ r.ts < readTs[t] /\ r.commit = NoTs /\ ~ReaderSaysFast(r.ts) /\ IsLastLevel(k, r)
        /\ cursor' = [cursor EXCEPT ![t] = [step |-> "entry", key |-> k, ts |-> r.ts, commit |-> NoTs]]
    /\ Lift(ReadLifts(t))
    /\ UNCHANGED <<doing, tm, stored, table, latePuts, history, faults>>

\* It asks the commit table.  VLDB'18 Alg. 3, GetCommitEntry
GetCommitEntry(t) ==
    LET entry == EntryAt(RowOf(cursor[t].ts))
    IN  /\ cursor[t].step = "entry"
        /\ IF entry = NoTs THEN GoTo(t, "pending", NoTs)
           ELSE IF entry = Invalidated THEN GoTo(t, "reread", NoTs)
           ELSE GoTo(t, "heal", entry)
        /\ UNCHANGED <<doing, tm, stored, table, lvc, latePuts, history, faults>>

\* A read of one step is in the way of whoever seems pending. It has looked, and so has lifted the clock.
InvalidatesAtOnce(t, k) ==
    /\ status[t] = "active" /\ cursor[t].step = "none" /\ (MayRead(t, k) \/ MayList(t, k))
    /\ ~Decided(t, k)
    /\ commitTable' = commitTable \cup {[row |-> RowOf(Newest(Candidates(t, k)).ts), ts |-> Invalidated]}
    /\ Lift(ReadLifts(t))
    /\ UNCHANGED cursor

\* One of several is, too, unless that one was faster.
InvalidatesMet(t, k) ==
    LET row == RowOf(cursor[t].ts)
    IN  /\ cursor[t].step = "pending" /\ cursor[t].key = k
        /\ IF EntryAt(row) = NoTs /\ row >= watermark
           THEN commitTable' = commitTable \cup {[row |-> row, ts |-> Invalidated]}
           ELSE UNCHANGED commitTable
        /\ IF EntryAt(row) > NoTs THEN GoTo(t, "none", NoTs) ELSE GoTo(t, "reread", NoTs)
        /\ UNCHANGED lvc

\* A transaction that seems pending is in a reader's way: it is forced to abort.  VLDB'18 Alg. 3, Read
InvalidatePending(t, k) ==
    /\ InvalidatesAtOnce(t, k) \/ InvalidatesMet(t, k)
    /\ UNCHANGED <<doing, tm, stored, watermark, latePuts, history, faults>>

\* The last level, now, of the writer that was met.
LevelsNow(k, ts) == {r \in stored[k] : BaseOf(r.ts) = BaseOf(ts) /\ ~IsFast(r.ts)}

\* Guard: what is healed is still the last level. Whoever commits after the snapshot may have stored another one since.
HealsMet(k, ts) == \A r \in LevelsNow(k, ts) : r.ts <= ts

\* It writes the commit cell that it found missing.
HealCommitCell(t) ==
    LET c == cursor[t]
    IN  /\ c.step = "heal"
        /\ IF HealsMet(c.key, c.ts)
           THEN /\ stored' = [stored EXCEPT ![c.key] = Heal(@, c.ts, c.commit)]
                /\ Lift(c.commit)
           ELSE UNCHANGED <<stored, lvc>>
        /\ GoTo(t, "none", NoTs)
        /\ UNCHANGED <<doing, tm, table, latePuts, history, faults>>

\* Guard: what is read again is the last level of the writer that was met. The record that was met may have no commit cell for ever.
LookedAtAgain(k, ts) == LevelsNow(k, ts)

\* The marker does not prove an abort: the entry may have gone after post-commit. Then there is a commit cell.
ReReadRecord(t) ==
    LET c == cursor[t]
        now == LookedAtAgain(c.key, c.ts)
    IN  /\ c.step = "reread"
        /\ IF now # {} /\ Newest(now).commit # NoTs THEN GoTo(t, "repair", NoTs) ELSE GoTo(t, "none", NoTs)
        /\ UNCHANGED <<doing, tm, stored, table, lvc, latePuts, history, faults>>

\* Then the marker goes.
RemoveFalseInvalidation(t) ==
    /\ cursor[t].step = "repair"
    /\ commitTable' = {e \in commitTable : e.row # RowOf(cursor[t].ts)}
    /\ GoTo(t, "none", NoTs)
    /\ UNCHANGED <<doing, tm, stored, watermark, lvc, latePuts, history, faults>>

-----------------------------------------------------------------------------
(* Snapshot-all *)

\* Guard: snapshot-all is for whose transaction it is. Anybody else would see what may never be committed.
IsOwner(a, t) == a = t

\* Guard: a tombstone is one of the versions.
ListsTombstones(r) == TRUE

\* Guard: between checkpoint and snapshot, too, all levels are listed.
ListsLevel(t, r) == r.ts <= WritePoint(t)

\* Snapshot-all: a asks for all own versions of the key, and the one before.  VLDB'18 sec. 6.2
ReadAll(a, t, k) ==
    LET own == {r \in stored[k] : IsOwn(t, r.ts) /\ ListsTombstones(r) /\ ListsLevel(t, r)}
    IN  /\ status[a] = "active" /\ status[t] = "active" /\ MayList(a, k)
        /\ IsOwner(a, t)
        /\ Decided(t, k)
        /\ listed' = [listed EXCEPT ![a] = @ \cup
               {[key |-> k, of |-> t, versions |-> {[level |-> r.ts - readTs[t], gone |-> r.gone] : r \in own},
                 before |-> Reading(k, Candidates(t, k), FALSE).from]}]
        /\ Lift(ReadLifts(t))
        /\ UNCHANGED <<client, tm, stored, table, latePuts, committed, reads, faults>>

-----------------------------------------------------------------------------
(* Commit and abort *)

\* A transaction that wrote nothing ends.
EndReadOnly(t) ==
    /\ status[t] = "active" /\ wrote[t] = {} /\ cursor[t].step = "none"
    /\ status' = [status EXCEPT ![t] = "closed"]
    /\ UNCHANGED <<readTs, commitTs, level, excluding, wrote, todo, cursor, tm, stored, table, lvc, latePuts, history, faults>>

\* The last level of each key.
LastRecords(t) == {[key |-> k, ts |-> readTs[t] + Last(LevelsOf(t, k))] : k \in Written(t)}

\* All levels of each key.
AllRecords(t) == {[key |-> x.key, ts |-> readTs[t] + x.level] : x \in wrote[t]}

\* Guard: an abort removes all levels.
Removed(t) == AllRecords(t)

\* The client has records to remove.
Aborting(t) ==
    /\ status' = [status EXCEPT ![t] = "aborted"]
    /\ todo' = [todo EXCEPT ![t] = Removed(t)]

\* The TM gives a commit timestamp, or refuses. To it, levels are nothing: it compares keys.  VLDB'18 Alg. 2, Commit
RequestCommit(t) ==
    /\ status[t] = "active" /\ wrote[t] # {} /\ cursor[t].step = "none"
    /\ IF \A k \in Written(t) : lastCommit[k] < readTs[t]
       THEN /\ clock' = NextTs
            /\ commitTs' = [commitTs EXCEPT ![t] = NextTs]
            /\ lastCommit' = [k \in Key |-> IF k \in Written(t) THEN NextTs ELSE lastCommit[k]]
            /\ status' = [status EXCEPT ![t] = "certified"]
            /\ UNCHANGED todo
       ELSE /\ Aborting(t)
            /\ UNCHANGED <<clock, commitTs, lastCommit>>
    /\ UNCHANGED <<readTs, level, excluding, wrote, cursor, stored, table, lvc, latePuts, history, faults>>

\* Guard: only last levels get a commit cell. With the cell of an earlier one, and the last one's yet missing, the fast path, which
\* asks no commit table, would read what the transaction itself has overwritten.
Healed(t) == LastRecords(t)

\* The client creates the commit-table entry, in the row of its read timestamp: it has committed, with all levels at once.
\* VLDB'18 Alg. 3, Commit
WriteCommitEntry(t) ==
    /\ status[t] = "certified"
    /\ IF EntryAt(readTs[t]) = NoTs /\ readTs[t] >= watermark
       THEN /\ commitTable' = commitTable \cup {[row |-> readTs[t], ts |-> commitTs[t]]}
            /\ committed' = committed \cup {t}
            /\ status' = [status EXCEPT ![t] = "committed"]
            /\ todo' = [todo EXCEPT ![t] = Healed(t)]
       ELSE /\ Aborting(t)
            /\ UNCHANGED <<commitTable, committed>>
    /\ UNCHANGED <<readTs, commitTs, level, excluding, wrote, cursor, tm, stored, watermark, lvc, latePuts, reads, listed, faults>>

\* The commit timestamp is copied to one record, and lifts the clock.  VLDB'18 Alg. 3, post-commit; Alg. 4, preUpdate
PostCommit(t, k) ==
    \E x \in {y \in todo[t] : y.key = k} :
        /\ status[t] = "committed"
        /\ stored' = [stored EXCEPT ![x.key] = Heal(@, x.ts, commitTs[t])]
        /\ todo' = [todo EXCEPT ![t] = @ \ {x}]
        /\ Lift(commitTs[t])
        /\ UNCHANGED <<status, readTs, commitTs, level, excluding, wrote, cursor, tm, table, latePuts, history, faults>>

\* The client removes its entry.  VLDB'18 Alg. 3, Commit
RemoveCommitEntry(t) ==
    /\ status[t] = "committed" /\ todo[t] = {}
    /\ commitTable' = {e \in commitTable : e.row # readTs[t]}
    /\ status' = [status EXCEPT ![t] = "closed"]
    /\ UNCHANGED <<readTs, commitTs, level, excluding, wrote, todo, cursor, tm, stored, watermark, lvc, latePuts, history, faults>>

\* The application gives up.
Rollback(t) ==
    /\ status[t] = "active" /\ wrote[t] # {}
    /\ Aborting(t)
    /\ UNCHANGED <<readTs, commitTs, level, excluding, wrote, cursor, tm, stored, table, lvc, latePuts, history, faults>>

\* The client of an aborted transaction removes one record.  VLDB'18 Alg. 3, Commit
CleanUp(t, k) ==
    \E x \in {y \in todo[t] : y.key = k} :
        /\ status[t] = "aborted"
        /\ stored' = [stored EXCEPT ![x.key] = {r \in @ : r.ts # x.ts}]
        /\ todo' = [todo EXCEPT ![t] = @ \ {x}]
        /\ UNCHANGED <<status, readTs, commitTs, level, excluding, wrote, cursor, tm, table, lvc, latePuts, history, faults>>

\* A client dies.
Crash(t) ==
    /\ MayFail
    /\ status[t] \in {"active", "certified"} \/ (status[t] \in {"committed", "aborted"} /\ todo[t] # {})
    /\ status' = [status EXCEPT ![t] = IF @ = "committed" THEN "closed" ELSE IF @ = "aborted" THEN @ ELSE "dead"]
    /\ todo' = [todo EXCEPT ![t] = {}]
    /\ faults' = faults + 1
    /\ UNCHANGED <<readTs, commitTs, level, excluding, wrote, cursor, tm, stored, table, lvc, latePuts, history>>

-----------------------------------------------------------------------------
(* The fast path: see FastPath.tla *)

\* The commit timestamp of the last committed record; NoTs where there is none.
LastFinished(k) ==
    IF Finished(k) = {} THEN NoTs
    ELSE LET r == Newest(Finished(k)) IN IF r.commit # NoTs THEN r.commit ELSE r.ts

\* An FP transaction reads the last committed record.  VLDB'18 Alg. 4, brc
FastRead(f, k) ==
    /\ f \in Fast /\ status[f] = "idle" /\ MayRead(f, k)
    /\ readTs' = [readTs EXCEPT ![f] = LastFinished(k) + 1]
    /\ reads' = [reads EXCEPT ![f] = {Reading(k, Finished(k), FALSE)}]
    /\ status' = [status EXCEPT ![f] = "closed"]
    /\ UNCHANGED <<commitTs, level, excluding, wrote, todo, cursor, tm, stored, table, lvc, latePuts, committed, listed, faults>>

\* An FP transaction writes: unless there is a tentative record that may be committed later, it draws a version and stores a record
\* that is committed at it.  VLDB'18 Alg. 4, bwc
FastWrite(f, k, content) ==
    LET v == NextVersion(lvc)
        gone == content = "tombstone"
    IN  /\ f \in Fast /\ status[f] = "idle" /\ MayWrite(f, k, content)
        /\ \A r \in stored[k] : r.commit = NoTs /\ ~FastSaysFast(r.ts) => \E x \in Finished(k) : r.ts < x.ts
        /\ SequenceLeft
        /\ lvc' = v
        /\ readTs' = [readTs EXCEPT ![f] = v]
        /\ commitTs' = [commitTs EXCEPT ![f] = v]
        /\ wrote' = [wrote EXCEPT ![f] = {[key |-> k, level |-> 0, gone |-> gone]}]
        /\ stored' = [stored EXCEPT ![k] = Put(@, [ts |-> v, by |-> f, gone |-> gone, commit |-> NoTs])]
        /\ committed' = committed \cup {f}
        /\ status' = [status EXCEPT ![f] = "closed"]
        /\ UNCHANGED <<level, excluding, todo, cursor, tm, table, latePuts, reads, listed, faults>>

-----------------------------------------------------------------------------
(* The collector, and compaction *)

\* The watermark goes up, as far as those allow who have not ended.
RaiseWatermark ==
    /\ MayRaise
    /\ \E ts \in {NextTs} \cup {readTs[t] : t \in Txn \ Fast} :
        /\ watermark < ts
        /\ \A t \in Txn : status[t] \in {"active", "certified"} => ts <= readTs[t]
        /\ watermark' = ts
    /\ UNCHANGED <<client, tm, stored, commitTable, lvc, latePuts, history, faults>>

\* A dead client's committed record gets its commit cell.
HealLeftover(k) ==
    \E r \in stored[k] :
        /\ r.commit = NoTs /\ ~CollectorSaysFast(r.ts)
        /\ IsLastLevel(k, r)
        /\ RowOf(r.ts) < watermark /\ EntryAt(RowOf(r.ts)) > NoTs
        /\ stored' = [stored EXCEPT ![k] = Heal(@, r.ts, EntryAt(RowOf(r.ts)))]
        /\ Lift(EntryAt(RowOf(r.ts)))
        /\ UNCHANGED <<client, tm, table, latePuts, history, faults>>

\* Guard: the collector removes what an aborted or dead transaction has left of any level.
Cleans(k, r) == TRUE

\* The record of an aborted or dead transaction is removed, or an earlier level of a committed one.
CleanLeftover(k) ==
    \E r \in stored[k] :
        /\ r.commit = NoTs /\ ~CollectorSaysFast(r.ts)
        /\ RowOf(r.ts) < watermark /\ EntryAt(RowOf(r.ts)) \in {NoTs, Invalidated}
        /\ Cleans(k, r)
        /\ stored' = [stored EXCEPT ![k] = @ \ {r}]
        /\ UNCHANGED <<client, tm, table, lvc, latePuts, history, faults>>

\* A commit-table entry is collected after a pass over all records.
CollectEntry ==
    \E e \in commitTable :
        /\ e.row < watermark
        /\ e.ts = Invalidated \/ \A k \in Key : \A r \in stored[k] : RowOf(r.ts) = e.row /\ IsLastLevel(k, r) => r.commit # NoTs
        /\ commitTable' = commitTable \ {e}
        /\ UNCHANGED <<client, tm, stored, watermark, lvc, latePuts, history, faults>>

\* Guard: what a level replaces stays until the level is committed below the watermark. It is what everybody else reads, and the
\* transaction itself by snapshot-all.
IsSuperseded(k, r) ==
    \E x \in stored[k] :
        /\ r.ts < x.ts
        /\ \/ x.commit # NoTs /\ x.commit < watermark
           \/ CollectorSaysFast(x.ts) /\ x.ts < watermark

\* An old version is collected, unless a copy of its put is on its way.
CollectVersion(k) ==
    \E r \in stored[k] :
        /\ IsSuperseded(k, r)
        /\ \A p \in latePuts : p.key = k => p.record.ts # r.ts
        /\ stored' = [stored EXCEPT ![k] = @ \ {r}]
        /\ UNCHANGED <<client, tm, table, lvc, latePuts, history, faults>>

\* Guard: an earlier level goes only when its transaction has committed, which the last level tells. A living one may yet read it.
HasEnded(x) == x.commit # NoTs

\* A compaction drops an earlier level.
DropLevel(k) ==
    \E r \in stored[k] :
        /\ r.commit = NoTs
        /\ \E x \in stored[k] : /\ ~CollectorSaysFast(x.ts) /\ BaseOf(x.ts) = BaseOf(r.ts) /\ r.ts < x.ts
                                /\ HasEnded(x)
        /\ stored' = [stored EXCEPT ![k] = @ \ {r}]
        /\ UNCHANGED <<client, tm, table, lvc, latePuts, history, faults>>

\* A tombstone that hides nothing is collected, when it was committed below the watermark.
CollectTombstone(k) ==
    \E r \in stored[k] :
        /\ r.gone
        /\ \A x \in stored[k] : r.ts <= x.ts
        /\ \/ r.commit # NoTs /\ r.commit < watermark
           \/ CollectorSaysFast(r.ts) /\ r.ts < watermark
        /\ stored' = [stored EXCEPT ![k] = @ \ {r}]
        /\ UNCHANGED <<client, tm, table, lvc, latePuts, history, faults>>

-----------------------------------------------------------------------------

\* Steps that a client takes if nothing keeps it from it.
ClientStep(t) ==
    \/ EndReadOnly(t) \/ RequestCommit(t) \/ WriteCommitEntry(t) \/ RemoveCommitEntry(t)
    \/ \E k \in Key : PostCommit(t, k) \/ CleanUp(t, k)

CollectorStep ==
    \/ RaiseWatermark
    \/ CollectEntry
    \/ \E k \in Key :
        HealLeftover(k) \/ CleanLeftover(k) \/ CollectVersion(k) \/ DropLevel(k) \/ CollectTombstone(k)

\* What applications do, and what arrives late.
Arrival ==
    \/ \E t \in Txn : Begin(t) \/ Checkpoint(t) \/ TakeSnapshot(t) \/ Rollback(t)
    \/ \E t \in Txn, k \in Key : Read(t, k) \/ InvalidatePending(t, k) \/ FastRead(t, k)
    \/ \E t \in Txn : GetCommitEntry(t) \/ HealCommitCell(t) \/ ReReadRecord(t) \/ RemoveFalseInvalidation(t)
    \/ \E t \in Txn, k \in Key : GetRecord(t, k)
    \/ \E a \in Txn, t \in Txn, k \in Key : ReadAll(a, t, k)
    \/ \E t \in Txn, k \in Key, content \in Contents : Write(t, k, content) \/ RefusePut(t, k, content) \/ FastWrite(t, k, content)
    \/ LatePut

\* What goes wrong; models bound how often.
Fault ==
    \/ \E t \in Txn : Crash(t)
    \/ \E t \in Txn, k \in Key, content \in Contents : WriteTwice(t, k, content)

Next == (\E t \in Txn : ClientStep(t)) \/ CollectorStep \/ Arrival \/ Fault

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* Properties *)

\* Snapshot, FirstCommitterWins, NoDirtyRead: see Isolation.tla. What a transaction reads of others is what was committed before its
\* read timestamp, at whatever level and however often it reads. What it reads of its own is judged by OwnReads.
History ==
    [done |-> committed, writes |-> [t \in Txn |-> Written(t)],
     deletes |-> [t \in Txn |->
         {k \in Written(t) : [key |-> k, level |-> Last(LevelsOf(t, k)), gone |-> TRUE] \in wrote[t]}],
     reads |-> [t \in Txn |->
         {[key |-> x.key, from |-> x.from, own |-> FALSE] : x \in {y \in reads[t] : ~y.own}}
             \cup {[key |-> x.key, from |-> x.before, own |-> FALSE] : x \in listed[t]}
             \cup {[key |-> x.key, from |-> x.of, own |-> FALSE] : x \in {y \in listed[t] : y.of # t /\ y.versions # {}}}],
     precedes |-> [t \in Txn |-> {}], readTs |-> readTs, commitTs |-> commitTs]

INSTANCE Isolation WITH h <- History

\* What clients see, but for the order of what was answered: that is OmidLL's and FastPath's.
Abstract ==
    INSTANCE SnapshotIsolation WITH
        Timestamps <- Nat, Unordered <- Fast,
        phase <- [t \in Txn |->
            IF t \in committed \/ status[t] = "closed" THEN "committed"
            ELSE IF status[t] \in {"idle", "aborted"} THEN status[t] ELSE "active"],
        commitTs <- [t \in Txn |-> IF t \in committed THEN commitTs[t] ELSE NoTs],
        writes <- [t \in Txn |-> IF t \in committed THEN History.writes[t] ELSE {}],
        deletes <- [t \in Txn |-> IF t \in committed THEN History.deletes[t] ELSE {}],
        reads <- History.reads, precedes <- [t \in Txn |-> {}], answered <- {}

\* Each step is one that a database with snapshot isolation may take, at whatever level somebody reads and writes. When it fails,
\* what somebody has read is no longer so.
RefinesSnapshotIsolation == Abstract!Spec

\* Of another transaction the last level was read, or nothing. When it fails, a user sees what somebody had in mind half-way.
\* VLDB'18 sec. 6.2
LastLevelRead ==
    \A t \in Txn : \A x \in reads[t] :
        ~x.own /\ x.from # NoTxn /\ x.from \notin Fast => x.level = Last(LevelsOf(x.from, x.key))

\* The own levels of the key that a statement reads.
Visible(t, k) == {l \in LevelsOf(t, k) : excluding[t] => l < level[t]}

\* What a read of the own levels must be.
Expected(t, k) ==
    LET l == Last(Visible(t, k))
        gone == [key |-> k, level |-> l, gone |-> TRUE] \in wrote[t]
    IN  [key |-> k, from |-> IF gone THEN NoTxn ELSE t, level |-> IF gone THEN 0 ELSE l, own |-> TRUE]

\* A statement sees all that the transaction wrote before it, and nothing that it wrote itself. When it fails, a statement that
\* inserts what it selects does not end, or a transaction's own updates vanish.  VLDB'18 sec. 6.2, fig. 8
OwnReads ==
    [][\A t \in Txn \ Fast : \A x \in reads'[t] \ reads[t] :
        IF Visible(t, x.key) = {} THEN ~x.own ELSE x = Expected(t, x.key)]_vars

\* Snapshot-all returns each version that the transaction wrote of the key, tombstones among them. When it fails, an abort does not
\* find all entries of an index that it has to take back.  VLDB'18 sec. 6.2
AllListed ==
    [][\A t \in Txn : \A x \in listed'[t] \ listed[t] :
        x.versions = {[level |-> y.level, gone |-> y.gone] : y \in {z \in wrote[t] : z.key = x.key}}]_vars

\* A version tells what it is, and whose. When it fails, a write that was answered is overwritten in its own cell, or a level is
\* taken for a committed record.
VersionsTell ==
    \A k \in Key : \A r \in stored[k] :
        IF r.by \in Fast THEN IsFast(r.ts) ELSE ~IsFast(r.ts) /\ BaseOf(r.ts) = readTs[r.by]

\* Whoever aborts, and whose client lives, leaves nothing of any level. When it fails, others meet his records for ever.
AbortLeavesNothing ==
    \A t \in Txn :
        status[t] = "aborted" /\ todo[t] = {} /\ faults = 0 => \A k \in Key : \A r \in stored[k] : r.by # t

\* What the commit table says of a transaction is so. When it fails, somebody who asks for the outcome of his commit is told the
\* opposite.
EntriesTrue ==
    \A e \in commitTable : \A t \in Txn \ Fast : e.row = readTs[t] => (e.ts # Invalidated <=> t \in committed)

\* A marker on somebody who has committed is taken away by whoever has set it, or believed it. When it fails, those who meet his records
\* believe it, too.
MarkersRepaired ==
    \A e \in commitTable : \A t \in committed \ Fast : e.row = readTs[t] /\ e.ts = Invalidated =>
        \E r \in Txn : cursor[r].step \in {"reread", "repair"} /\ RowOf(cursor[r].ts) = e.row

\* Nobody is aborted but for somebody who committed the key after he began, or for a reader of another transaction who could not
\* wait; or because he wants to. When it fails, a user who is alone in the world is aborted.
AbortsHaveReason ==
    [][\A t \in Txn : status[t] # "aborted" /\ status'[t] = "aborted" /\ faults = 0 =>
        \/ \E w \in Txn \ {t} : commitTs[w] > readTs[t] /\ Written(w) # {}
        \/ \E r \in Txn \ (Fast \cup {t}) : readTs[r] > readTs[t]
        \/ commitTs[t] = NoTs /\ status[t] = "active" /\ \A k \in Written(t) : lastCommit[k] < readTs[t]]_vars

\* Of those who died or aborted nothing is left in the end, of any level. When it fails, every reader pays for ever, and the key is
\* closed to the fast path.
LeftoversVanish ==
    \A t \in Txn : status[t] \in {"dead", "aborted"} ~> \A k \in Key : \A r \in stored[k] : r.by # t

Fairness ==
    /\ \A t \in Txn : WF_vars(ClientStep(t))
    /\ WF_vars(CollectorStep)
    /\ WF_vars(LatePut)

FairSpec == Spec /\ Fairness
=============================================================================
