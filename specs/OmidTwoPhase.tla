----------------------------- MODULE OmidTwoPhase -----------------------------
(***************************************************************************)
(* Omid 2PC (VLDB'18 sections 3.1 and 5.1.1): what Omid LL is compared     *)
(* with. Conflicts are found where the data is, as in Percolator, not by   *)
(* the transaction manager (TM), which gives timestamps and nothing else.  *)
(*                                                                         *)
(* Writes stay with the client until commit. Then it prewrites them, the   *)
(* first one (the primary) alone, the others after that: a check-and-      *)
(* mutate of the key, which stores a tentative record, the intent, if      *)
(* nobody committed the key since the transaction began and nobody else    *)
(* has an intent there. With all intents stored it asks the TM for a       *)
(* commit timestamp. The rest is Omid LL: the commit-table entry, created  *)
(* by check-and-mutate, is the commit; then come the commit cells.         *)
(*                                                                         *)
(* An intent is a lock that may have lost its owner. A reader that meets   *)
(* one finds out what became of it as in Omid LL, and then does away with  *)
(* it: it writes the commit cell, or it removes the intent. A prewrite     *)
(* that meets an older transaction's intent stores nothing; its client     *)
(* reads the key, which does the same, and tries again. At a younger one's *)
(* it gives up.                                                            *)
(*                                                                         *)
(* Departure: Percolator keeps the commit entry with the primary, here it  *)
(* is in the commit table. What recovers dead clients' transactions and    *)
(* collects garbage is then that of Omid LL. A client waits for equally    *)
(* many answers; the removal of the entry, behind its back, comes in       *)
(* addition. What the primary is still good for: see PrimaryFirst.         *)
(*                                                                         *)
(* What is the same as in Omid LL is taken from there (LL!WriteCommitEntry *)
(* and so on). Without conflict table, the TM has nothing to evict.        *)
(*                                                                         *)
(* A comment that begins with "Guard" marks an operator whose removal must *)
(* violate a property: specs/mutants/OmidTwoPhase has a mutant for each.   *)
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

\* The variables of OmidLL, which mean the same: writes are the keys whose prewrite was sent; a read in progress has one
\* step more, "remove" (the intent).
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

LL == INSTANCE OmidLL WITH lastCommit <- [k \in Key |-> 0], lowWatermark <- 0

NoTs == LL!NoTs

vars ==
    <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, stored, commitCell, commitTable,
      watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults>>

TypeOKCursor ==
    cursor \in [Txn -> [step : {"none", "record", "entry", "heal", "pending", "reread", "repair", "remove"},
                        key : Key \cup {NoKey}, met : Txn \cup {NoTxn}]]

TypeOK ==
    /\ LL!TypeOKStatus /\ LL!TypeOKReadTs /\ LL!TypeOKCommitTs /\ LL!TypeOKWrites /\ LL!TypeOKDeletes
    /\ LL!TypeOKUnanswered /\ LL!TypeOKTodo /\ TypeOKCursor /\ LL!TypeOKClock /\ LL!TypeOKStored /\ LL!TypeOKCommitCell
    /\ LL!TypeOKCommitTable /\ LL!TypeOKWatermark /\ LL!TypeOKInspected /\ LL!TypeOKLatePuts /\ LL!TypeOKLateEntries
    /\ LL!TypeOKCommitted /\ LL!TypeOKReads /\ LL!TypeOKPrecedes /\ LL!TypeOKFaults

Init == LL!Init

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
(* Prewrite: the first phase of commit *)

\* The intents of others on a key.
Intents(t, k) == {w \in stored[k] \ {t} : commitCell[k][w] = NoTs}

\* Guard (VLDB'18 sec. 5.1.1, "validates keys"): nobody who committed after this transaction began wrote the key.
NoNewerCommit(t, k) == \A w \in stored[k] \ {t} : commitCell[k][w] < readTs[t]

\* Guard (VLDB'18 sec. 3.1: "locks all written objects during validation"): nobody else has an intent there, who might commit
\* later.
NoIntent(t, k) == Intents(t, k) = {}

\* The check of the check-and-mutate. A copy of the own prewrite that came before does no harm.
Accepts(t, k) == NoNewerCommit(t, k) /\ NoIntent(t, k)

\* Guard (VLDB'18 sec. 5.1.1: as Percolator): the primary's prewrite is answered before another one is sent.
PrimaryFirst(t) == writes[t] = {} \/ writes[t] \ unanswered[t] # {}

\* The client sends the first copy of a prewrite.
MaySend(t, k, content) ==
    /\ LL!Ready(t) /\ MayWrite(t, k, content)
    /\ k \notin writes[t]
    /\ PrimaryFirst(t)

\* An intent is stored and acknowledged.  VLDB'18 sec. 5.1.1: "writes and validates keys using check&mutate"
\* As a tentative put of OmidLL, with a check.
Prewrite(t, k, content) ==
    /\ MaySend(t, k, content)
    /\ Accepts(t, k)
    /\ LL!Write(t, k, content)

\* A prewrite is sent, and no answer comes: it may be carried out late, or never.
DelayPrewrite(t, k, content) == MayFail /\ MaySend(t, k, content) /\ LL!DelayPut(t, k, content)

\* The client sends an unanswered prewrite again, and is answered.
RetryPrewrite(t, k) == Accepts(t, k) /\ LL!RetryPut(t, k)

\* A prewrite arrives late; if it was sent again, for the second time. Where it is refused, nobody hears of it.
LatePrewrite(t, k) ==
    IF Accepts(t, k) THEN LL!LatePut(t, k)
    ELSE /\ <<k, t>> \in latePuts
         /\ latePuts' = latePuts \ {<<k, t>>}
         /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, stored, commitCell,
                        commitTable, watermark, inspected, lateEntries, committed, reads, precedes, faults>>

\* A prewrite meets an intent of an older transaction. Nothing is stored, and the client reads the key, which resolves it.
\* Where an earlier copy of the prewrite may still come, the client does the same, and that is a read of another transaction
\* here. Argued, not checked: nobody gets its result.
MeetIntent(t, k, content) ==
    /\ MaySend(t, k, content)
    /\ NoNewerCommit(t, k)
    /\ \E w \in Intents(t, k) : readTs[w] < readTs[t]
    /\ cursor' = [cursor EXCEPT ![t] = [step |-> "record", key |-> k, met |-> t]]
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, clock, stored, commitCell, commitTable,
                   watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults>>

\* A conflict, with a later commit or with the intent of a younger transaction: the transaction is aborted.
\* VLDB'18 sec. 5.1.1
RefusePrewrite(t, k, content) ==
    /\ MaySend(t, k, content) \/ (LL!Ready(t) /\ k \in unanswered[t])
    /\ \/ ~NoNewerCommit(t, k)
       \/ \E w \in Intents(t, k) : readTs[w] > readTs[t]
    /\ status' = [status EXCEPT ![t] = "aborted"]
    /\ todo' = [todo EXCEPT ![t] = writes[t]]
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, cursor, clock, stored, commitCell, commitTable,
                   watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults>>

\* Guard (VLDB'18 sec. 5.1.1: as Percolator): the commit timestamp is asked for when all intents are stored. Whoever reads
\* before has a snapshot without the transaction, whoever reads after meets the intents.
AllPrewritten(t) == unanswered[t] = {}

\* The TM gives a commit timestamp, and checks nothing.  VLDB'18 Table 1: validation is distributed
RequestCommit(t) ==
    /\ LL!Ready(t) /\ writes[t] # {}
    /\ AllPrewritten(t)
    /\ clock' = clock + 1
    /\ commitTs' = [commitTs EXCEPT ![t] = clock + 1]
    /\ status' = [status EXCEPT ![t] = "certified"]
    /\ UNCHANGED <<readTs, writes, deletes, unanswered, todo, cursor, stored, commitCell, commitTable, watermark,
                   inspected, latePuts, lateEntries, committed, reads, precedes, faults>>

-----------------------------------------------------------------------------
(* Read: as in OmidLL, and intents do not stay *)

\* As in OmidLL.
ReadOwnWrite(t, k) == MayRead(t, k) /\ LL!ReadOwnWrite(t, k)

\* As in OmidLL.  VLDB'18 Alg. 3, Read
GetRecord(t, k) == (cursor[t].step = "none" => MayRead(t, k)) /\ LL!GetRecord(t, k)

\* Guard: who finds that an intent has committed writes its commit cell, also if that is after its snapshot. In OmidLL this is
\* as it pleases.
Heals(t) == cursor'[t].step = "heal"

\* As in OmidLL, but for Heals.  VLDB'18 Alg. 3, Read
GetCommitEntry(t) ==
    /\ LL!GetCommitEntry(t)
    /\ IF commitTable[cursor[t].met] > NoTs THEN Heals(t) ELSE TRUE

\* As in OmidLL; an entry that appeared in the meantime is taken for what GetCommitEntry would have found.
\* VLDB'18 Alg. 3, Read
InvalidatePending(t) ==
    /\ cursor[t].step = "pending"
    /\ IF commitTable[cursor[t].met] > NoTs
       THEN /\ cursor' = [cursor EXCEPT ![t].step = "heal"]
            /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, clock, stored, commitCell,
                           commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults>>
       ELSE LL!InvalidatePending(t)

\* Guard (VLDB'18 Alg. 3, "check for race"): an intent is aborted if its commit cell is still missing when there is the
\* marker. Otherwise a committed record would be removed.
IsAborted(k, w) == ~LL!SawCommitCell(k, w)

\* The reader created or found the marker, and looks at the record again.  VLDB'18 Alg. 3, Read
ReReadRecord(t) ==
    LET c == cursor[t]
    IN  /\ c.step = "reread"
        /\ cursor' = [cursor EXCEPT ![t].step = IF IsAborted(c.key, c.met) THEN "remove" ELSE "repair"]
        /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, clock, stored, commitCell,
                       commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults>>

\* Guard: an aborted intent is removed by whoever meets it. In OmidLL, where nobody is in its way, the collector does it.
RecordsAfterRemoval(k, w) == stored[k] \ {w}

\* The reader removes an aborted intent and goes on below it.
RemoveIntent(t) ==
    LET c == cursor[t]
    IN  /\ c.step = "remove"
        /\ stored' = [stored EXCEPT ![c.key] = RecordsAfterRemoval(c.key, c.met)]
        /\ cursor' = [cursor EXCEPT ![t].step = "record"]
        /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, clock, commitCell, commitTable,
                       watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults>>

-----------------------------------------------------------------------------
(* Garbage *)

\* Guard: a tombstone is collected when no live transaction began before it. In OmidLL a younger one may go, because the TM
\* remembers its commit; here only the record tells.
IsSettled(t, k) == commitCell[k][t] # NoTs /\ commitCell[k][t] < watermark

\* A tombstone is collected.
CollectTombstone(t, k) == IsSettled(t, k) /\ LL!CollectTombstone(t, k)

-----------------------------------------------------------------------------
(* What is the same as in OmidLL: each a conjunction of one, by which TLC tells the actions apart. *)

\* As in OmidLL.
Begin(t) == /\ LL!Begin(t)
\* As in OmidLL.
EndReadOnly(t) == /\ LL!EndReadOnly(t)
\* As in OmidLL.
HealCommitCell(t) == /\ LL!HealCommitCell(t)
\* As in OmidLL.
RemoveFalseInvalidation(t) == /\ LL!RemoveFalseInvalidation(t)
\* As in OmidLL: the second phase of commit.
WriteCommitEntry(t) == /\ LL!WriteCommitEntry(t)
\* As in OmidLL.
LoseEntryAnswer(t) == MayFail /\ LL!LoseEntryAnswer(t)
\* As in OmidLL.
LateCommitEntry(t) == /\ LL!LateCommitEntry(t)
\* As in OmidLL.
PostCommit(t, k) == /\ LL!PostCommit(t, k)
\* As in OmidLL.
RemoveCommitEntry(t) == /\ LL!RemoveCommitEntry(t)
\* As in OmidLL.
Rollback(t) == MayFail /\ LL!Rollback(t)
\* As in OmidLL.
LoseCommitAnswer(t) == MayFail /\ LL!LoseCommitAnswer(t)
\* As in OmidLL.
CleanUp(t, k) == /\ LL!CleanUp(t, k)
\* As in OmidLL.
Crash(t) == MayFail /\ LL!Crash(t)
\* As in OmidLL.
RaiseWatermark == MayRaise /\ LL!RaiseWatermark
\* As in OmidLL.
HealLeftover(t, k) == /\ LL!HealLeftover(t, k)
\* As in OmidLL.
InspectLeftover(t, k) == /\ LL!InspectLeftover(t, k)
\* As in OmidLL.
CleanLeftover(t, k) == /\ LL!CleanLeftover(t, k)
\* As in OmidLL.
CollectEntry(t) == /\ LL!CollectEntry(t)
\* As in OmidLL.
CollectVersion(t, k) == /\ LL!CollectVersion(t, k)

-----------------------------------------------------------------------------

\* Steps that a client takes if nothing keeps it from it.
ClientStep(t) ==
    \/ EndReadOnly(t) \/ RequestCommit(t) \/ WriteCommitEntry(t) \/ RemoveCommitEntry(t)
    \/ GetCommitEntry(t) \/ HealCommitCell(t) \/ InvalidatePending(t) \/ ReReadRecord(t) \/ RemoveFalseInvalidation(t)
    \/ RemoveIntent(t)
    \/ \E k \in Key : RetryPrewrite(t, k) \/ ReadOwnWrite(t, k) \/ GetRecord(t, k) \/ PostCommit(t, k) \/ CleanUp(t, k)

CollectorStep ==
    \/ RaiseWatermark
    \/ \E t \in Txn : CollectEntry(t)
    \/ \E t \in Txn, k \in Key :
        \/ HealLeftover(t, k) \/ InspectLeftover(t, k) \/ CleanLeftover(t, k)
        \/ CollectVersion(t, k) \/ CollectTombstone(t, k)

\* What applications do, and what arrives late.
Arrival ==
    \/ \E t \in Txn : Begin(t) \/ LateCommitEntry(t)
    \/ \E t \in Txn, k \in Key : LatePrewrite(t, k)
    \/ \E t \in Txn, k \in Key, content \in Contents :
        Prewrite(t, k, content) \/ MeetIntent(t, k, content) \/ RefusePrewrite(t, k, content)

\* What goes wrong; models bound how often.
Fault ==
    \/ \E t \in Txn : Rollback(t) \/ Crash(t) \/ LoseCommitAnswer(t) \/ LoseEntryAnswer(t)
    \/ \E t \in Txn, k \in Key, content \in Contents : DelayPrewrite(t, k, content)

Step == (\E t \in Txn : ClientStep(t)) \/ CollectorStep \/ Arrival

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

\* Nobody is aborted but for somebody who wrote after he began, for a younger transaction that he is in the way of, or because his
\* time was up. When it fails, a user who is alone in the world is aborted.
\* (Which key a refused prewrite was for, nothing tells.)
AbortsHaveReason ==
    \A t \in Txn :
        status[t] = "aborted" /\ faults = 0 =>
            \/ readTs[t] < watermark
            \/ IF commitTs[t] = NoTs
               THEN \E w \in Txn \ {t} : writes[w] # {} /\ (commitTs[w] > readTs[t] \/ readTs[w] > readTs[t])
               ELSE LL!WasRead(t)

\* A key has one intent at most, and it is on top of what is committed. When it fails, two transactions hold a key at once.
OneIntent ==
    \A k \in Key : \A a \in stored[k], b \in stored[k] :
        commitCell[k][a] = NoTs /\ a # b => commitCell[k][b] # NoTs /\ commitCell[k][b] < readTs[a]

\* Every commit of a live client ends. When it fails, an application hangs.
CommitEnds == LL!CommitEnds

\* Every read of a live client ends, also those that prewrites start.
ReadEnds == LL!ReadEnds

\* An intent that somebody has met does not stay. When it fails, a client that died with it keeps all others from writing
\* the key until the collector comes.
IntentsResolve ==
    \A t \in Txn, w \in Txn, k \in Key :
        cursor[t].step = "entry" /\ cursor[t].met = w /\ cursor[t].key = k
            ~> status[t] # "active" \/ w \notin stored[k] \/ commitCell[k][w] # NoTs

\* Live clients go on. (That the collector does, and what follows from that, is the same as in OmidLL.)
Fairness == \A t \in Txn : WF_vars(ClientStep(t))

FairSpec == Spec /\ Fairness
=============================================================================
