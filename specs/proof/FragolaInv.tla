------------------------------ MODULE FragolaInv ------------------------------
(***************************************************************************)
(* An inductive invariant of Fragola, for all that it promises but one     *)
(* thing: that a read returns the newest value of its snapshot (Snapshot)  *)
(* does not follow. docs/proof.md says what is missing.                    *)
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

\* If x commits, its version of k is in t's snapshot.
Visible(x, k, t) == k \in writes[x] /\ commitTs[x] # NoTs /\ commitTs[x] < readTs[t]

-----------------------------------------------------------------------------
(* Timestamps *)

\* The clock is ahead of all timestamps, and the watermark is at most one step ahead of it.
GivenByClock ==
    /\ watermark <= clock + 1
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

\* A committed transaction's leader says so, until it is gone for good.
CommitAtLeader ==
    \A t \in committed : leaderCell[t] = commitTs[t] \/ (LeaderLost(t) /\ leaderCell[t] = NoTs)

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

-----------------------------------------------------------------------------
(* Conflicts *)

\* The conflict table knows the last commit timestamp of each key.
ConflictsRemembered == \A t \in Txn : \A k \in writes[t] : commitTs[t] <= lastCommit[k]

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

\* A read in progress is of an active transaction, and has met a record.
ReadIsOfActive ==
    \A t \in Txn : cursor[t].step # "none" =>
        /\ status[t] = "active"
        /\ cursor[t].key \in Key /\ cursor[t].met \in Txn
        /\ cursor[t].key \notin writes[t]
        /\ cursor[t].key \in writes[cursor[t].met]
        /\ readTs[cursor[t].met] <= readTs[t]

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
    /\ RecordsWereWritten
    /\ ConflictsRemembered /\ CertifiedDoNotOverlap
    /\ ReadsAreOfSnapshot /\ ReadIsOfActive /\ HealsCommitted /\ NobodyRepairs /\ AnsweredBefore

\* What is proved with it.
Promises == OwnWrites /\ FirstCommitterWins /\ NoDirtyRead /\ StrongSI /\ AnswersTrue
================================================================================
