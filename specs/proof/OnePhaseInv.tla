------------------------------ MODULE OnePhaseInv ------------------------------
(***************************************************************************)
(* An inductive invariant of one-phase commit in a table without fast      *)
(* path. Much of it is that of OmidLLInv.tla, for what goes the long way;  *)
(* docs/proof.md tells the rest as a story.                                *)
(***************************************************************************)
EXTENDS OnePhase

\* What is assumed of the constants; sets may have any number of elements, none included. A region is on one server.
\* @beyond: FastWriteDuringBatch, BatchDuringFastWrite, StoresOverNewerVersion; that is, mutants of which nothing is to be seen without fast path.
Constants ==
    /\ NoTxn \notin Txn /\ NoKey \notin Key
    /\ Fast = {}
    /\ 0 < Span
    /\ FirstHost \in [Key -> Server]
    /\ \A r \in Region : \A k \in r, l \in r : FirstHost[k] = FirstHost[l]
    /\ \A r \in Region, s \in Region, k \in Key : k \in r /\ k \in s => r = s

\* In examples all keys are on one server at first, and each is a region.
AllOnOne == [k \in Key |-> CHOOSE s \in Server : TRUE]
EachByItself == {{k} : k \in Key}

-----------------------------------------------------------------------------
(* Words *)

\* x has a batch, or has had one that was stored.
IsShort(x) == way[x] \in {"ready", "held", "lost", "stored"}

\* x writes as in OmidLL, or has not written yet. (GoesLongWay says the same, and is a guard, which a mutant replaces.)
IsLong(x) == way[x] = "none" \/ PutsBuffered(x)

\* x is put in k beside its certification.
PutUnderWay(x, k) == AsksMeanwhile(x) /\ k \in unanswered[x]

\* x may commit at its commit timestamp. Who was refused, or passed, is active again, and will have another one.
Certified(x) == commitTs[x] # NoTs /\ (status[x] = "active" => way[x] = "beside")

\* No batch is stored in row k at this timestamp, by somebody who began at that one, as long as the server has the row, and knows the time.
RowPassed(k, began, ts) == k \in bootstrapped => ts <= rowClock[k] \/ began <= collected[k]

\* No server takes x's batch any more.
ClockPassed(x) == \E k \in writes[x] : RowPassed(k, readTs[x], batchTs[x])

\* x will never commit at the commit timestamp that it has. Its entry would meet a marker, or the watermark, or nobody is left to
\* create it; its batch is refused, or nobody is left to send it.
NeverCommits(x) ==
    /\ x \notin committed
    /\ IF IsShort(x)
       THEN /\ way[x] # "held"
            /\ \/ ClockPassed(x)
               \/ status[x] # "certified" /\ x \notin lateBatches
       ELSE \/ commitTable[x] = LL!Invalidated
            \/ readTs[x] < watermark
            \/ status[x] \notin {"idle", "active", "certified", "unknown"} /\ x \notin lateEntries

\* If x commits, its version of k is in t's snapshot. While it is put yet, that is open: its client will learn of whoever has looked.
Visible(x, k, t) == k \in writes[x] /\ Certified(x) /\ commitTs[x] < readTs[t] /\ ~PutUnderWay(x, k)

\* t deleted k below the watermark, and there is nothing that its tombstone would hide: no value that may commit is stored, or in a
\* batch. So a reader who misses the tombstone misses nothing.
Superfluous(t, k) ==
    /\ t \in committed /\ k \in deletes[t] /\ commitTs[t] < watermark
    /\ \A w \in Txn :
        /\ w \in stored[k] \/ way[w] \in {"ready", "held", "lost"}
        /\ k \in writes[w] /\ k \notin deletes[w] /\ Certified(w) /\ commitTs[w] < readTs[t]
        => NeverCommits(w)

\* Nobody who may still read k needs t's version: there is a newer one, or there was, and it was a tombstone.
Hidden(t, k) ==
    \E w \in committed :
        /\ readTs[t] < readTs[w] /\ commitTs[w] < watermark
        /\ \/ w \in stored[k] /\ commitCell[k][w] = commitTs[w]
           \/ Superfluous(w, k)

\* x's version of k is a superfluous tombstone, or below one, in t's snapshot.
Erased(x, k, t) ==
    \/ Superfluous(x, k)
    \/ \E w \in committed : Visible(w, k, t) /\ readTs[x] < readTs[w] /\ Superfluous(w, k)

\* Each record of t that matters tells by itself that t has committed.
Healed(t) == \A k \in Key : t \in stored[k] => commitCell[k][t] # NoTs \/ Superfluous(t, k)

\* t may look at the records of k, or has looked and is not done.
Looks(t, k) ==
    \/ gate[t].step = "admitted" /\ gate[t].key = k
    \/ cursor[t].step # "none" /\ cursor[t].key = k

-----------------------------------------------------------------------------
(* Timestamps *)

\* The clock is ahead of all timestamps, and both watermarks are at most one step ahead of it.
GivenByClock ==
    /\ watermark <= clock + 1 /\ lowWatermark <= clock
    /\ \A k \in Key : lastCommit[k] <= clock
    /\ \A t \in Txn : readTs[t] <= clock /\ commitTs[t] <= clock /\ batchTs[t] <= clock

\* Who has begun has a read timestamp.
BegunHasReadTs == \A t \in Txn : readTs[t] = NoTs <=> status[t] = "idle"

\* A commit timestamp is of somebody who has written something, and no earlier than his read timestamp; all who may have committed
\* hold one. Who still writes has none but that of a batch that was refused, or one that he asked for
\* beside.
CommitTsFollows ==
    \A t \in Txn :
        /\ commitTs[t] # NoTs => readTs[t] <= commitTs[t] /\ writes[t] # {}
        /\ status[t] = "idle" => commitTs[t] = NoTs
        /\ status[t] = "active" => commitTs[t] = batchTs[t] \/ way[t] \in {"long", "beside"}
        /\ status[t] \in {"certified", "unknown", "committed", "unresolved"} => commitTs[t] # NoTs

\* No timestamp was given to two.
TimestampsUnique ==
    \A t \in Txn, u \in Txn : t # u =>
        /\ readTs[t] = readTs[u] => readTs[t] = NoTs
        /\ commitTs[t] = commitTs[u] => commitTs[t] = NoTs
        /\ commitTs[t] = readTs[u] => commitTs[t] = NoTs

\* Who has not begun has done nothing.
IdleDidNothing ==
    \A t \in Txn : status[t] = "idle" =>
        writes[t] = {} /\ reads[t] = {} /\ precedes[t] = {} /\ way[t] = "none" /\ t \notin lateEntries

-----------------------------------------------------------------------------
(* The short way *)

\* A batch has its transaction's commit timestamp, and who has not asked for one has none. Each writes something.
BatchTsFollows ==
    \A t \in Txn :
        /\ way[t] \in {"none", "buffer", "beside", "doubted"} => batchTs[t] = NoTs
        /\ IsShort(t) => batchTs[t] = commitTs[t] /\ batchTs[t] # NoTs
        /\ way[t] \notin {"none", "long"} => writes[t] # {}
        /\ ~IsLong(t) => unanswered[t] = {}
        /\ t \in lateBatches => batchTs[t] # NoTs

\* How far a transaction's client can be on each part of the way.
WayAndStatus ==
    \A t \in Txn :
        /\ way[t] = "buffer" => status[t] \in {"active", "aborted", "dead"}
        /\ way[t] = "ready" => status[t] \in {"certified", "unknown", "unresolved", "aborted", "dead"}
        /\ way[t] \in {"held", "lost"} => status[t] \in {"certified", "unknown", "unresolved", "dead"}
        /\ way[t] = "stored" => status[t] \in {"unknown", "unresolved", "closed", "dead"}
        /\ way[t] = "beside" => status[t] # "idle" /\ (status[t] \notin {"active", "aborted"} => unanswered[t] = {})
        /\ way[t] = "doubted" => status[t] \in {"active", "aborted", "dead"} /\ commitTs[t] = NoTs

\* Who was certified, or aborted, before his batch was sent has sent no other copy.
SentOnce == \A t \in lateBatches : way[t] = "ready" => status[t] \notin {"certified", "aborted"}

\* A batch lies in one region.
BatchInOneRegion == \A t \in Txn : batchTs[t] # NoTs => InOneRegion(t)

\* All keys of a region are on one server.
RegionsTogether == \A r \in Region : \A k \in r, l \in r : k \in Key /\ l \in Key => host[k] = host[l]

\* Nothing of a batch can be seen before it is stored; and that is the commit.
StoredIsCommitted ==
    \A t \in Txn :
        /\ way[t] = "stored" => t \in committed
        /\ way[t] \in {"buffer", "ready", "held", "lost"} => t \notin committed /\ \A k \in Key : t \notin stored[k]

\* Who goes the short way has neither a commit-table entry nor a marker, and puts nothing else; where nothing was written is no marker.
NothingLong ==
    \A t \in Txn :
        /\ ~IsLong(t) =>
            /\ commitTable[t] = NoTs /\ t \notin lateEntries
            /\ \A k \in Key : <<k, t>> \notin latePuts
        /\ writes[t] = {} => commitTable[t] = NoTs
        /\ \A k \in Key : <<k, t>> \in latePuts => IsLong(t)

\* A batch that was accepted, or that its client takes for refused, is taken by no server a second time.
TakenOnce == \A t \in Txn : batchTs[t] # NoTs => way[t] = "ready" \/ ClockPassed(t)

\* No batch of so early a timestamp is stored in the row any more, and no write of the fast path.
Passed(k, ts) == ts <= rowClock[k] \/ ts <= collected[k]
Reached(k, ts) == Passed(k, ts) /\ ts <= lvc[host[k]]

\* While a batch is being stored, its server knows the time, and the clocks have reached the batch.
HeldIsReached == \A t \in Txn : \A k \in writes[t] : way[t] = "held" => k \in bootstrapped /\ Reached(k, batchTs[t])

\* The clock of a row has reached whoever has committed there, unless his record waits for its commit cell, and has the entry meanwhile.
ClockReachesCommits ==
    \A t \in committed, k \in bootstrapped :
        k \in writes[t] =>
            \/ Passed(k, commitTs[t])
            \/ /\ t \in stored[k] /\ commitCell[k][t] = NoTs /\ commitTable[t] = commitTs[t]
               /\ status[t] = "committed" => k \in todo[t]

\* Where a reader sees no entry, the clock has reached the commit for good, even if a late copy of the entry comes yet.
ClockReachesMissed ==
    \A t \in Txn, k \in bootstrapped :
        cursor[t].step \in {"reread", "repair"} /\ cursor[t].met \in committed /\ k \in writes[cursor[t].met] =>
            Passed(k, commitTs[cursor[t].met])

\* A batch has the locks of its rows.
BatchesExclude == \A b \in Txn, c \in Txn, k \in Key : BatchHolds(b, k) /\ BatchHolds(c, k) => b = c

\* While a batch is being stored, what was committed later in its rows is there, and cannot be told from a pending record.
HeldNotOvertaken ==
    \A b \in Txn, t \in committed, k \in Key :
        BatchHolds(b, k) /\ k \in writes[t] /\ commitTs[b] < readTs[t] => t \in stored[k] /\ commitCell[k][t] = NoTs

\* On a server that knows the time the clocks have reached all snapshots in which a row was looked at, or will be.
ClockReachesReaders ==
    \A t \in Txn, k \in bootstrapped :
        (gate[t].step # "none" /\ gate[t].key = k) \/ (cursor[t].step # "none" /\ cursor[t].key = k) => Reached(k, readTs[t])

\* And all in which it was.
ClockReachesReads ==
    \A t \in Txn : \A r \in reads[t] : ~r.own /\ r.key \in bootstrapped => Passed(r.key, readTs[t])

\* A read that waits or has waited is of an active transaction, which has not written the key.
GateIsOfActive ==
    \A t \in Txn : gate[t].step # "none" =>
        status[t] = "active" /\ cursor[t].step = "none" /\ gate[t].key \in Key /\ gate[t].key \notin writes[t]

\* A batch in the snapshot of somebody who looks is stored, or never will be.
NoBatchBehindReader ==
    \A t \in Txn, x \in Txn, k \in Key :
        Looks(t, k) /\ Visible(x, k, t) /\ way[x] \in {"ready", "held", "lost"} => NeverCommits(x)

-----------------------------------------------------------------------------
(* Who has committed *)

\* An entry is its transaction's commit timestamp, and means that it has committed.
EntriesTell ==
    \A t \in Txn : commitTable[t] \in {NoTs, LL!Invalidated} \/ (commitTable[t] = commitTs[t] /\ t \in committed)

\* So does a commit cell.
CommitCellsTell ==
    \A t \in Txn, k \in Key :
        commitCell[k][t] # NoTs => commitCell[k][t] = commitTs[t] /\ t \in committed /\ k \in writes[t]

\* A commit-table write that is on its way was sent by somebody who holds a commit timestamp; if he was told that he is aborted, it
\* comes too late.
LateEntriesSent ==
    \A t \in lateEntries :
        /\ commitTs[t] # NoTs
        /\ status[t] \notin {"idle", "active", "certified"}
        /\ status[t] = "aborted" => commitTable[t] = LL!Invalidated \/ readTs[t] < watermark

\* Who has committed held a commit timestamp, and was told nothing else.
CommittedCertified ==
    \A t \in committed : commitTs[t] # NoTs /\ status[t] \notin {"idle", "active", "certified", "aborted"}

\* As long as its client may ask, who has committed the long way has its entry, or its client takes no refusal for an answer.
EntryWhileAsked ==
    \A t \in committed :
        ~IsShort(t) /\ status[t] # "closed" => commitTable[t] = commitTs[t] \/ (commitTable[t] = NoTs /\ readTs[t] < watermark)

\* Who was told that he has committed has.
ToldCommitted ==
    \A t \in Txn :
        /\ status[t] = "committed" => t \in committed
        /\ status[t] = "closed" /\ writes[t] # {} => t \in committed

-----------------------------------------------------------------------------
(* Records *)

\* A committed transaction's record can be told from a pending one: by the entry, or by its commit cell.
CommitIsDurable ==
    \A t \in committed, k \in Key :
        t \in stored[k] => commitTable[t] = commitTs[t] \/ commitCell[k][t] = commitTs[t] \/ Superfluous(t, k)

\* A client has still to write the commit cells that are missing.
PostCommitRemembers ==
    \A t \in Txn, k \in Key :
        status[t] = "committed" /\ t \in stored[k] => k \in todo[t] \/ commitCell[k][t] = commitTs[t] \/ Superfluous(t, k)

\* Whatever is on its way or in the store belongs to a write set.
RecordsWereWritten ==
    \A t \in Txn, k \in Key : t \in stored[k] \/ <<k, t>> \in latePuts \/ <<k, t>> \in inspected => k \in writes[t]

\* The record of whoever has a commit timestamp is there, unless nobody needs it, or it is in a batch that is not stored.
CertifiedIsStored ==
    \A t \in Txn : \A k \in writes[t] :
        Certified(t) /\ way[t] \notin {"ready", "held", "lost"} /\ ~PutUnderWay(t, k) =>
            t \in stored[k] \/ Superfluous(t, k) \/ Hidden(t, k) \/ NeverCommits(t)

\* The acknowledged record of whoever may still ask for one is there, unless nobody needs it.
ActiveIsStored ==
    \A t \in Txn : \A k \in writes[t] :
        status[t] = "active" /\ way[t] # "buffer" =>
            t \in stored[k] \/ k \in unanswered[t] \/ Superfluous(t, k) \/ Hidden(t, k) \/ readTs[t] < watermark

\* A put that arrives late brings back nothing that was collected, but for transactions that never commit.
LatePutsBringNothingBack ==
    \A t \in Txn, k \in Key : <<k, t>> \in latePuts =>
        /\ Certified(t) => t \in stored[k] \/ Superfluous(t, k) \/ NeverCommits(t) \/ PutUnderWay(t, k)
        /\ status[t] = "active" => t \in stored[k] \/ k \in unanswered[t] \/ Superfluous(t, k) \/ readTs[t] < watermark

\* What the collector examines is below the watermark; if it has committed, a second look tells.
InspectedIsSettled ==
    \A t \in Txn, k \in Key : <<k, t>> \in inspected => readTs[t] < watermark /\ (t \in committed => Healed(t) /\ commitTable[t] # commitTs[t])

-----------------------------------------------------------------------------
(* Conflicts *)

\* The conflict table knows the last commit timestamp of each key, or the low watermark has passed it.
ConflictsRemembered ==
    \A t \in Txn : \A k \in writes[t] : commitTs[t] <= lastCommit[k] \/ commitTs[t] <= lowWatermark

\* First-committer-wins for all who hold a commit timestamp, whether or not they have committed.
CertifiedDoNotOverlap ==
    \A a \in Txn, b \in Txn, k \in Key :
        a # b /\ commitTs[a] # NoTs /\ commitTs[b] # NoTs /\ k \in writes[a] /\ k \in writes[b] =>
            commitTs[a] < readTs[b] \/ commitTs[b] < readTs[a]

-----------------------------------------------------------------------------
(* Reads *)

\* A read returned the transaction's own write, or a committed value of its snapshot, or nothing.
ReadsAreOfSnapshot ==
    \A t \in Txn : \A r \in reads[t] :
        IF r.own THEN r.key \in writes[t] /\ r.from = LL!Value(t, r.key)
        ELSE r.from # NoTxn =>
            r.from \in Txn /\ r.from \in committed /\ Visible(r.from, r.key, t) /\ r.key \notin deletes[r.from]

\* What is in the snapshot and newer than the value that was read never commits.
ReadsAreNewest ==
    \A t \in Txn : \A r \in reads[t] : \A x \in Txn :
        ~r.own /\ r.from # NoTxn /\ Visible(x, r.key, t) /\ commitTs[r.from] < commitTs[x] => NeverCommits(x)

\* Where nothing was read, each value in the snapshot was deleted, or never commits.
NothingReadIsNothing ==
    \A t \in Txn : \A r \in reads[t] : \A x \in Txn :
        ~r.own /\ r.from = NoTxn /\ Visible(x, r.key, t) /\ r.key \notin deletes[x] =>
            \/ NeverCommits(x)
            \/ \E w \in committed : Visible(w, r.key, t) /\ r.key \in deletes[w] /\ commitTs[x] < commitTs[w]

\* A read in progress is of an active transaction, and has met a record.
ReadIsOfActive ==
    \A t \in Txn : cursor[t].step # "none" =>
        /\ status[t] = "active"
        /\ cursor[t].key \in Key /\ cursor[t].met \in Txn
        /\ cursor[t].key \notin writes[t]
        /\ cursor[t].key \in writes[cursor[t].met]
        /\ readTs[cursor[t].met] <= readTs[t]

\* Nobody asks the commit table for what went the short way.
AskedGoTheLongWay ==
    \A t \in Txn : cursor[t].step \notin {"none", "record"} => IsLong(cursor[t].met)

\* A batch's record tells by itself.
BatchesHaveCells == \A t \in Txn, k \in Key : way[t] = "stored" /\ t \in stored[k] => commitCell[k][t] = commitTs[t]

\* Whom the reader has passed never commits, or does not matter, since there was a tombstone.
\* @by: GivenByClock, BegunHasReadTs, TimestampsUnique, CommitTsFollows, StoredIsCommitted, CommitCellsTell, CommittedCertified, LateEntriesSent,
\*   RecordsWereWritten, CertifiedIsStored, GateIsOfActive, NoBatchBehindReader, ReadIsOfActive, LeftDoesNotMatter, MetDoesNotMatter;
PassedDoesNotMatter ==
    \A t \in Txn, x \in Txn :
        cursor[t].step # "none" /\ Visible(x, cursor[t].key, t) /\ readTs[cursor[t].met] < readTs[x] =>
            NeverCommits(x) \/ Erased(x, cursor[t].key, t)

\* In the second case the record that the reader has met is no value that may commit, either.
MetDoesNotMatter ==
    \A t \in Txn, x \in Txn :
        cursor[t].step # "none" /\ Visible(x, cursor[t].key, t) /\ readTs[cursor[t].met] < readTs[x] =>
            \/ NeverCommits(x)
            \/ cursor[t].key \in deletes[cursor[t].met]
            \/ NeverCommits(cursor[t].met)
            \/ ~Certified(cursor[t].met)

\* Nor does the record that the reader has met last, when it goes on.
LeftDoesNotMatter ==
    \A t \in Txn :
        cursor[t].step = "record" /\ LL!InTime(t) /\ Visible(cursor[t].met, cursor[t].key, t) =>
            NeverCommits(cursor[t].met) \/ Erased(cursor[t].met, cursor[t].key, t)

\* A reader heals the committed only.
HealsCommitted == \A t \in Txn : cursor[t].step = "heal" => cursor[t].met \in committed

\* A reader that has seen no entry looks again: whoever it met has its commit cells by now, or never commits.
SecondLookTells ==
    \A t \in Txn :
        /\ cursor[t].step = "reread" => cursor[t].met \in committed \/ NeverCommits(cursor[t].met)
        /\ cursor[t].step = "repair" => cursor[t].met \in committed
        /\ cursor[t].step \in {"reread", "repair"} /\ cursor[t].met \in committed =>
            /\ Healed(cursor[t].met)
            /\ \/ status[cursor[t].met] = "closed"
               \/ readTs[cursor[t].met] < watermark /\ commitTable[cursor[t].met] = NoTs

\* Whose commit was answered before somebody began has an earlier timestamp.
AnsweredBefore ==
    \A b \in Txn : \A a \in precedes[b] : commitTs[a] < readTs[b] /\ status[a] \in {"committed", "closed"}

-----------------------------------------------------------------------------

\* What each step keeps, from wherever it holds, and so what holds in each state that can be reached. When it fails, what is proved
\* with it says nothing.
Inductive ==
    /\ TypeOK
    /\ GivenByClock /\ BegunHasReadTs /\ CommitTsFollows /\ TimestampsUnique /\ IdleDidNothing
    /\ BatchTsFollows /\ WayAndStatus /\ SentOnce /\ BatchInOneRegion /\ RegionsTogether /\ StoredIsCommitted /\ NothingLong
    /\ TakenOnce /\ HeldIsReached /\ ClockReachesCommits /\ ClockReachesMissed /\ BatchesExclude /\ HeldNotOvertaken
    /\ ClockReachesReaders /\ ClockReachesReads /\ GateIsOfActive /\ NoBatchBehindReader
    /\ EntriesTell /\ CommitCellsTell /\ LateEntriesSent /\ CommittedCertified /\ EntryWhileAsked /\ ToldCommitted
    /\ CommitIsDurable /\ PostCommitRemembers /\ RecordsWereWritten /\ CertifiedIsStored /\ ActiveIsStored
    /\ LatePutsBringNothingBack /\ InspectedIsSettled
    /\ ConflictsRemembered /\ CertifiedDoNotOverlap
    /\ ReadsAreOfSnapshot /\ ReadsAreNewest /\ NothingReadIsNothing
    /\ ReadIsOfActive /\ AskedGoTheLongWay /\ BatchesHaveCells
    /\ PassedDoesNotMatter /\ MetDoesNotMatter /\ LeftDoesNotMatter /\ HealsCommitted
    /\ SecondLookTells /\ AnsweredBefore
    /\ ClockBounded /\ ClockCovers

(* What follows from the invariant, and helps to see that it is kept *)

\* Of two who hold commit timestamps and wrote the same key, one had its commit timestamp before the other began. So the
\* traversal, by read timestamps, and the snapshot, by commit timestamps, agree on what is newer.
VersionsInOrder ==
    \A x \in Txn, y \in Txn, k \in Key :
        k \in writes[x] /\ k \in writes[y] /\ commitTs[x] # NoTs /\ commitTs[y] # NoTs =>
            (readTs[x] < readTs[y] \/ commitTs[x] < commitTs[y] => commitTs[x] < readTs[y])

\* A batch lies on one server.
BatchOnOneServer == \A t \in Txn : batchTs[t] # NoTs => \A k \in writes[t], l \in writes[t] : host[k] = host[l]

\* Timestamps are numbers of which something can be proved by induction.
TimestampsPositive == \A t \in Txn : 0 <= readTs[t] /\ 0 <= commitTs[t]

\* Those whose writes count have committed.
WritersCommitted == \A w \in Txn, k \in Key : w \in Writers(k) => w \in committed

Lemmas == VersionsInOrder /\ BatchOnOneServer /\ TimestampsPositive /\ WritersCommitted

\* Of the committed versions that are older than n, one is the newest. By induction on n.
ByInduction(n) ==
    \A k \in Key :
        LET before == {w \in committed : k \in writes[w] /\ commitTs[w] < n}
        IN  before = {} \/ \E w \in before : \A x \in before : commitTs[x] <= commitTs[w]

\* So is there a newest version in each snapshot.
SnapshotHasNewest ==
    \A t \in Txn, k \in Key :
        LET before == {w \in committed : k \in writes[w] /\ commitTs[w] < readTs[t]}
        IN  before = {} \/ \E w \in before : \A x \in before : commitTs[x] <= commitTs[w]

\* The newest version of a snapshot is what was read.
NewestWasRead ==
    \A t \in Txn : \A r \in reads[t] : \A c \in Writers(r.key) :
        ~r.own /\ commitTs[c] < readTs[t] /\ (\A x \in Writers(r.key) : commitTs[x] < readTs[t] => commitTs[x] <= commitTs[c]) =>
            r.from = LL!Value(c, r.key)

\* Whose value was read is in the snapshot.
ReadIsInSnapshot ==
    \A t \in Txn : \A r \in reads[t] :
        /\ r.key \in Key
        /\ ~r.own /\ r.from # NoTxn => r.from \in Writers(r.key) /\ commitTs[r.from] < readTs[t]

Consequences == SnapshotHasNewest /\ NewestWasRead /\ ReadIsInSnapshot

\* What is proved with it.
Promises ==
    /\ Snapshot /\ OwnWrites /\ FirstCommitterWins /\ NoDirtyRead /\ StrongSI /\ SameKeyOrder /\ NoTies /\ AnswersTrue
    /\ ShortNeverTentative /\ ClockBounded /\ ClockCovers
================================================================================
