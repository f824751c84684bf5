----------------------------- MODULE OmidBaseline -----------------------------
(***************************************************************************)
(* Omid before Omid LL: the baseline of VLDB'18 section 5 (its sections    *)
(* 3.1 and 3.2 tell where the two differ), and the default mode of Apache  *)
(* Omid. Specified, model-checked, and held against runs of that; not      *)
(* built.                                                                  *)
(*                                                                         *)
(* The transaction manager (TM) writes the commit table itself. What has   *)
(* passed the conflict check waits in a batch; its entries are written     *)
(* together, and then the clients are answered. So a commit waits for the  *)
(* batch, where in Omid LL it waits for its client's own write.            *)
(*                                                                         *)
(* What that buys: a read aborts nobody. The TM answers no begin before    *)
(* all entries with earlier commit timestamps are written. A reader that   *)
(* finds a tentative record without entry, and looks at it once more, so   *)
(* knows that the writer commits after its snapshot, or never: it passes   *)
(* over it. Omid LL gives this up (NoReaderAborts), and lets clients write *)
(* their entries in parallel.                                              *)
(*                                                                         *)
(* When a TM fails, entries of its last batch may still be on their way,   *)
(* with timestamps below all snapshots of the next one. So a reader that   *)
(* began in a later epoch than the writer does what Omid LL's do: it       *)
(* creates the invalidation marker, and the entry, written by              *)
(* check-and-mutate, comes too late. A client that was not answered is     *)
(* told by the next TM what has become of its transaction; that one        *)
(* creates the marker, too, where there is nothing.                        *)
(*                                                                         *)
(* Records, commit cells, post-commit, the removal of entries and the      *)
(* collector are those of OmidLL.                                          *)
(*                                                                         *)
(* A comment that begins with "Guard" marks an operator whose removal must *)
(* violate a property: specs/mutants/OmidBaseline has a mutant for each.   *)
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

\* The variables of OmidLL, which mean the same; lateEntries are those that a TM has sent before it failed.
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

\* Transactions that passed the conflict check, and whose entries are not written yet.  Lane: TM
VARIABLE
    \* @type: Set(TXN);
    batch
TypeOKBatch == batch \subseteq Txn

\* Where the present TM began: all timestamps of earlier ones are below.  Lane: TM
VARIABLE
    \* @type: Int;
    epoch
TypeOKEpoch == epoch \in Nat

\* The epoch in which each transaction began.  Lane: client
VARIABLE
    \* @type: TXN -> Int;
    epochOf
TypeOKEpochOf == epochOf \in [Txn -> Nat]

\* Whose entries the commit table has taken, as its answers to the present TM say.  Lane: TM
VARIABLE
    \* @type: Set(TXN);
    taken
TypeOKTaken == taken \subseteq Txn

baseline == <<batch, epoch, epochOf, taken>>
vars ==
    <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, stored,
      commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults, baseline>>

TypeOK == LL!TypeOK /\ TypeOKBatch /\ TypeOKEpoch /\ TypeOKEpochOf /\ TypeOKTaken

Init == LL!Init /\ batch = {} /\ epoch = 0 /\ epochOf = [t \in Txn |-> 0]
        /\ taken = {}

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
(* Transaction manager *)

\* Guard (VLDB'18 sec. 3.1: who is pending commits later than the snapshot, or never): a begin is answered when
\* the entries of all earlier commits are written.
EarlierEntriesWritten == batch = {}

\* The TM gives the next timestamp.
\* One action. Argued, not checked: commits that are certified between the draw and the answer have later timestamps, and those
\* before might have been written before the draw.
Begin(t) ==
    /\ EarlierEntriesWritten
    /\ LL!Begin(t)
    /\ epochOf' = [epochOf EXCEPT ![t] = epoch]
    /\ UNCHANGED <<batch, epoch, taken>>

\* The TM gives a commit timestamp, or refuses. The client is answered later.  VLDB'18 sec. 3.1: "C, C" in Table 1
RequestCommit(t) ==
    /\ LL!RequestCommit(t)
    /\ batch' = IF status'[t] = "certified" THEN batch \cup {t} ELSE batch
    /\ UNCHANGED <<epoch, epochOf, taken>>

\* Guard: an entry is created only where there is none, and above the watermark: a reader of the next epoch may have forced the
\* transaction to abort.
TakesEntry(t) == LL!TakesEntry(t)

\* The commit table executes the TM's write.
CreateEntry(t) ==
    IF TakesEntry(t)
    THEN /\ commitTable' = [commitTable EXCEPT ![t] = commitTs[t]]
         /\ committed' = committed \cup {t}
    ELSE UNCHANGED <<commitTable, committed>>

\* An entry of the batch is written: this is the commit. The entries of a batch are sent together, and are no atomic write.
\* VLDB'18 sec. 3.1: the TM writes all entries
WriteEntry(t) ==
    /\ t \in batch
    /\ batch' = batch \ {t}
    /\ CreateEntry(t)
    /\ taken' = IF TakesEntry(t) THEN taken \cup {t} ELSE taken
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark,
                   stored, commitCell, watermark, inspected, latePuts, lateEntries, reads, precedes, faults, epoch,
                   epochOf>>

\* Guard: a commit is answered when its entry is written.
EntryWritten(t) == t \notin batch

\* Guard: the answer is what the commit table has taken. (A look into it now would not do: below the watermark, the entry may
\* have been collected.)
WasTaken(t) == t \in taken

\* The client is told.
Answer(t, outcome) ==
    /\ status' = [status EXCEPT ![t] = outcome]
    /\ todo' = [todo EXCEPT ![t] = IF outcome = "unresolved" THEN {} ELSE writes[t]]

\* The TM answers a commit request.
AnswerCommit(t) ==
    /\ status[t] = "certified"
    /\ EntryWritten(t)
    /\ Answer(t, IF WasTaken(t) THEN "committed" ELSE "aborted")
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, cursor, clock, lastCommit, lowWatermark, stored,
                   commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes,
                   faults, baseline>>

\* The answer is lost, or the client's connection is: it asks again.
LoseAnswer(t) ==
    /\ status[t] = "certified" /\ MayFail
    /\ status' = [status EXCEPT ![t] = "unknown"]
    /\ faults' = faults + 1
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, stored,
                   commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes,
                   baseline>>

\* Guard: where there is no entry, the TM creates the marker before it says that there will be none: that of an earlier TM may
\* be on its way.
EntryAfterAnswer(t) == LL!Invalidated

\* Guard: below the watermark an entry may have been collected, so its absence tells nothing.
AbsenceTells(t) == readTs[t] >= watermark

\* A client asks again, and the TM looks into the commit table. (If it holds the transaction in its batch, it writes that first.)
AnswerAgain(t) ==
    LET entry == commitTable[t]
    IN  /\ status[t] = "unknown"
        /\ EntryWritten(t)
        /\ commitTable' =
            IF entry = NoTs /\ AbsenceTells(t) THEN [commitTable EXCEPT ![t] = EntryAfterAnswer(t)] ELSE commitTable
        /\ Answer(t, IF entry = commitTs[t] THEN "committed"
                     ELSE IF entry = NoTs /\ ~AbsenceTells(t) THEN "unresolved" ELSE "aborted")
        /\ UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, cursor, clock, lastCommit, lowWatermark, stored,
                       commitCell, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults,
                       baseline>>

\* Guard (VLDB'18 sec. 3.2.1): the new TM knows none of the old one's commits, so it lets nobody commit who began before.
LowWatermarkOfNewTM == clock + 1

\* Another TM takes over. Entries of the old one's batch may still arrive.  VLDB'18 sec. 3.2.1
\* One step; TMFailover.tla has the many.
Failover ==
    /\ MayFail
    /\ clock' = clock + 1
    /\ epoch' = clock + 1
    /\ lastCommit' = [k \in Key |-> NoTs]
    /\ lowWatermark' = LowWatermarkOfNewTM
    /\ batch' = {}
    /\ lateEntries' = lateEntries \cup batch
    /\ taken' = {}
    /\ status' = [t \in Txn |-> IF status[t] = "certified" THEN "unknown" ELSE status[t]]
    /\ faults' = faults + 1
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, todo, cursor, stored, commitCell, commitTable,
                   watermark, inspected, latePuts, committed, reads, precedes, epochOf>>

\* A write of a TM that has failed arrives late.
LateCommitEntry(t) ==
    /\ t \in lateEntries
    /\ lateEntries' = lateEntries \ {t}
    /\ CreateEntry(t)
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark,
                   stored, commitCell, watermark, inspected, latePuts, reads, precedes, faults, baseline>>

-----------------------------------------------------------------------------
(* Read *)

\* Guard: a reader forces only those to abort who began in an earlier epoch than its own.
MayInvalidate(t, w) == readTs[w] < epochOf[t]

\* Guard: those it does. An entry of theirs may be on its way, with a timestamp in the reader's snapshot.
MustInvalidate(t, w) == MayInvalidate(t, w)

\* The record has no commit cell: its commit-table entry is asked for.  VLDB'18 Alg. 3, Read; sec. 3.1
\* Without an entry, the record is looked at again, as in OmidLL: the entry may have been removed.
GetCommitEntry(t) ==
    LET c == cursor[t]
    IN  IF c.step = "entry" /\ commitTable[c.met] = NoTs
        THEN /\ cursor' = [cursor EXCEPT ![t].step = IF MustInvalidate(t, c.met) THEN "pending" ELSE "reread"]
             /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, clock, lastCommit, lowWatermark,
                            stored, commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, reads,
                            precedes, faults, baseline>>
        ELSE LL!GetCommitEntry(t) /\ UNCHANGED baseline

\* Guard (VLDB'18 Alg. 3, "check for race"): who passes over a record looks at it again. Its writer may have finished in between.
SawCommitCell(k, w) == LL!SawCommitCell(k, w)

\* The record is looked at again.  VLDB'18 Alg. 3, Read
ReReadRecord(t) ==
    LET c == cursor[t]
    IN  /\ c.step = "reread"
        /\ IF ~SawCommitCell(c.key, c.met) THEN LL!GoOn(t, c.key, c.met, "record")
           ELSE IF commitTable[c.met] = LL!Invalidated THEN LL!GoOn(t, c.key, c.met, "repair")
           ELSE LL!Decide(t, c.key, c.met, commitCell[c.key][c.met])
        /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, clock, lastCommit, lowWatermark,
                       stored, commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, precedes,
                       faults, baseline>>

-----------------------------------------------------------------------------
(* What is the same as in OmidLL *)

Same == UNCHANGED baseline

\* As in OmidLL.
Write(t, k, content) == MayWrite(t, k, content) /\ LL!Write(t, k, content) /\ Same
\* As in OmidLL.
EndReadOnly(t) == LL!EndReadOnly(t) /\ Same
\* As in OmidLL.
ReadOwnWrite(t, k) == MayRead(t, k) /\ LL!ReadOwnWrite(t, k) /\ Same
\* As in OmidLL.
GetRecord(t, k) == (cursor[t].step = "none" => MayRead(t, k)) /\ LL!GetRecord(t, k) /\ Same
\* As in OmidLL.
HealCommitCell(t) == LL!HealCommitCell(t) /\ Same
\* As in OmidLL, in a later epoch.
InvalidatePending(t) == LL!InvalidatePending(t) /\ Same
\* As in OmidLL, in a later epoch.
RemoveFalseInvalidation(t) == LL!RemoveFalseInvalidation(t) /\ Same
\* As in OmidLL.
PostCommit(t, k) == LL!PostCommit(t, k) /\ Same
\* As in OmidLL.
RemoveCommitEntry(t) == LL!RemoveCommitEntry(t) /\ Same
\* As in OmidLL.
Rollback(t) == MayFail /\ LL!Rollback(t) /\ Same
\* As in OmidLL.
CleanUp(t, k) == LL!CleanUp(t, k) /\ Same
\* As in OmidLL. What is in the batch is written all the same.
Crash(t) == MayFail /\ LL!Crash(t) /\ Same
\* As in OmidLL.
RaiseWatermark == MayRaise /\ LL!RaiseWatermark /\ Same
\* As in OmidLL.
HealLeftover(t, k) == LL!HealLeftover(t, k) /\ Same
\* As in OmidLL.
InspectLeftover(t, k) == LL!InspectLeftover(t, k) /\ Same
\* As in OmidLL.
CleanLeftover(t, k) == LL!CleanLeftover(t, k) /\ Same
\* As in OmidLL.
CollectEntry(t) == LL!CollectEntry(t) /\ Same
\* As in OmidLL.
CollectVersion(t, k) == LL!CollectVersion(t, k) /\ Same
\* As in OmidLL.
CollectTombstone(t, k) == LL!CollectTombstone(t, k) /\ Same

-----------------------------------------------------------------------------

\* Steps that a client takes if nothing keeps it from it.
ClientStep(t) ==
    \/ EndReadOnly(t) \/ RequestCommit(t) \/ RemoveCommitEntry(t)
    \/ GetCommitEntry(t) \/ HealCommitCell(t) \/ InvalidatePending(t) \/ ReReadRecord(t) \/ RemoveFalseInvalidation(t)
    \/ \E k \in Key : ReadOwnWrite(t, k) \/ GetRecord(t, k) \/ PostCommit(t, k) \/ CleanUp(t, k)

\* Steps of the transaction manager.
ManagerStep(t) == WriteEntry(t) \/ AnswerCommit(t) \/ AnswerAgain(t)

CollectorStep ==
    \/ RaiseWatermark
    \/ \E t \in Txn : CollectEntry(t)
    \/ \E t \in Txn, k \in Key :
        \/ HealLeftover(t, k) \/ InspectLeftover(t, k) \/ CleanLeftover(t, k)
        \/ CollectVersion(t, k) \/ CollectTombstone(t, k)

\* What applications do, and what arrives late.
Arrival ==
    \/ \E t \in Txn : Begin(t) \/ LateCommitEntry(t)
    \/ \E t \in Txn, k \in Key, content \in Contents : Write(t, k, content)

\* What goes wrong; models bound how often.
Fault ==
    \/ \E t \in Txn : Rollback(t) \/ Crash(t) \/ LoseAnswer(t)
    \/ Failover

Step == (\E t \in Txn : ClientStep(t) \/ ManagerStep(t)) \/ CollectorStep \/ Arrival

Next == Step \/ Fault

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* Properties *)

\* Snapshot, OwnWrites, FirstCommitterWins, NoDirtyRead, StrongSI, ReadStates, NoPhenomena: see Isolation.tla
History == LL!History

INSTANCE Isolation WITH h <- History

\* Each step is one that a database with snapshot isolation may take: see OmidLL.
RefinesSnapshotIsolation == LL!RefinesSnapshotIsolation

\* What a client was told is what happened. When it fails, an application retries what was done, or believes in what
\* was not.
AnswersTrue == LL!AnswersTrue

\* Nobody is forced to abort but by a failover, or because his time was up: who has passed the conflict check commits. When
\* it fails, a long transaction that is read while it is under way never comes to its end. Omid LL gives it up:
\* models/OmidLL/ReaderAborts2x1 shows that.
NoReaderAborts ==
    \A t \in Txn :
        commitTable[t] = LL!Invalidated \/ (status[t] = "aborted" /\ commitTs[t] # NoTs) =>
            readTs[t] < epoch \/ readTs[t] < watermark

\* Nobody is aborted but for a conflict, by a failover, or because his time was up. When it fails, a user who is alone in the
\* world is aborted.
AbortsHaveReason ==
    \A t \in Txn : status[t] = "aborted" /\ faults = 0 =>
        LL!WasOverwritten(t) \/ readTs[t] < watermark

\* Every commit of a live client ends. When it fails, an application hangs.
CommitEnds == LL!CommitEnds

\* Live clients and the TM go on.
Fairness == \A t \in Txn : WF_vars(ClientStep(t)) /\ WF_vars(ManagerStep(t))

FairSpec == Spec /\ Fairness
=============================================================================
