-------------------------------- MODULE Fragola --------------------------------
(***************************************************************************)
(* Fragola (sections 3.2 and 3.3): Omid LL without commit table. The       *)
(* commit entry of a transaction is the commit cell of the first key that  *)
(* it writes, its leader; the records of all other keys, its followers,    *)
(* point to the leader.                                                    *)
(*                                                                         *)
(* To commit, a client writes its commit timestamp into the leader's       *)
(* commit cell by check-and-mutate, and copies it to the followers. There  *)
(* is no entry to remove after that, and with one key nothing to copy. A   *)
(* reader that meets a follower without commit cell looks at the leader;   *)
(* if that has no commit cell either, the reader writes the invalidation   *)
(* marker there.                                                           *)
(*                                                                         *)
(* What the paper leaves open is what a missing leader means. Puts are     *)
(* sent in parallel, so it may not have come yet: then the transaction has *)
(* no commit timestamp, and whatever it gets is later than the snapshot of *)
(* any reader by now. It may have been aborted and cleaned up, or lost     *)
(* with a server whose log did not have it, which the put of a leader need *)
(* not wait for: then the transaction never commits. Or it has committed,  *)
(* and its leader was overwritten and collected: then its followers have   *)
(* their commit cells. So a reader that finds no leader looks at its       *)
(* record again, passes over it if it is still without commit cell, and    *)
(* writes nothing: neither into the record, as the paper does, nor where   *)
(* the leader should be. A commit needs a leader that is stored and has no *)
(* marker, and the collector removes a leader only when no follower needs  *)
(* it.                                                                     *)
(*                                                                         *)
(* What is the same as in Omid LL is taken from there. It sees the         *)
(* leader's commit cell as the commit table's entry, and, if that is a     *)
(* timestamp, as the commit cell of the leader's key.                      *)
(*                                                                         *)
(* A comment that begins with "Guard" marks an operator whose removal must *)
(* violate a property: specs/mutants/Fragola has a mutant for each.        *)
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
    \* No key: what a client reads that reads nothing, and the leader of who has written nothing.
    \* @type: KEY;
    NoKey,
    \* What a write may store: a subset of {"value", "tombstone"}.
    \* @type: Set(Str);
    Contents

\* The leader of each transaction: the key it wrote first. Each of its records has it; NoKey before there is one.
\* Fragola sec. 3.3, Write  Lane: client
VARIABLE
    \* @type: TXN -> KEY;
    leader
TypeOKLeader == leader \in [Txn -> Key \cup {NoKey}]

\* The commit cell of each transaction's leader, which is its commit entry: a timestamp, the invalidation marker, or nothing.
\* A marker may be there without a value, when the leader was cleaned up.  Fragola fig. 1  Lane: CT
VARIABLE
    \* @type: TXN -> Int;
    leaderCell
TypeOKLeaderCell == DOMAIN leaderCell = Txn /\ \A t \in Txn : leaderCell[t] >= -1

\* The commit cells of followers.  Fragola fig. 1  Lane: key
VARIABLE
    \* @type: KEY -> (TXN -> Int);
    followerCell
TypeOKFollowerCell == followerCell \in [Key -> [Txn -> Nat]]

\* The variables of OmidLL, which mean the same. Nothing in the store knows the watermark.
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

\* The commit cell that a reader finds beside a record.
\* @type: KEY -> (TXN -> Int);
Cell ==
    [k \in Key |-> [t \in Txn |->
        IF k # leader[t] THEN followerCell[k][t] ELSE IF leaderCell[t] > 0 THEN leaderCell[t] ELSE 0]]

LL == INSTANCE OmidLL WITH commitTable <- leaderCell, commitCell <- Cell

NoTs == LL!NoTs

vars ==
    <<leader, leaderCell, followerCell, status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock,
      lastCommit, lowWatermark, stored, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults>>

TypeOK ==
    /\ TypeOKLeader /\ TypeOKLeaderCell /\ TypeOKFollowerCell
    /\ LL!TypeOKStatus /\ LL!TypeOKReadTs /\ LL!TypeOKCommitTs /\ LL!TypeOKWrites /\ LL!TypeOKDeletes
    /\ LL!TypeOKUnanswered /\ LL!TypeOKTodo /\ LL!TypeOKCursor /\ LL!TypeOKClock /\ LL!TypeOKLastCommit
    /\ LL!TypeOKLowWatermark /\ LL!TypeOKStored /\ LL!TypeOKWatermark /\ LL!TypeOKInspected /\ LL!TypeOKLatePuts /\ LL!TypeOKLateEntries
    /\ LL!TypeOKCommitted /\ LL!TypeOKReads /\ LL!TypeOKPrecedes /\ LL!TypeOKFaults

Init ==
    /\ leader = [t \in Txn |-> NoKey]
    /\ leaderCell = [t \in Txn |-> NoTs]
    /\ followerCell = [k \in Key |-> [t \in Txn |-> NoTs]]
    /\ LL!Init

cells == <<leader, leaderCell, followerCell>>

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
(* Write *)

\* Fragola sec. 3.3 does not say whether the leader must be stored before other puts are sent. It need not; where it is, mutant
\* StoresLeaderFirst, a transaction of several keys takes one round trip more.
LeaderFirst(t) == TRUE

\* Guard: a client whose time is up sends no put. Its followers may have been cleaned, for want of a leader.
SendsInTime(t) == LL!InTime(t)

\* The leader is the key that is written first.
\* @type: (TXN, KEY, Str) => Bool;
Leads(t, k, content) ==
    /\ MayWrite(t, k, content) /\ LeaderFirst(t)
    /\ SendsInTime(t)
    /\ leader' = [leader EXCEPT ![t] = IF @ = NoKey THEN k ELSE @]
    /\ UNCHANGED <<leaderCell, followerCell>>

\* As in OmidLL, with a pointer to the leader.  Fragola sec. 3.3, Write
Write(t, k, content) == Leads(t, k, content) /\ LL!Write(t, k, content)

\* As in OmidLL.
DelayPut(t, k, content) == MayFail /\ Leads(t, k, content) /\ LL!DelayPut(t, k, content)

\* As in OmidLL.
RetryPut(t, k) == SendsInTime(t) /\ UNCHANGED cells /\ LL!RetryPut(t, k)

\* The record of a transaction's leader is in the store.
LeaderStored(t) == leader[t] # NoKey /\ t \in stored[leader[t]]

\* Guard: only a put that is sent once is answered before the log of its server has it. A copy that arrives after the loss would bring
\* the leader back, and the transaction commit below snapshots of readers who have found nothing.
SentOnce(t) == <<leader[t], t>> \notin latePuts

\* Guard: leader and commit cell are in one region, so in one log, and what is written to the commit cell is answered when all before
\* it is in the log.
LogIsOne(t) == leaderCell[t] = NoTs

\* A server dies whose log does not have a leader yet. Followers are answered when they are in a log. In the implementation only the
\* put of a transaction with one key need not be.
LoseLeader(t) ==
    /\ MayFail
    /\ LeaderStored(t) /\ SentOnce(t) /\ LogIsOne(t)
    /\ stored' = [stored EXCEPT ![leader[t]] = @ \ {t}]
    /\ faults' = faults + 1
    /\ UNCHANGED <<leader, leaderCell, followerCell, status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock,
                   lastCommit, lowWatermark, watermark, inspected, latePuts, lateEntries, committed, reads, precedes>>

-----------------------------------------------------------------------------
(* Read: Fragola Alg. 3 *)

\* As in OmidLL.
ReadOwnWrite(t, k) == MayRead(t, k) /\ UNCHANGED cells /\ LL!ReadOwnWrite(t, k)

\* As in OmidLL.  Fragola Alg. 3, Read
GetRecord(t, k) == (cursor[t].step = "none" => MayRead(t, k)) /\ UNCHANGED cells /\ LL!GetRecord(t, k)

\* As in OmidLL: the leader is looked at.  Fragola Alg. 3, CheckLeader
\* A reader that has met the leader itself knows its commit cell. Equivalent: it looks again.
GetCommitEntry(t) == UNCHANGED cells /\ LL!GetCommitEntry(t)

\* As in OmidLL; a leader has its commit cell already.  Fragola Alg. 3, Read: "helping"
HealCommitCell(t) ==
    LET c == cursor[t]
    IN  /\ UNCHANGED <<leader, leaderCell>>
        /\ followerCell' = IF c.step # "heal" \/ c.key = leader[c.met] THEN followerCell
                           ELSE [followerCell EXCEPT ![c.key][c.met] = commitTs[c.met]]
        /\ LL!HealCommitCell(t)

\* Where the leader is missing, the marker could be written in its place, too; it is not needed: mutant MarksAbsence.
MarksAbsence == FALSE

\* What a leader's commit cell holds when somebody has tried to mark it.
CellAfterMarking(w) == IF LeaderStored(w) \/ MarksAbsence THEN LL!Invalidated ELSE leaderCell[w]

\* Guard (Fragola Alg. 3, check-and-mutate): the marker is written only where there is no timestamp.
InvalidatesOnlyPending(w) == leaderCell[w] <= NoTs

\* The transaction seems pending: the reader forces it to abort, if its leader is there.  Fragola Alg. 3, CheckLeader
InvalidatePending(t) ==
    LET c == cursor[t]
    IN  /\ c.step = "pending"
        /\ UNCHANGED <<leader, followerCell>>
        /\ IF InvalidatesOnlyPending(c.met)
           THEN /\ leaderCell' = [leaderCell EXCEPT ![c.met] = CellAfterMarking(c.met)]
                /\ LL!GoOn(t, c.key, c.met, "reread")
           ELSE /\ UNCHANGED leaderCell
                /\ LL!Decide(t, c.key, c.met, leaderCell[c.met])
        /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, clock, lastCommit, lowWatermark, stored, watermark,
                       inspected, latePuts, lateEntries, committed, precedes, faults>>

\* Guard (not in Fragola): a commit cell that appeared in the meantime shows that the transaction has committed, and that its
\* leader was collected.
SawCommitCell(k, w) == LL!SawCommitCell(k, w)

\* Guard (erratum to Fragola Alg. 3, "helping", after "leader = nil: return abort"): a reader that finds no leader leaves the record
\* as it is. The leader may come, and the transaction commit.
RecordsAfterPassing(k, w) == stored[k]

\* The leader has a marker or is missing, and the reader looks at the record again.
ReReadRecord(t) ==
    LET c == cursor[t]
    IN  /\ c.step = "reread"
        /\ UNCHANGED cells
        /\ IF SawCommitCell(c.key, c.met)
           THEN /\ LL!Decide(t, c.key, c.met, commitTs[c.met])
                /\ UNCHANGED stored
           ELSE /\ LL!GoOn(t, c.key, c.met, "record")
                /\ stored' = [stored EXCEPT ![c.key] = IF LeaderStored(c.met) THEN @ ELSE RecordsAfterPassing(c.key, c.met)]
        /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, clock, lastCommit, lowWatermark, watermark,
                       inspected, latePuts, lateEntries, committed, precedes, faults>>

-----------------------------------------------------------------------------
(* Commit *)

\* As in OmidLL.  Fragola Alg. 2, Commit
RequestCommit(t) == UNCHANGED cells /\ LL!RequestCommit(t)

\* Guard (Fragola Alg. 3, check-and-mutate): the leader has neither marker nor timestamp.
NoEntryYet(t) == leaderCell[t] = NoTs

\* Guard (erratum to Fragola Alg. 3, Commit): the leader is there. Where it was removed there is no marker either, and a commit that
\* arrives late would go through.
CommitsAtLeader(t) == LeaderStored(t)

\* The leader takes the commit timestamp.
TakesEntry(t) == NoEntryYet(t) /\ CommitsAtLeader(t)

\* The store executes check-and-mutate(nil -> commitTs) of the leader's commit cell.
CreateEntry(t) ==
    IF TakesEntry(t)
    THEN /\ leaderCell' = [leaderCell EXCEPT ![t] = commitTs[t]]
         /\ committed' = committed \cup {t}
    ELSE UNCHANGED <<leaderCell, committed>>

\* Guard: a client that finds its own timestamp at its leader has committed.
IsOwnEntry(t) == leaderCell[t] = commitTs[t]

\* Guard: a client that finds no leader was aborted, or the leader was lost, if this was its first try. If an earlier one was not
\* answered, it may have committed, and its leader was collected since.
AbsenceDecides(t) == status[t] = "certified"

\* What the answer of the store tells the client.
Outcome(t) ==
    IF TakesEntry(t) \/ IsOwnEntry(t) THEN "committed"
    ELSE IF LeaderStored(t) \/ AbsenceDecides(t) THEN "aborted"
    ELSE "unresolved"

\* The client writes its leader's commit cell: if it succeeds, the transaction is committed.  Fragola Alg. 3, Commit
WriteCommitEntry(t) ==
    /\ LL!AwaitsEntry(t)
    /\ CreateEntry(t)
    /\ status' = [status EXCEPT ![t] = Outcome(t)]
    /\ todo' = [todo EXCEPT ![t] =
        CASE Outcome(t) = "committed" -> writes[t] \ {leader[t]}
          [] Outcome(t) = "aborted" -> writes[t]
          [] OTHER -> {}]
    /\ UNCHANGED <<leader, followerCell, readTs, commitTs, writes, deletes, unanswered, cursor, clock, lastCommit, lowWatermark, stored,
                   watermark, inspected, latePuts, lateEntries, reads, precedes, faults>>

\* As in OmidLL.
LoseEntryAnswer(t) == MayFail /\ UNCHANGED cells /\ LL!LoseEntryAnswer(t)

\* A client's write of its leader's commit cell arrives late; if it was sent again, for the second time.
LateCommitEntry(t) ==
    /\ t \in lateEntries
    /\ lateEntries' = lateEntries \ {t}
    /\ CreateEntry(t)
    /\ UNCHANGED <<leader, followerCell, status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock,
                   lastCommit, lowWatermark, stored, watermark, inspected, latePuts, reads, precedes, faults>>

\* As in OmidLL, for followers.  Fragola Alg. 3, post-commit
PostCommit(t, k) ==
    /\ UNCHANGED <<leader, leaderCell>>
    /\ followerCell' = [followerCell EXCEPT ![k][t] = commitTs[t]]
    /\ LL!PostCommit(t, k)

-----------------------------------------------------------------------------
(* Abort and death *)

\* Guard (erratum to Fragola Alg. 3, "remove"): the marker stays when the leader goes. A late copy of the leader's put would bring
\* it back without, and a commit that arrives late go through.
CellAfterCleanUp(t) == leaderCell[t]

\* The client of an aborted transaction removes one record.  Fragola Alg. 3, post-commit
CleanUp(t, k) ==
    /\ status[t] = "aborted" /\ k \in todo[t]
    /\ stored' = [stored EXCEPT ![k] = @ \ {t}]
    /\ todo' = [todo EXCEPT ![t] = @ \ {k}]
    /\ leaderCell' = IF k = leader[t] THEN [leaderCell EXCEPT ![t] = CellAfterCleanUp(t)] ELSE leaderCell
    /\ UNCHANGED <<leader, followerCell, status, readTs, commitTs, writes, deletes, unanswered, cursor, clock, lastCommit, lowWatermark,
                   watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults>>

-----------------------------------------------------------------------------
(* The collector *)

\* A dead client's committed follower gets its commit cell.
HealLeftover(t, k) ==
    /\ UNCHANGED <<leader, leaderCell>>
    /\ followerCell' = IF leaderCell[t] > NoTs THEN [followerCell EXCEPT ![k][t] = leaderCell[t]] ELSE followerCell
    /\ LL!HealLeftover(t, k)

\* Guard: before it cleans, the collector takes the right to commit, as a reader does: nothing else keeps a slow client from it.
CellAfterInspection(t) == CellAfterMarking(t)

\* The collector met a record without commit cell, some time ago, and now tries to mark its leader: that has no timestamp.
InspectLeftover(t, k) ==
    /\ t \in stored[k] /\ LL!MayInspect
    /\ LL!IsBelowWatermark(t)
    /\ leaderCell[t] \in {NoTs, LL!Invalidated}
    /\ leaderCell' = [leaderCell EXCEPT ![t] = CellAfterInspection(t)]
    /\ inspected' = inspected \cup {<<k, t>>}
    /\ UNCHANGED <<leader, followerCell, status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock,
                   lastCommit, lowWatermark, stored, watermark, latePuts, lateEntries, committed, reads, precedes, faults>>

\* Guard: the collector looks at the record again, as a reader does: it may have been healed, and its leader collected.
StillTentative(t, k) == Cell[k][t] = NoTs

\* The record of an aborted or dead transaction is removed; a leader's marker stays.
CleanLeftover(t, k) ==
    /\ <<k, t>> \in inspected
    /\ UNCHANGED cells
    /\ inspected' = LL!StillInspected(t, k)
    /\ stored' = IF StillTentative(t, k) THEN [stored EXCEPT ![k] = @ \ {t}] ELSE stored
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, watermark,
                   latePuts, lateEntries, committed, reads, precedes, faults>>

\* Guard: a marker goes only when its leader is gone: while that is there, it can commit.
LeaderGone(t) == ~LeaderStored(t)

\* Guard: no copy of the put is on its way. The implementation collects below watermarks only that are older than any message can
\* be.
NoPutInFlight(t, k) == LL!NoPutInFlight(t, k)

\* A marker is collected, whoever left it.
CollectEntry(t) ==
    /\ leaderCell[t] = LL!Invalidated
    /\ LL!IsBelowWatermark(t)
    /\ LeaderGone(t)
    /\ NoPutInFlight(t, leader[t])
    /\ leaderCell' = [leaderCell EXCEPT ![t] = NoTs]
    /\ UNCHANGED <<leader, followerCell, status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock,
                   lastCommit, lowWatermark, stored, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults>>

\* Guard (erratum to Fragola sec. 2.1, garbage collection): a committed leader goes after its followers, in whatever table they
\* are: a pass over all records has given each its commit cell.
FollowersHealed(t) ==
    leaderCell[t] > NoTs => \A k \in Key : t \in stored[k] => Cell[k][t] # NoTs

\* A record is collected, with its commit cell.
RemoveRecord(t, k) ==
    /\ stored' = [stored EXCEPT ![k] = @ \ {t}]
    /\ leaderCell' = IF k = leader[t] THEN [leaderCell EXCEPT ![t] = NoTs] ELSE leaderCell
    /\ followerCell' = [followerCell EXCEPT ![k][t] = NoTs]
    /\ UNCHANGED <<leader, status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, watermark,
                   inspected, latePuts, lateEntries, committed, reads, precedes, faults>>

\* An old version is collected.
CollectVersion(t, k) ==
    /\ t \in stored[k]
    /\ LL!IsSuperseded(t, k)
    /\ NoPutInFlight(t, k)
    /\ k = leader[t] => FollowersHealed(t)
    /\ RemoveRecord(t, k)

\* Guard: a leader that is a tombstone goes only when it is committed below the watermark. In OmidLL it may be young or tentative,
\* and the commit entry is elsewhere.
IsSettled(t, k) == k = leader[t] => leaderCell[t] > NoTs /\ leaderCell[t] < watermark

\* A tombstone is collected.
CollectTombstone(t, k) ==
    /\ t \in stored[k]
    /\ LL!IsTombstone(t, k)
    /\ LL!HidesNothing(t, k)
    /\ IsSettled(t, k)
    /\ NoPutInFlight(t, k)
    /\ k = leader[t] => FollowersHealed(t)
    /\ RemoveRecord(t, k)

-----------------------------------------------------------------------------
(* What is the same as in OmidLL *)

\* As in OmidLL.
Begin(t) == UNCHANGED cells /\ LL!Begin(t)
\* As in OmidLL.
LatePut(t, k) == UNCHANGED cells /\ LL!LatePut(t, k)
\* As in OmidLL.
EndReadOnly(t) == UNCHANGED cells /\ LL!EndReadOnly(t)
\* As in OmidLL.
Rollback(t) == MayFail /\ UNCHANGED cells /\ LL!Rollback(t)
\* As in OmidLL.
LoseCommitAnswer(t) == MayFail /\ UNCHANGED cells /\ LL!LoseCommitAnswer(t)
\* As in OmidLL.
Crash(t) == MayFail /\ UNCHANGED cells /\ LL!Crash(t)
\* As in OmidLL.
Evict(k) == MayFail /\ UNCHANGED cells /\ LL!Evict(k)
\* As in OmidLL.
RaiseWatermark == MayRaise /\ UNCHANGED cells /\ LL!RaiseWatermark

\* Guard (VLDB'18 sec. 3.2.1): the new TM knows none of the old one's commits, so it lets nobody commit who began before.
LowWatermarkOfNewTM == clock + 1

\* Another TM takes over, with an empty conflict table and a clock that no timestamp given has passed.  VLDB'18 sec. 3.2.1
\* One step; TMFailover.tla has the many. Whom the old one has certified may still commit: nothing at a leader knows of managers.
Failover ==
    /\ MayFail
    /\ clock' = clock + 1
    /\ lastCommit' = [k \in Key |-> NoTs]
    /\ lowWatermark' = LowWatermarkOfNewTM
    /\ faults' = faults + 1
    /\ UNCHANGED <<leader, leaderCell, followerCell, status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, stored,
                   watermark, inspected, latePuts, lateEntries, committed, reads, precedes>>

-----------------------------------------------------------------------------

\* Steps that a client takes if nothing keeps it from it.
ClientStep(t) ==
    \/ EndReadOnly(t) \/ RequestCommit(t) \/ WriteCommitEntry(t)
    \/ GetCommitEntry(t) \/ HealCommitCell(t) \/ InvalidatePending(t) \/ ReReadRecord(t)
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
    \/ \E t \in Txn : Rollback(t) \/ Crash(t) \/ LoseCommitAnswer(t) \/ LoseEntryAnswer(t) \/ LoseLeader(t)
    \/ \E t \in Txn, k \in Key, content \in Contents : DelayPut(t, k, content)
    \/ \E k \in Key : Evict(k)
    \/ Failover

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

\* A committed record is there until it is collected, and while it has no commit cell, its leader has. Nothing but tombstones that are
\* followers is collected before the watermark goes up. When it fails, half of a transaction is lost.
NoLostFollower ==
    \A t \in committed : \A k \in writes[t] :
        /\ watermark = 0 => t \in stored[k] \/ (k \in deletes[t] /\ k # leader[t])
        /\ t \in stored[k] /\ Cell[k][t] = NoTs => LeaderStored(t) /\ leaderCell[t] = commitTs[t]

\* What a client was told is what happened. When it fails, an application retries what was done, or believes in what
\* was not.
AnswersTrue == LL!AnswersTrue

\* Nobody is aborted but for a conflict, for a reader who could not wait, or because his time was up; and nobody is left without
\* an answer unless the watermark has passed him, or both his leader and an answer were lost. When it fails, a user who is alone in the
\* world is aborted.
AbortsHaveReason ==
    \A t \in Txn :
        /\ LL!AbortHasReason(t)
        /\ status[t] = "unresolved" => readTs[t] < watermark \/ (faults > 1 /\ t \notin committed)

\* Every commit of a live client ends. When it fails, an application hangs.
CommitEnds == LL!CommitEnds

\* Every read of a live client ends.
ReadEnds == LL!ReadEnds

\* What dead clients leave is healed or cleaned in the end, although nobody reads it. When it fails, every reader of the key pays for
\* ever.
LeftoversVanish == LL!LeftoversVanish

\* The watermark goes up only as far as live readers allow, as in OmidLL.
PassesNobody == LL!PassesNobody

\* Live clients and the collector go on, as in OmidLL.
Fairness ==
    /\ \A t \in Txn : WF_vars(ClientStep(t)) /\ WF_vars(CollectEntry(t))
    /\ \A t \in Txn : WF_vars(cursor[t].step = "record" /\ ~LL!InTime(t) /\ Rollback(t))
    /\ WF_vars(RaiseWatermark /\ PassesNobody)
    /\ \A t \in Txn, k \in Key :
        WF_vars(HealLeftover(t, k)) /\ SF_vars(InspectLeftover(t, k)) /\ WF_vars(CleanLeftover(t, k))

FairSpec == Spec /\ Fairness
=============================================================================
