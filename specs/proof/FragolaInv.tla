------------------------------ MODULE FragolaInv ------------------------------
(***************************************************************************)
(* An inductive invariant of Fragola. Much is as in OmidLLInv, with the    *)
(* leader's commit cell as the entry; docs/proof.md tells the rest as a    *)
(* story.                                                                  *)
(***************************************************************************)
EXTENDS Fragola

\* What is assumed of the constants; sets may have any number of elements, none included.
Constants == NoTxn \notin Txn /\ NoKey \notin Key

-----------------------------------------------------------------------------
(* Words *)

\* The leader of t is gone for good: there is neither a copy of its put on its way, nor somebody who would send one.
LeaderLost(t) ==
    /\ leader[t] # NoKey
    /\ ~LeaderStored(t)
    /\ <<leader[t], t>> \notin latePuts
    /\ leader[t] \notin unanswered[t] \/ status[t] # "active" \/ readTs[t] < watermark

\* x will never commit: its leader has the marker, or is gone for good, or nobody is left to write its commit timestamp there, or x waits
\* for the answer to a put that it may not send again.
NeverCommits(x) ==
    /\ x \notin committed
    /\ \/ leaderCell[x] = LL!Invalidated
       \/ LeaderLost(x)
       \/ status[x] \notin {"idle", "active", "certified", "unknown"} /\ x \notin lateEntries
       \/ status[x] = "active" /\ unanswered[x] # {} /\ readTs[x] < watermark

\* If x commits, its version of k is in t's snapshot.
Visible(x, k, t) == k \in writes[x] /\ commitTs[x] # NoTs /\ commitTs[x] < readTs[t]

\* t deletes k, and there is nothing left that its tombstone would hide: no value that may commit.
Superfluous(t, k) ==
    /\ k \in deletes[t]
    /\ \A w \in Txn :
        w \in stored[k] /\ k \in writes[w] /\ k \notin deletes[w] /\ commitTs[w] # NoTs /\ commitTs[w] < readTs[t] =>
            NeverCommits(w)

\* Nobody who may still read k needs t's version: there is a newer one, or there was, and it was a tombstone.
Hidden(t, k) ==
    \E w \in committed :
        /\ readTs[t] < readTs[w] /\ commitTs[w] < watermark
        /\ \/ w \in stored[k] /\ Cell[k][w] = commitTs[w]
           \/ Superfluous(w, k)

\* x's version of k is a superfluous tombstone, or below one, in t's snapshot.
Erased(x, k, t) ==
    \/ Superfluous(x, k)
    \/ \E w \in committed : Visible(w, k, t) /\ readTs[x] < readTs[w] /\ Superfluous(w, k)

\* Each record of t tells by itself that t has committed.
Healed(t) == \A k \in Key : t \in stored[k] => Cell[k][t] # NoTs

-----------------------------------------------------------------------------
(* Timestamps *)

\* The clock is ahead of all timestamps, and the watermark is at most one step ahead of it.
GivenByClock ==
    /\ watermark <= clock + 1 /\ lowWatermark <= clock
    /\ \A k \in Key : lastCommit[k] <= clock
    /\ \A t \in Txn : readTs[t] <= clock /\ commitTs[t] <= clock

\* Who has begun has a read timestamp.
BegunHasReadTs == \A t \in Txn : readTs[t] = NoTs <=> status[t] = "idle"

\* A commit timestamp is later than its transaction's read timestamp; all who may have committed hold one, and none who still writes.
CommitTsFollows ==
    \A t \in Txn :
        /\ commitTs[t] # NoTs => readTs[t] < commitTs[t]
        /\ status[t] \in {"idle", "active"} => commitTs[t] = NoTs
        /\ status[t] \in {"certified", "unknown", "committed", "unresolved"} => commitTs[t] # NoTs

\* No timestamp was given twice.
TimestampsUnique ==
    \A t \in Txn, u \in Txn :
        /\ t # u /\ readTs[t] = readTs[u] => readTs[t] = NoTs
        /\ t # u /\ commitTs[t] = commitTs[u] => commitTs[t] = NoTs
        /\ commitTs[t] = readTs[u] => commitTs[t] = NoTs

\* Who has not begun has done nothing.
IdleDidNothing ==
    \A t \in Txn : status[t] = "idle" => writes[t] = {} /\ reads[t] = {} /\ precedes[t] = {}

-----------------------------------------------------------------------------
(* Who has committed *)

\* The leader is one of the keys that were written, and there is one as soon as there is a write, or a commit.
LeaderWasWritten ==
    \A t \in Txn :
        /\ IF leader[t] = NoKey THEN writes[t] = {} ELSE leader[t] \in writes[t]
        /\ commitTs[t] # NoTs => leader[t] # NoKey

\* What the leader's commit cell holds is its transaction's commit timestamp, and means that it has committed.
LeaderTells ==
    \A t \in Txn : leaderCell[t] \in {NoTs, LL!Invalidated} \/ (leaderCell[t] = commitTs[t] /\ t \in committed)

\* So does a follower's commit cell.
FollowersTell ==
    \A t \in Txn, k \in Key :
        followerCell[k][t] # NoTs => followerCell[k][t] = commitTs[t] /\ t \in committed /\ k \in writes[t]

\* A commit that is on its way was sent by somebody who holds a commit timestamp; if he was told that he is aborted, it comes too late:
\* the marker is there, or the leader is gone for good.
LateEntriesSent ==
    \A t \in lateEntries :
        /\ commitTs[t] # NoTs
        /\ status[t] \notin {"idle", "active", "certified"}
        /\ status[t] = "aborted" => leaderCell[t] = LL!Invalidated \/ LeaderLost(t)

\* Who has committed held a commit timestamp, and was told nothing else.
CommittedCertified ==
    \A t \in committed : commitTs[t] # NoTs /\ status[t] \notin {"idle", "active", "certified", "aborted"}

\* A committed transaction's leader says so, until it is gone for good, which is below the watermark.
CommitAtLeader ==
    \A t \in committed :
        \/ LeaderStored(t) /\ leaderCell[t] = commitTs[t]
        \/ LeaderLost(t) /\ leaderCell[t] = NoTs /\ commitTs[t] < watermark

\* Who was told that he has committed has.
ToldCommitted ==
    \A t \in Txn :
        /\ status[t] = "committed" => t \in committed
        /\ status[t] = "closed" /\ writes[t] # {} => t \in committed

-----------------------------------------------------------------------------
(* Records *)

\* Whatever is on its way or in the store belongs to a write set.
RecordsWereWritten ==
    \A t \in Txn, k \in Key : t \in stored[k] \/ <<k, t>> \in latePuts \/ <<k, t>> \in inspected => k \in writes[t]

\* A committed transaction's record can be told from a pending one: by its leader, or by its commit cell.
CommitIsDurable ==
    \A t \in committed, k \in Key : t \in stored[k] => LeaderStored(t) \/ Cell[k][t] = commitTs[t]

\* The leader of whoever may still commit is there, or he waits for the answer to its put. So a missing leader is that of a committed
\* transaction, of one that never commits, or of one whose commit timestamp will be later than all snapshots by now.
LeaderIsThere ==
    \A t \in Txn :
        leader[t] # NoKey /\ (commitTs[t] # NoTs \/ status[t] = "active") =>
            LeaderStored(t) \/ t \in committed \/ NeverCommits(t) \/ (status[t] = "active" /\ leader[t] \in unanswered[t])

\* The record of whoever has a commit timestamp is there, unless nobody needs it.
CertifiedIsStored ==
    \A t \in Txn : \A k \in writes[t] :
        commitTs[t] # NoTs => t \in stored[k] \/ Superfluous(t, k) \/ Hidden(t, k) \/ NeverCommits(t)

\* The acknowledged record of whoever may still ask for one is there, unless nobody needs it.
ActiveIsStored ==
    \A t \in Txn : \A k \in writes[t] :
        status[t] = "active" =>
            t \in stored[k] \/ k \in unanswered[t] \/ Superfluous(t, k) \/ Hidden(t, k) \/ NeverCommits(t)

\* A put that arrives late brings back nothing that was collected, but for transactions that never commit.
LatePutsBringNothingBack ==
    \A t \in Txn, k \in Key : <<k, t>> \in latePuts =>
        /\ commitTs[t] # NoTs => t \in stored[k] \/ NeverCommits(t)
        /\ status[t] = "active" => t \in stored[k] \/ k \in unanswered[t] \/ NeverCommits(t)

\* What the collector examines is below the watermark, and never commits; or it has committed, and a second look tells.
InspectedIsSettled ==
    \A t \in Txn, k \in Key : <<k, t>> \in inspected =>
        readTs[t] < watermark /\ IF t \in committed THEN Healed(t) ELSE NeverCommits(t)

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

\* Whom the reader has passed never commits, or does not matter, since there was a tombstone.
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
            \/ commitTs[cursor[t].met] = NoTs

\* Nor does the record that the reader has met last, when it goes on.
LeftDoesNotMatter ==
    \A t \in Txn :
        cursor[t].step = "record" /\ LL!InTime(t) /\ Visible(cursor[t].met, cursor[t].key, t) =>
            NeverCommits(cursor[t].met) \/ Erased(cursor[t].met, cursor[t].key, t)

\* A reader that has found a marker or no leader looks again: whoever it met has its commit cells by now, or never commits, or is not
\* in the snapshot.
SecondLookTells ==
    \A t \in Txn :
        cursor[t].step = "reread" /\ Visible(cursor[t].met, cursor[t].key, t) =>
            IF cursor[t].met \in committed THEN Healed(cursor[t].met) ELSE NeverCommits(cursor[t].met)

\* A reader heals the committed only.
HealsCommitted == \A t \in Txn : cursor[t].step = "heal" => cursor[t].met \in committed

\* Nobody removes a marker here.
NobodyRepairs == \A t \in Txn : cursor[t].step # "repair"

\* Whose commit was answered before somebody began has an earlier timestamp.
AnsweredBefore ==
    \A b \in Txn : \A a \in precedes[b] : commitTs[a] < readTs[b] /\ status[a] \in {"committed", "closed"}

-----------------------------------------------------------------------------

\* What each step keeps, from wherever it holds, and so what holds in each state that can be reached. When it fails, what is proved
\* with it says nothing.
Inductive ==
    /\ TypeOK
    /\ GivenByClock /\ BegunHasReadTs /\ CommitTsFollows /\ TimestampsUnique /\ IdleDidNothing
    /\ LeaderWasWritten /\ LeaderTells /\ FollowersTell /\ LateEntriesSent /\ CommittedCertified /\ CommitAtLeader /\ ToldCommitted
    /\ RecordsWereWritten /\ CommitIsDurable /\ LeaderIsThere /\ CertifiedIsStored /\ ActiveIsStored
    /\ LatePutsBringNothingBack /\ InspectedIsSettled
    /\ ConflictsRemembered /\ CertifiedDoNotOverlap
    /\ ReadsAreOfSnapshot /\ ReadsAreNewest /\ NothingReadIsNothing
    /\ ReadIsOfActive /\ PassedDoesNotMatter /\ MetDoesNotMatter /\ LeftDoesNotMatter /\ SecondLookTells
    /\ HealsCommitted /\ NobodyRepairs /\ AnsweredBefore

(* What follows from the invariant, and helps to see that it is kept *)

\* Of two who hold commit timestamps and wrote the same key, one had its commit timestamp before the other began. So the
\* traversal, by read timestamps, and the snapshot, by commit timestamps, agree on what is newer.
VersionsInOrder ==
    \A x \in Txn, y \in Txn, k \in Key :
        k \in writes[x] /\ k \in writes[y] /\ commitTs[x] # NoTs /\ commitTs[y] # NoTs =>
            (readTs[x] < readTs[y] \/ commitTs[x] < commitTs[y] => commitTs[x] < readTs[y])

\* Those whose writes count have committed.
WritersCommitted == \A w \in Txn, k \in Key : w \in Writers(k) => w \in committed

\* No snapshot is older than the beginning, where the induction starts.
SnapshotsPositive == \A t \in Txn : 0 <= readTs[t]

Lemmas == VersionsInOrder /\ WritersCommitted /\ SnapshotsPositive

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

Consequences == SnapshotHasNewest /\ NewestWasRead

\* What is proved with it.
Promises == Snapshot /\ OwnWrites /\ FirstCommitterWins /\ NoDirtyRead /\ StrongSI /\ NoLostFollower /\ AnswersTrue
================================================================================
