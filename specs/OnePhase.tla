------------------------------- MODULE OnePhase -------------------------------
(***************************************************************************)
(* One-phase commit: regular transactions of Omid LL whose writes lie in   *)
(* one region commit in one trip to it.                                    *)
(*                                                                         *)
(* Nothing is written before the commit. The transaction manager (TM)      *)
(* gives the commit timestamp, and one atomic batch stores the records     *)
(* with their commit cells: that is the commit. There is no tentative      *)
(* record, no commit-table entry, no post-commit, and no reader ever has   *)
(* to ask or to invalidate.                                                *)
(*                                                                         *)
(* A reader with a later snapshot may have looked before the batch came.   *)
(* Each row has a clock that tells: each read lifts it first, as it lifts  *)
(* the server's for the fast path. The server refuses a batch              *)
(*   1. whose commit timestamp the clock of one of its rows has passed;    *)
(*   2. over a newer committed version, which the fast path wrote;         *)
(*   3. of a transaction that began before such a version which was        *)
(*      collected: it was a tombstone.                                     *)
(* Of what happened before it opened a region, a server knows nothing, and *)
(* refuses whoever began before that.                                      *)
(* A batch that was accepted lifts the clocks of its rows to its           *)
(* timestamp, and whoever reads them with a later snapshot waits until it  *)
(* is stored. Two batches to different rows may come in any order.         *)
(*                                                                         *)
(* A batch that was refused is put the long way: tentative records,        *)
(* another commit timestamp (readers may have passed the first one), a     *)
(* commit-table entry. The TM compares the transaction only with what was  *)
(* certified since its first time, which it has passed, and so not with    *)
(* itself. An answer that is lost is resolved at the rows: the server      *)
(* looks for the record and lifts their clocks to the batch's timestamp,   *)
(* so that what was not stored never will be.                              *)
(*                                                                         *)
(* A blind transaction, which reads nothing, begins and is certified by    *)
(* one request, at one timestamp.                                          *)
(*                                                                         *)
(* What lies in several regions is put the long way, while the TM          *)
(* certifies it. A reader with a later snapshot than its commit timestamp  *)
(* may then have looked before a record could be read. So each put is      *)
(* answered with the clock of its row, as it is once the record can be     *)
(* read. If one has passed the commit timestamp, the client asks for       *)
(* another one; all records can be read by then. So it does after a put to *)
(* a region that was just opened, whose server cannot tell.                *)
(*                                                                         *)
(* The long way, the reads, the fast path, the servers' clocks and the     *)
(* collector are those of FastPath.tla and OmidLL.tla. In a table without  *)
(* fast path, Fast is empty, and the clocks are the same.                  *)
(*                                                                         *)
(* A comment that begins with "Guard" marks an operator whose removal must *)
(* violate a property: specs/mutants/OnePhase has a mutant for each.       *)
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
    \* The distance of two timestamps of the TM.
    \* @type: Int;
    Span,
    \* The regions: sets of keys that are moved together, each key in one.
    \* @type: Set(Set(KEY));
    Region

\* The variables of OmidLL and FastPath, which mean the same. Of a transaction that goes the short way, writes and deletes are
\* what its client buffers, and its status is closed when its batch was answered.
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
    faults,
    \* @type: SERVER -> Int;
    lvc,
    \* @type: KEY -> SERVER;
    host,
    \* @type: Set(KEY);
    bootstrapped,
    \* @type: TXN -> { step: Str, key: KEY };
    gate,
    \* @type: TXN -> { step: Str, key: KEY, last: Int };
    fast

FP == INSTANCE FastPath
LL == INSTANCE OmidLL

NoTs == LL!NoTs

-----------------------------------------------------------------------------
(* What the short way adds *)

\* How far each transaction is on its way. none: it has written nothing, or writes as in OmidLL. buffer: its writes are in its
\* client's memory. ready: the batch has its timestamp. held: the server has accepted it, and readers wait for it. lost: its
\* region was closed before it was stored. stored: it can be read. long: it goes the long way. beside: so it does, and the TM
\* certifies it meanwhile; no put was answered with a clock that has passed its commit timestamp. doubted: as beside, but a put was
\* answered by a server that cannot tell, before there was a commit timestamp: its client asks again, though that one would do.  Lane: client
VARIABLE
    \* @type: TXN -> Str;
    way
TypeOKWay == way \in [Txn -> {"none", "buffer", "ready", "held", "lost", "stored", "long", "beside", "doubted"}]

\* The commit timestamp in the transaction's batch; NoTs where there was none.  Lane: client
VARIABLE
    \* @type: TXN -> Int;
    batchTs
TypeOKBatchTs == batchTs \in [Txn -> Nat]

\* Transactions of whose batch a copy was sent that may still arrive.  Lane: server
VARIABLE
    \* @type: Set(TXN);
    lateBatches
TypeOKLateBatches == lateBatches \subseteq Txn

\* The clock of each row, at the server that has it: the last snapshot in which the row was looked at, or the last batch that was
\* accepted or refused in it. Servers may have fewer clocks than rows.  Lane: server
VARIABLE
    \* @type: KEY -> Int;
    rowClock
TypeOKRowClock == rowClock \in [Key -> Nat]

\* The last version of the fast path that was collected in each row, or the time at which its server opened it: nobody can tell what
\* was read and collected before. Servers may remember more for fewer rows.  Lane: server
VARIABLE
    \* @type: KEY -> Int;
    collected
TypeOKCollected == collected \in [Key -> Nat]

servers == <<lvc, host, bootstrapped>>
short == <<way, batchTs, lateBatches, rowClock, collected>>
vars ==
    <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, stored,
      commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults, servers,
      gate, fast, short>>

TypeOK == FP!TypeOK /\ TypeOKWay /\ TypeOKBatchTs /\ TypeOKLateBatches /\ TypeOKRowClock /\ TypeOKCollected

Init ==
    /\ FP!Init
    /\ way = [t \in Txn |-> "none"]
    /\ batchTs = [t \in Txn |-> NoTs]
    /\ lateBatches = {}
    /\ rowClock = [k \in Key |-> 0]
    /\ collected = [k \in Key |-> 0]

\* The clock of the TM after its next step.
NextTs == clock + Span

\* What the application may do next, what may go wrong, and whether the watermark may go up; models restrict it.
\* @type: (TXN, KEY) => Bool;
MayRead(t, k) == TRUE
\* @type: (TXN, KEY, Str) => Bool;
MayWrite(t, k, content) == TRUE
\* @type: (TXN, KEY, Str) => Bool;
MayBuffer(t, k, content) == TRUE
\* @type: (TXN) => Bool;
MayWriteBlindly(t) == TRUE
\* @type: (TXN, Str, KEY) => Bool;
MayTakeFastPath(f, operation, k) == TRUE
\* @type: Bool;
MayFail == TRUE
\* @type: Bool;
MayRaise == TRUE

-----------------------------------------------------------------------------
(* Begin, write *)

\* As in FastPath.
Begin(t) == FP!Begin(t) /\ UNCHANGED short

\* The application writes; its client keeps it until the commit.
BufferWrite(t, k, content) ==
    /\ FP!Ready(t) /\ MayBuffer(t, k, content)
    /\ way[t] \in {"none", "buffer"} /\ (way[t] = "none" => writes[t] = {})
    /\ LL!Track(t, k, content)
    /\ way' = [way EXCEPT ![t] = "buffer"]
    /\ UNCHANGED <<status, readTs, commitTs, unanswered, todo, cursor, clock, lastCommit, lowWatermark, stored,
                   commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes,
                   faults, servers, gate, fast, batchTs, lateBatches, rowClock, collected>>

\* Guard: the TM remembers what a blind transaction has written. Otherwise who began before it overwrites it unseen.
LastCommitAfterBlind(keys) == [k \in Key |-> IF k \in keys THEN NextTs ELSE lastCommit[k]]

\* A transaction that reads nothing begins and is certified at once. Nobody is between its two timestamps, which are one, so
\* there is nothing to compare.
CommitBlindly(t, keys, gone) ==
    /\ t \notin Fast /\ status[t] = "idle" /\ MayWriteBlindly(t)
    /\ keys # {} /\ keys \in SUBSET Key
    /\ \E r \in Region : keys \subseteq r
    /\ clock' = NextTs
    /\ readTs' = [readTs EXCEPT ![t] = NextTs]
    /\ commitTs' = [commitTs EXCEPT ![t] = NextTs]
    /\ batchTs' = [batchTs EXCEPT ![t] = NextTs]
    /\ lastCommit' = LastCommitAfterBlind(keys)
    /\ writes' = [writes EXCEPT ![t] = keys]
    /\ deletes' = [deletes EXCEPT ![t] = gone]
    /\ status' = [status EXCEPT ![t] = "certified"]
    /\ way' = [way EXCEPT ![t] = "ready"]
    /\ precedes' = [precedes EXCEPT ![t] = {a \in Txn : status[a] \in {"committed", "closed"}}]
    /\ UNCHANGED <<unanswered, todo, cursor, lowWatermark, stored, commitCell, commitTable, watermark, inspected,
                   latePuts, lateEntries, committed, reads, faults, servers, gate, fast, lateBatches, rowClock, collected>>

-----------------------------------------------------------------------------
(* Certification *)

\* Guard: one batch goes to one region. In another one, nobody compares its clock, and nothing makes the two atomic.
InOneRegion(t) == \E r \in Region : writes[t] \subseteq r

\* Guard: up to which timestamp the TM has compared the transaction before. Who was certified once has passed all until then:
\* counted again, its own first certification would be a conflict, and each refusal an abort.
ComparedUpTo(t) == IF commitTs[t] = NoTs THEN readTs[t] ELSE commitTs[t]

\* As in OmidLL, from there on: nobody else who was certified since wrote one of its keys, and nothing since was forgotten.
PassesAgain(t) ==
    /\ \A k \in writes[t] : lastCommit[k] <= ComparedUpTo(t)
    /\ lowWatermark <= ComparedUpTo(t)

\* Guard: a second certification gives another timestamp. A reader with a later snapshot than the first one has looked already.
TimestampFor(t) == NextTs

\* It puts what it has buffered.
PutsBuffered(t) == way[t] \in {"long", "beside", "doubted"}

\* The TM is asked while the puts are under way.
AsksMeanwhile(t) == way[t] \in {"beside", "doubted"}

\* The TM gives a commit timestamp, or refuses, for the batch or for the long way.  VLDB'18 Alg. 2, Commit
RequestCommit(t) ==
    /\ FP!Ready(t) /\ writes[t] # {}
    /\ IF AsksMeanwhile(t) THEN commitTs[t] = NoTs ELSE LL!WritesStored(t)
    /\ way[t] = "buffer" => InOneRegion(t)
    /\ IF PassesAgain(t)
       THEN /\ clock' = NextTs
            /\ commitTs' = [commitTs EXCEPT ![t] = TimestampFor(t)]
            /\ lastCommit' = [k \in Key |-> IF k \in writes[t] THEN NextTs ELSE lastCommit[k]]
            /\ status' = [status EXCEPT ![t] = IF AsksMeanwhile(t) THEN @ ELSE "certified"]
            /\ way' = [way EXCEPT ![t] = IF @ = "buffer" THEN "ready" ELSE IF @ = "doubted" THEN "long" ELSE @]
            /\ batchTs' = [batchTs EXCEPT ![t] = IF way[t] = "buffer" THEN NextTs ELSE @]
            /\ UNCHANGED todo
       ELSE /\ status' = [status EXCEPT ![t] = "aborted"]
            /\ todo' = [todo EXCEPT ![t] = IF way[t] = "buffer" THEN {} ELSE writes[t]]
            /\ UNCHANGED <<clock, commitTs, lastCommit, way, batchTs>>
    /\ UNCHANGED <<readTs, writes, deletes, unanswered, cursor, lowWatermark, stored, commitCell, commitTable,
                   watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults, servers, gate,
                   fast, lateBatches, rowClock, collected>>

\* From here on all of the write set is put as in OmidLL: each put is one that was not answered.
GoLongWay(t) ==
    /\ status' = [status EXCEPT ![t] = "active"]
    /\ unanswered' = [unanswered EXCEPT ![t] = writes[t]]
    /\ way' = [way EXCEPT ![t] = "long"]

\* What lies in several regions is put the long way from the beginning.
TakeLongWay(t) ==
    /\ FP!Ready(t) /\ way[t] = "buffer"
    /\ ~InOneRegion(t)
    /\ GoLongWay(t)
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, todo, cursor, clock, lastCommit, lowWatermark, stored, commitCell,
                   commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults, servers,
                   gate, fast, batchTs, lateBatches, rowClock, collected>>

-----------------------------------------------------------------------------
(* Puts beside the certification *)

\* What lies in several regions is put, and the TM asked at the same time.
PutBeside(t) ==
    /\ FP!Ready(t) /\ way[t] = "buffer"
    /\ ~InOneRegion(t)
    /\ unanswered' = [unanswered EXCEPT ![t] = writes[t]]
    /\ way' = [way EXCEPT ![t] = "beside"]
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, todo, cursor, clock, lastCommit, lowWatermark, stored, commitCell,
                   commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults, servers,
                   gate, fast, batchTs, lateBatches, rowClock, collected>>

\* Guard: a put is answered with the clock of its row. Who has looked there with a later snapshot than the commit timestamp missed it.
WasReadLater(t, k) == rowClock[k] > commitTs[t]

\* Guard: a server that does not know the time cannot tell what others have read before it opened the region.
TellsOfReads(k) == k \in bootstrapped

\* Guard: nor does one that knows it, if it was told after the commit timestamp was given.
OpenedLater(t, k) == collected[k] > commitTs[t]

\* The answer to a put says that the commit timestamp may be too early. Before there is one, whoever has a later snapshot than that
\* will see the record.
HasPassed(t, k) == commitTs[t] # NoTs /\ (WasReadLater(t, k) \/ ~TellsOfReads(k) \/ OpenedLater(t, k))

\* Guard: all puts were answered. A reader in between misses what is not there yet, and the transaction is committed below his snapshot.
AllAnswered(t) == unanswered[t] = {}

\* The server that answers a put cannot tell, and there is no commit timestamp yet. Its client does not know which was first.
CannotTellYet(t, k) == commitTs[t] = NoTs /\ ~TellsOfReads(k)

\* After an answer to a put that was sent while the TM was asked.
WayAfterPut(t, k) == IF HasPassed(t, k) THEN "long" ELSE IF CannotTellYet(t, k) THEN "doubted" ELSE "beside"

\* All puts were answered, and no clock has passed: the timestamp stands.
KeepTimestamp(t) ==
    /\ FP!Ready(t) /\ way[t] = "beside"
    /\ commitTs[t] # NoTs /\ AllAnswered(t)
    /\ status' = [status EXCEPT ![t] = "certified"]
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, stored, commitCell,
                   commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults, servers,
                   gate, fast, short>>

-----------------------------------------------------------------------------
(* The batch at the region server *)

\* Where the batch may be sent to: to the server of one of its rows. That is one server, as long as it lies in one region.
ServersOf(t) == {host[k] : k \in writes[t]}

\* Its rows that this server has; it knows no others.
RowsAt(t, s) == {k \in writes[t] : host[k] = s}

\* The batch is being stored in k.
BatchHolds(t, k) == way[t] = "held" /\ k \in writes[t]

\* Guard: no read with a later snapshot has been here: it may have looked.
ClockAllows(t, s) == \A k \in RowsAt(t, s) : rowClock[k] < batchTs[t]

\* Guard: nothing newer than the transaction's snapshot is committed in its rows. Regular transactions the TM has compared; the
\* fast path is not known to it.
NoNewerCommit(t) == \A k \in writes[t] : FP!NoNewerCommit(t, k)

\* Guard: nothing newer than the transaction's snapshot was collected in its rows, as far as the TM does not know of it. The newer version
\* that would have refused it may have been a tombstone.
NothingNewerCollected(t) == \A k \in writes[t] : collected[k] < readTs[t]

\* Whether the server takes the batch.
Accepts(t, s) == ClockAllows(t, s) /\ NoNewerCommit(t) /\ NothingNewerCollected(t)

\* Guard: a batch holds the locks of its rows, and so waits for fast-path writes: neither sees the other before it is stored.
NoFastWriteInRows(t) == \A k \in writes[t] : FP!NoFastWriteInRow(k)

\* Guard: so it waits for other batches. Otherwise a later commit may be stored, and if it is a tombstone even be collected, before
\* the earlier one: then nothing hides what it has deleted.
NoBatchInRows(t) == \A b \in Txn, k \in writes[t] : ~BatchHolds(b, k)

\* Guard (VLDB'18 sec. 4.3): a server that has opened a region asks the TM for the time first. It does not know the reads that
\* others have served.
KnowsTheTime(t) == writes[t] \subseteq bootstrapped

\* The server can look at the batch: it has the locks, and no copy is being stored.
MayExamine(t) == way[t] # "held" /\ NoFastWriteInRows(t) /\ NoBatchInRows(t) /\ KnowsTheTime(t)

\* Guard: the server's clock is lifted to the timestamp of a batch that is accepted. Otherwise the next fast-path write goes below
\* the commit.
BatchLifts(t) == batchTs[t]
LiftServer(t, s) == lvc' = [lvc EXCEPT ![s] = IF BatchLifts(t) > @ THEN BatchLifts(t) ELSE @]

\* Guard: the clocks of the rows are, too, and by a refusal, and by whoever looks for the batch and does not find it. Otherwise a copy
\* that arrives late is stored after the transaction has gone another way, or after the first one was collected.
CopiesRefusedUpTo(t) == batchTs[t]
RefuseCopies(t, s) ==
    rowClock' =
        [k \in Key |-> IF k \in RowsAt(t, s) /\ rowClock[k] < CopiesRefusedUpTo(t) THEN CopiesRefusedUpTo(t) ELSE rowClock[k]]

\* The server takes the batch, with the locks of its rows.
AcceptBatch(t) ==
    /\ status[t] = "certified" /\ way[t] = "ready"
    /\ MayExamine(t)
    /\ \E s \in ServersOf(t) : Accepts(t, s) /\ LiftServer(t, s) /\ RefuseCopies(t, s)
    /\ way' = [way EXCEPT ![t] = "held"]
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark,
                   stored, commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, reads,
                   precedes, faults, host, bootstrapped, gate, fast, batchTs, lateBatches, collected>>

\* A refused batch's client goes the long way.
Refuse(t, s) ==
    /\ status[t] = "certified" /\ way[t] = "ready"
    /\ RefuseCopies(t, s)
    /\ GoLongWay(t)
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, todo, cursor, clock, lastCommit, lowWatermark, stored, commitCell,
                   commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults, servers,
                   gate, fast, batchTs, lateBatches, collected>>

\* The server refuses the batch.
RefuseBatch(t) == MayExamine(t) /\ \E s \in ServersOf(t) : ~Accepts(t, s) /\ Refuse(t, s)

\* Guard: the batch is stored as a whole. Half of it would be half of a transaction.
RowsOf(t) == writes[t]

\* Guard: a batch in flight is lost when its region is closed: see FastPath. And not before: a server's log may have what it has failed with,
\* so the implementation's repeats the put, under the row's lock, until one of the two has happened.
MayStore(t) == way[t] = "held"

\* The records can be read, with their commit cells, and the locks are released: the transaction is committed.
StoreBatch(t) ==
    /\ MayStore(t)
    /\ stored' = [k \in Key |-> IF k \in RowsOf(t) THEN stored[k] \cup {t} ELSE stored[k]]
    /\ commitCell' = [k \in Key |-> IF k \in RowsOf(t) THEN [commitCell[k] EXCEPT ![t] = batchTs[t]] ELSE commitCell[k]]
    /\ committed' = committed \cup {t}
    /\ way' = [way EXCEPT ![t] = "stored"]
    /\ status' = [status EXCEPT ![t] = IF @ = "certified" THEN "closed" ELSE @]
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark,
                   commitTable, watermark, inspected, latePuts, lateEntries, reads, precedes, faults, servers, gate,
                   fast, batchTs, lateBatches, rowClock, collected>>

-----------------------------------------------------------------------------
(* Answers that are lost *)

\* The batch is not answered: it may be stored, or arrive late, or a second time, or never.
LoseBatchAnswer(t) ==
    /\ status[t] = "certified" /\ way[t] \in {"ready", "held"} /\ MayFail
    /\ status' = [status EXCEPT ![t] = "unknown"]
    /\ lateBatches' = lateBatches \cup {t}
    /\ faults' = faults + 1
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, stored,
                   commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes,
                   servers, gate, fast, way, batchTs, rowClock, collected>>

\* A copy of the batch arrives late. Nobody hears of it.
LateBatch(t) ==
    /\ t \in lateBatches
    /\ MayExamine(t)
    /\ lateBatches' = lateBatches \ {t}
    /\ \E s \in ServersOf(t) :
        /\ IF Accepts(t, s)
           THEN way' = [way EXCEPT ![t] = "held"] /\ LiftServer(t, s)
           ELSE UNCHANGED <<way, lvc>>
        /\ RefuseCopies(t, s)
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark,
                   stored, commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, reads,
                   precedes, faults, host, bootstrapped, gate, fast, batchTs, collected>>

\* Guard: a client that finds its record has committed. Were the batch taken for one that was not stored, the transaction would be
\* carried out a second time.
FindsRecord(t) == \E k \in writes[t] : t \in stored[k]

\* Guard: that there is no record decides only while nothing of the transaction can have been collected.
AbsenceDecides(t) == LL!InTime(t)

\* The client asks at the rows what became of its batch. The server takes their locks, looks, and where it finds nothing lifts their
\* clocks: what was not stored never will be.
ResolveBatch(t) ==
    /\ way[t] \in {"ready", "lost", "stored"}
    /\ status[t] = "unknown" \/ (status[t] = "certified" /\ way[t] = "lost")
    /\ IF FindsRecord(t)
       THEN /\ status' = [status EXCEPT ![t] = "closed"]
            /\ UNCHANGED <<rowClock, way, unanswered>>
       ELSE IF AbsenceDecides(t)
       THEN GoLongWay(t) /\ \E s \in ServersOf(t) : RefuseCopies(t, s)
       ELSE /\ status' = [status EXCEPT ![t] = "unresolved"]
            /\ UNCHANGED <<rowClock, way, unanswered>>
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, todo, cursor, clock, lastCommit, lowWatermark, stored, commitCell,
                   commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults, servers,
                   gate, fast, batchTs, lateBatches, collected>>

-----------------------------------------------------------------------------
(* What the short way changes in the others *)

\* The clock of a row is lifted.
LiftRow(k, ts) ==
    /\ rowClock' = [rowClock EXCEPT ![k] = IF ts > @ THEN ts ELSE @]
    /\ UNCHANGED <<way, batchTs, lateBatches, collected>>

\* Guard: a read lifts the clock of its row before it looks: it may have looked before a batch comes.
ReadLifts(t) == readTs[t]

\* Guard: a read with a later snapshot waits for batches that were accepted before it lifted the clock.
OlderBatchesStored(t, k) == \A b \in Txn : BatchHolds(b, k) => batchTs[b] > readTs[t]

\* As in FastPath, and for batches.
AwaitInFlight(t, k) == OlderBatchesStored(t, k) /\ FP!AwaitFastWrites(t, k) /\ UNCHANGED short

\* Guard: a fast-path write waits for the locks of a batch. Otherwise it compares what it has read with what the batch replaces.
NoBatchInRow(k) == \A b \in Txn : ~BatchHolds(b, k)

\* Guard: so does whoever puts something in the row, or removes it. Otherwise a later tombstone is committed there, and collected,
\* before the batch is stored.
RowUnlocked(k) == \A b \in Txn : ~BatchHolds(b, k)

\* As in FastPath.
Bwc(f, k, content) ==
    MayTakeFastPath(f, "bwc", k) /\ NoBatchInRow(k) /\ FP!Bwc(f, k, content) /\ UNCHANGED short
\* As in FastPath.
Wc(f, content) == NoBatchInRow(fast[f].key) /\ FP!Wc(f, content) /\ UNCHANGED short

\* Guard: only what goes the long way has a commit-table entry. Another one might be in the table while its batch is refused.
GoesLongWay(t) == way[t] = "none" \/ PutsBuffered(t)

\* As in OmidLL.
WriteCommitEntry(t) == GoesLongWay(t) /\ FP!WriteCommitEntry(t) /\ UNCHANGED short
\* As in OmidLL.
LoseEntryAnswer(t) == MayFail /\ GoesLongWay(t) /\ FP!LoseEntryAnswer(t) /\ UNCHANGED short

\* Guard: a client gives up only before its batch is sent.
NothingSent(t) == way[t] \notin {"held", "lost"}

\* As in OmidLL: the TM's answer is lost, and nothing was sent.
LoseCommitAnswer(t) == MayFail /\ NothingSent(t) /\ FP!LoseCommitAnswer(t) /\ UNCHANGED short

\* As in FastPath, by a transaction that does not buffer, where no batch is being stored.
Write(t, k, content) ==
    MayWrite(t, k, content) /\ way[t] = "none" /\ RowUnlocked(k) /\ FP!Write(t, k, content) /\ UNCHANGED short
\* As in FastPath, by a transaction that does not buffer.
DelayPut(t, k, content) ==
    MayFail /\ MayWrite(t, k, content) /\ way[t] = "none" /\ FP!DelayPut(t, k, content) /\ UNCHANGED short
\* What was buffered and goes the long way is not answered: it may arrive late, and then for the second time.
LosePut(t, k) ==
    /\ MayFail /\ status[t] = "active"
    /\ PutsBuffered(t) /\ k \in unanswered[t]
    /\ latePuts' = latePuts \cup {<<k, t>>}
    /\ faults' = faults + 1
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, stored,
                   commitCell, commitTable, watermark, inspected, lateEntries, committed, reads, precedes, servers, gate, fast, short>>

\* As in FastPath, by a transaction that does not buffer, or that goes the long way.
RefusePut(t, k, content) ==
    /\ \/ PutsBuffered(t) /\ k \in unanswered[t]
       \/ way[t] = "none" /\ MayWrite(t, k, content)
    /\ RowUnlocked(k)
    /\ FP!RefusePut(t, k, content)
    /\ UNCHANGED short
\* As in FastPath, before the commit; the row's clock is lifted, too.
BumpClock(t, k) ==
    /\ MayRead(t, k) /\ ~PutsBuffered(t)
    /\ FP!BumpClock(t, k)
    /\ LiftRow(k, ReadLifts(t))
\* As in OmidLL, before the commit.
ReadOwnWrite(t, k) == MayRead(t, k) /\ ~PutsBuffered(t) /\ FP!ReadOwnWrite(t, k) /\ UNCHANGED short

\* Batches in flight are lost with their region.
LoseBatches(keys) ==
    way' = [t \in Txn |-> IF way[t] = "held" /\ writes[t] \cap keys # {} THEN "lost" ELSE way[t]]

\* What a server remembers of rows is lost with every region.
Forget(keys) ==
    /\ rowClock' = [k \in Key |-> IF k \in keys THEN 0 ELSE rowClock[k]]
    /\ collected' = [k \in Key |-> IF k \in keys THEN 0 ELSE collected[k]]

\* A region is moved to another server.  VLDB'18 sec. 4.3
MoveRegion(r, s) ==
    /\ MayFail
    /\ \E k \in r : host[k] # s
    /\ FP!Open(r, s)
    /\ LoseBatches(r)
    /\ Forget(r)
    /\ UNCHANGED <<lvc, batchTs, lateBatches>>

\* A server dies, and its regions are opened on another one, or on the same after it was started again.  VLDB'18 sec. 4.3
CrashServer(s, other) ==
    /\ MayFail
    /\ FP!CrashServer(s, other)
    /\ LoseBatches({k \in Key : host[k] = s})
    /\ Forget({k \in Key : host[k] = s})
    /\ UNCHANGED <<batchTs, lateBatches>>

-----------------------------------------------------------------------------
(* What is the same *)

Same == UNCHANGED short

\* As in FastPath, where no batch is being stored; the answer tells the row's clock.
RetryPut(t, k) ==
    /\ RowUnlocked(k)
    /\ FP!RetryPut(t, k)
    /\ way' = [way EXCEPT ![t] = IF @ = "beside" THEN WayAfterPut(t, k) ELSE @]
    /\ UNCHANGED <<batchTs, lateBatches, rowClock, collected>>
\* As in FastPath, where no batch is being stored.
LatePut(t, k) == RowUnlocked(k) /\ FP!LatePut(t, k) /\ Same
\* As in FastPath.
GetRecord(t, k) == FP!GetRecord(t, k) /\ Same
\* Guard: whoever writes a commit cell lifts the row's clock. It may be a tombstone's, which is collected then; afterwards nothing tells
\* a batch that it comes too late.
CommitCellLifts(t) == commitTs[t]

\* As in FastPath, where no batch is being stored; the row's clock is lifted, too.
PostCommit(t, k) == RowUnlocked(k) /\ FP!PostCommit(t, k) /\ LiftRow(k, CommitCellLifts(t))
\* As in FastPath, where no batch is being stored; the row's clock is lifted, too.
HealCommitCell(t) ==
    RowUnlocked(cursor[t].key) /\ FP!HealCommitCell(t) /\ LiftRow(cursor[t].key, CommitCellLifts(cursor[t].met))
\* As in FastPath, where no batch is being stored; the row's clock is lifted, too.
HealLeftover(t, k) == RowUnlocked(k) /\ FP!HealLeftover(t, k) /\ LiftRow(k, CommitCellLifts(t))
\* As in FastPath; the server remembers it.
CollectTombstone(t, k) ==
    /\ FP!CollectTombstone(t, k)
    /\ collected' = [collected EXCEPT ![k] = IF t \in Fast /\ readTs[t] > @ THEN readTs[t] ELSE @]
    /\ UNCHANGED <<way, batchTs, lateBatches, rowClock>>
\* As in FastPath.
Brc(f, k) == MayTakeFastPath(f, "brc", k) /\ FP!Brc(f, k) /\ Same
\* As in FastPath.
Br(f, k) == MayTakeFastPath(f, "br", k) /\ FP!Br(f, k) /\ Same
\* As in FastPath.
StoreVersion(f) == FP!StoreVersion(f) /\ Same
\* As in FastPath.
LoseFastAnswer(f) == MayFail /\ FP!LoseFastAnswer(f) /\ Same
\* Guard: a server that has opened a region remembers when it was told the time. Whoever had the row before may have served reads until
\* then, and collected.
CollectedAfterOpening(k) == IF k \in bootstrapped THEN collected[k] ELSE FP!BootstrapTs

\* As in FastPath; the server remembers it.
BootstrapClock(k) ==
    /\ FP!BootstrapClock(k)
    /\ collected' = [collected EXCEPT ![k] = CollectedAfterOpening(k)]
    /\ UNCHANGED <<way, batchTs, lateBatches, rowClock>>
\* As in FastPath: also between a batch's timestamp and the batch.
Failover == MayFail /\ FP!Failover /\ Same
\* As in OmidLL.
EndReadOnly(t) == FP!EndReadOnly(t) /\ Same
\* As in OmidLL.
GetCommitEntry(t) == FP!GetCommitEntry(t) /\ Same
\* As in OmidLL.
InvalidatePending(t) == FP!InvalidatePending(t) /\ Same
\* As in OmidLL.
ReReadRecord(t) == FP!ReReadRecord(t) /\ Same
\* As in OmidLL.
RemoveFalseInvalidation(t) == FP!RemoveFalseInvalidation(t) /\ Same
\* As in OmidLL.
Evict(k) == MayFail /\ FP!Evict(k) /\ Same
\* As in OmidLL.
LateCommitEntry(t) == FP!LateCommitEntry(t) /\ Same
\* As in OmidLL.
RemoveCommitEntry(t) == FP!RemoveCommitEntry(t) /\ Same
\* As in OmidLL, where no batch is being stored.
CleanUp(t, k) == RowUnlocked(k) /\ FP!CleanUp(t, k) /\ Same
\* As in OmidLL.
Rollback(t) == MayFail /\ FP!Rollback(t) /\ Same
\* As in OmidLL. A batch that is being stored goes on.
Crash(t) == MayFail /\ FP!Crash(t) /\ Same
\* As in OmidLL.
RaiseWatermark == MayRaise /\ FP!RaiseWatermark /\ Same
\* As in OmidLL.
InspectLeftover(t, k) == FP!InspectLeftover(t, k) /\ Same
\* As in OmidLL, where no batch is being stored.
CleanLeftover(t, k) == RowUnlocked(k) /\ FP!CleanLeftover(t, k) /\ Same
\* As in OmidLL.
CollectEntry(t) == FP!CollectEntry(t) /\ Same
\* As in OmidLL.
CollectVersion(t, k) == FP!CollectVersion(t, k) /\ Same

-----------------------------------------------------------------------------

\* Steps that a client takes if nothing keeps it from it.
ClientStep(t) ==
    \/ EndReadOnly(t) \/ RequestCommit(t) \/ TakeLongWay(t) \/ PutBeside(t) \/ KeepTimestamp(t) \/ ResolveBatch(t)
    \/ WriteCommitEntry(t) \/ RemoveCommitEntry(t)
    \/ GetCommitEntry(t) \/ HealCommitCell(t) \/ InvalidatePending(t) \/ ReReadRecord(t) \/ RemoveFalseInvalidation(t)
    \/ \E k \in Key :
        \/ BumpClock(t, k) \/ AwaitInFlight(t, k) \/ GetRecord(t, k) \/ ReadOwnWrite(t, k)
        \/ RetryPut(t, k) \/ PostCommit(t, k) \/ CleanUp(t, k)

CollectorStep ==
    \/ RaiseWatermark
    \/ \E t \in Txn : CollectEntry(t)
    \/ \E t \in Txn, k \in Key :
        \/ HealLeftover(t, k) \/ InspectLeftover(t, k) \/ CleanLeftover(t, k)
        \/ CollectVersion(t, k) \/ CollectTombstone(t, k)

\* Steps of the region servers.
ServerStep ==
    \/ \E t \in Txn : AcceptBatch(t) \/ RefuseBatch(t) \/ StoreBatch(t)
    \/ \E f \in Fast : StoreVersion(f)
    \/ \E k \in Key : BootstrapClock(k)

\* What applications do, and what arrives late.
Arrival ==
    \/ \E t \in Txn : Begin(t) \/ LateCommitEntry(t) \/ LateBatch(t)
    \/ \E t \in Txn, k \in Key : LatePut(t, k)
    \/ \E t \in Txn, k \in Key, content \in Contents :
        BufferWrite(t, k, content) \/ Write(t, k, content) \/ RefusePut(t, k, content)
    \/ \E t \in Txn, keys \in SUBSET Key, content \in Contents :
        CommitBlindly(t, keys, IF content = "tombstone" THEN keys ELSE {})
    \/ \E f \in Fast, k \in Key : Brc(f, k) \/ Br(f, k)
    \/ \E f \in Fast, k \in Key, content \in Contents : Bwc(f, k, content)
    \/ \E f \in Fast, content \in Contents : Wc(f, content)

\* What goes wrong; models bound how often.
Fault ==
    \/ \E t \in Txn : Rollback(t) \/ Crash(t) \/ LoseCommitAnswer(t) \/ LoseEntryAnswer(t) \/ LoseBatchAnswer(t)
    \/ \E t \in Txn, k \in Key, content \in Contents : DelayPut(t, k, content)
    \/ \E t \in Txn, k \in Key : LosePut(t, k)
    \/ \E k \in Key : Evict(k)
    \/ \E f \in Fast : LoseFastAnswer(f)
    \/ \E r \in Region, s \in Server : MoveRegion(r, s)
    \/ \E s \in Server, other \in Server : CrashServer(s, other)
    \/ Failover

Step == (\E t \in Txn : ClientStep(t)) \/ CollectorStep \/ ServerStep \/ Arrival

Next == Step \/ Fault

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* Properties *)

\* Snapshot, OwnWrites, FirstCommitterWins, NoDirtyRead, StrongSI, ReadStates, SameKeyOrder, NoTies, FastBeforeRegular: see
\* RelaxedIsolation.tla
History == FP!History

INSTANCE RelaxedIsolation WITH h <- History

\* Each step is one that a database with snapshot isolation may take: see FastPath. The commit is the batch that can be read.
RefinesSnapshotIsolation == FP!RefinesSnapshotIsolation

\* What a client was told is what happened. When it fails, an application retries what was done, or believes in what
\* was not.
AnswersTrue == FP!AnswersTrue

\* Nobody is aborted but for somebody else who wrote one of his keys, for a reader who forced him to, once he goes the long way, or
\* because his time was up. When it fails, a user who is alone in the world is aborted.
\* (Which key a refused put was for, nothing tells.)
AbortsHaveReason ==
    \A t \in Txn \ Fast :
        status[t] = "aborted" /\ faults = 0 =>
            \/ readTs[t] < watermark
            \/ LL!WasOverwritten(t)
            \/ way[t] # "buffer" /\ \E w \in Txn \ {t} :
                commitTs[w] # NoTs /\ readTs[w] > readTs[t] /\ (way[t] = "none" \/ writes[w] \cap writes[t] # {})
            \/ commitTable[t] = LL!Invalidated /\ LL!WasRead(t)

\* No batch is refused but for a clock that has passed it, or for a newer version, which may have been collected. When it fails,
\* everybody goes the long way, and nobody notices but by the time it takes.
RefusalsHaveReason ==
    [][\A t \in Txn :
        way[t] = "ready" /\ way'[t] = "long" /\ status[t] = "certified" =>
            \/ \E k \in writes[t] : rowClock[k] >= batchTs[t]
            \/ \E k \in writes[t] : \E w \in stored[k] : readTs[w] > readTs[t]
            \/ \E k \in writes[t] : collected[k] >= readTs[t]]_vars

\* Nobody asks twice but for a reader with a later snapshot, or a commit, or for a region that was moved. When it fails, nothing is won
\* by asking early.
SecondRequestsHaveReason ==
    [][\A t \in Txn : way[t] = "beside" =>
        /\ way'[t] = "long" =>
            \/ \E u \in Txn : readTs[u] > commitTs[t] \/ commitTs[u] > commitTs[t]
            \/ \E k \in writes[t] : k \notin bootstrapped \/ collected[k] > commitTs[t]
        /\ way'[t] = "doubted" => \E k \in writes[t] : k \notin bootstrapped]_vars

\* What went the short way needs nobody's help: its records have their commit cells. When it fails, a reader asks the commit table
\* for an entry that never was, and aborts what was committed.
ShortNeverTentative ==
    \A t \in Txn, k \in Key : way[t] \in {"buffer", "ready", "held", "lost", "stored"} /\ t \in stored[k] =>
        commitCell[k][t] = batchTs[t]

\* See FastPath.
ClockBounded == FP!ClockBounded

\* See FastPath.
\* @by: GivenByClock, ClockReachesReaders, HeldIsReached, BatchInOneRegion, RegionsTogether, ReadIsOfActive, GateIsOfActive, CommitCellsTell,
\*   BatchTsFollows, WayAndStatus, ClockBounded;
ClockCovers == FP!ClockCovers

\* Every commit of a live client ends. When it fails, an application hangs.
CommitEnds == LL!CommitEnds

\* Live clients, servers and the collector go on.
Fairness ==
    /\ \A t \in Txn : WF_vars(ClientStep(t)) /\ WF_vars(AcceptBatch(t) \/ RefuseBatch(t)) /\ WF_vars(StoreBatch(t))
    /\ \A t \in Txn, k \in Key : \A content \in Contents : WF_vars(RefusePut(t, k, content))
    /\ \A f \in Fast : WF_vars(StoreVersion(f))
    /\ \A k \in Key : WF_vars(BootstrapClock(k))

FairSpec == Spec /\ Fairness
=============================================================================
