------------------------------ MODULE FragolaTrace ------------------------------
(***************************************************************************)
(* Is a recorded trace a behaviour of Fragola?                             *)
(*                                                                         *)
(* What clients and collectors log is held against OmidLL as OmidLLTrace   *)
(* does it, with leaders in place of the commit table. Events say nothing  *)
(* of leaders: a transaction's is the key of its first Write. A collector  *)
(* marks a leader some time before it logs InspectLeftover; if somebody    *)
(* meets the marker meanwhile, it is marked silently.                      *)
(*                                                                         *)
(* So far a trace has no faults: Java (FragolaFormat) says so of others.   *)
(***************************************************************************)
EXTENDS Fragola, Recorded

TracedTxn == Names("txn")
TracedKey == Names("key")

VARIABLES
    \* See OmidLLTrace.
    unlogged,
    examined,
    tried

T == INSTANCE OmidLLTrace WITH commitTable <- leaderCell, commitCell <- Cell

IsLeaderOf(t, k) == Tells(trace, matched, "leader", t, k)
\* A collector logs later that it has inspected one of t's records, and found a marker.
WillBeInspected(t) == Tells(trace, matched, "inspected", t, NoKey)

-----------------------------------------------------------------------------
(* Events. Conditions come first: a rejection names the false one.             *)

OnBegin(e) == UNCHANGED cells /\ T!OnBegin(e)
OnEndReadOnly(e) == UNCHANGED cells /\ T!OnEndReadOnly(e)
OnReadOwnWrite(e) == UNCHANGED cells /\ T!OnReadOwnWrite(e)
OnGetRecord(e) == UNCHANGED cells /\ T!OnGetRecord(e)
OnRollback(e) == UNCHANGED cells /\ T!OnRollback(e)
OnRequestCommit(e) == UNCHANGED cells /\ T!OnRequestCommit(e)
OnRead(e) == UNCHANGED cells /\ T!OnRead(e)
OnRecord(e) == UNCHANGED cells /\ T!OnRecord(e)
OnEvict(e) == UNCHANGED cells /\ T!OnEvict(e)

\* A transaction whose time is up ends by itself; or it has asked for its commit in time, which nothing here takes from it.
EndsWhenOvertaken(t) ==
    /\ T!EndsWhenOvertaken(t)
    /\ T!WillBeLogged("Rollback", t, NoKey) \/ T!WillBeLogged("EndReadOnly", t, NoKey)

OnRaiseWatermark(e) ==
    /\ e.others \/ e.raised <= e.watermark
    /\ e.watermark <= clock + 1
    /\ \A t \in Txn : EndsWhenOvertaken(t) => e.watermark <= readTs[t]
    /\ \/ RaiseWatermark /\ watermark' = T!Rounded(e.watermark)
       \/ watermark >= T!Rounded(e.watermark) /\ UNCHANGED vars

\* It had come, and a collector has removed it, since its client's time was up before another key's put came.
WasCleaned(e) ==
    /\ T!IsOver(e.txn)
    /\ e.key \in writes[e.txn] /\ <<e.key, e.txn>> \notin latePuts /\ T!IsGone(e.txn, e.key)
    /\ UNCHANGED vars

\* The leader is the first.
OnWrite(e) ==
    /\ leader[e.txn] = NoKey => IsLeaderOf(e.txn, e.key)
    /\ IF T!IsOver(e.txn) THEN UNCHANGED cells ELSE Leads(e.txn, e.key, T!ContentOf(e))
    /\ T!OnWrite(e) \/ WasCleaned(e)

OnCleanUp(e) ==
    /\ CleanUp(e.txn, e.key) \/ (<<"CleanUp", e.txn, e.key>> \in unlogged /\ UNCHANGED vars)

OnGetCommitEntry(e) == UNCHANGED cells /\ T!OnGetCommitEntry(e)

OnHealCommitCell(e) ==
    /\ T!IsAt(e.txn, "heal", e.met)
    /\ T!ReadsKey(e.txn, e.key)
    /\ e.commit = commitTs[e.met]
    /\ HealCommitCell(e.txn)

Collected == -2

\* What check-and-mutate of the leader's commit cell answers.
Answer(t) == IF LeaderStored(t) THEN leaderCell[t] ELSE Collected

OnInvalidatePending(e) ==
    /\ T!IsAt(e.txn, "pending", e.met)
    /\ e.previous = Answer(e.met)
    /\ InvalidatePending(e.txn)

OnReReadRecord(e) ==
    /\ T!IsAt(e.txn, "reread", e.met)
    /\ T!ReadsKey(e.txn, e.key)
    /\ e.gone = T!IsGone(e.met, e.key)
    /\ e.commit = T!CommitCellSeen(e.met, e.key)
    /\ ReReadRecord(e.txn)

\* Asked once more about an outcome that is known, the leader changes nothing.
OnWriteCommitEntry(e) ==
    /\ e.commit = e.given
    /\ e.previous = Answer(e.txn)
    /\ \/ WriteCommitEntry(e.txn)
       \/ status[e.txn] \in {"committed", "aborted", "unresolved"} /\ ~TakesEntry(e.txn) /\ UNCHANGED vars

OnPostCommit(e) ==
    /\ e.commit = commitTs[e.txn]
    /\ e.key # leader[e.txn]
    /\ PostCommit(e.txn, e.key) \/ (<<"PostCommit", e.txn, e.key>> \in unlogged /\ UNCHANGED vars)

\* Another may have been faster: then the cell is as the collector writes it, or the record is gone.
OnHealLeftover(e) ==
    /\ LL!IsBelowWatermark(e.met)
    /\ e.met \in committed /\ e.commit = commitTs[e.met] /\ e.key \in writes[e.met]
    /\ \/ HealLeftover(e.met, e.key)
       \/ (T!IsGone(e.met, e.key) \/ Cell[e.key][e.met] # NoTs) /\ UNCHANGED vars

\* A leader is marked.
Marks(t) ==
    /\ leaderCell' = IF leaderCell[t] = NoTs THEN [leaderCell EXCEPT ![t] = CellAfterMarking(t)] ELSE leaderCell
    /\ UNCHANGED <<leader, followerCell, status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark,
                   stored, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults>>

\* The spec's collector marks the leader here, and inspects the record right before it cleans, when what it was told is still true.
\* Equivalent to an inspection here, after which a copy of the put brings nothing new.
OnInspectLeftover(e) ==
    /\ LL!IsBelowWatermark(e.met)
    /\ e.entry \in {LL!Invalidated, Collected}
    /\ leaderCell[e.met] <= NoTs
    /\ e.gone = T!IsGone(e.met, e.key)
    /\ e.commit = T!CommitCellSeen(e.met, e.key)
    /\ Marks(e.met)

\* As in OmidLLTrace.
AlreadyGone(e) == UNCHANGED vars /\ T!AlreadyGone(e, writes[e.met])

\* Or its own client was faster.
OnCleanLeftover(e) ==
    \/ StillTentative(e.met, e.key) /\ CleanLeftover(e.met, e.key)
    \/ <<e.key, e.met>> \in examined /\ T!IsGone(e.met, e.key) /\ UNCHANGED vars
    \/ AlreadyGone(e)

OnCollectEntry(e) ==
    \/ CollectEntry(e.met)
    \/ e.others /\ writes[e.met] # {} /\ LL!IsBelowWatermark(e.met) /\ leaderCell[e.met] = NoTs /\ UNCHANGED vars

OnCollectVersion(e) == CollectVersion(e.met, e.key) \/ AlreadyGone(e)
OnCollectTombstone(e) == CollectTombstone(e.met, e.key) \/ AlreadyGone(e)

\* The account. Entries are told by the leaders' records.
OnTransaction(e) ==
    /\ e.told = "committed" => status[e.met] \in {"committed", "closed"}
    /\ e.told = "aborted" => status[e.met] = "aborted"
    /\ e.told # "unknown" => e.reads = Cardinality({r \in reads[e.met] : ~r.own})
    /\ UNCHANGED vars

Matches(e) ==
    CASE e.action = "Begin" -> OnBegin(e)
      [] e.action = "EndReadOnly" -> OnEndReadOnly(e)
      [] e.action = "Write" -> OnWrite(e)
      [] e.action = "Rollback" -> OnRollback(e)
      [] e.action = "CleanUp" -> OnCleanUp(e)
      [] e.action = "ReadOwnWrite" -> OnReadOwnWrite(e)
      [] e.action = "GetRecord" -> OnGetRecord(e)
      [] e.action = "GetCommitEntry" -> OnGetCommitEntry(e)
      [] e.action = "HealCommitCell" -> OnHealCommitCell(e)
      [] e.action = "InvalidatePending" -> OnInvalidatePending(e)
      [] e.action = "ReReadRecord" -> OnReReadRecord(e)
      [] e.action = "RequestCommit" -> OnRequestCommit(e)
      [] e.action = "WriteCommitEntry" -> OnWriteCommitEntry(e)
      [] e.action = "PostCommit" -> OnPostCommit(e)
      [] e.action = "Evict" -> OnEvict(e)
      [] e.action = "RaiseWatermark" -> OnRaiseWatermark(e)
      [] e.action = "HealLeftover" -> OnHealLeftover(e)
      [] e.action = "InspectLeftover" -> OnInspectLeftover(e)
      [] e.action = "CleanLeftover" -> OnCleanLeftover(e)
      [] e.action = "CollectEntry" -> OnCollectEntry(e)
      [] e.action = "CollectVersion" -> OnCollectVersion(e)
      [] e.action = "CollectTombstone" -> OnCollectTombstone(e)
      [] e.action = "Transaction" -> OnTransaction(e)
      [] e.action = "Read" -> OnRead(e)
      [] e.action = "Record" -> OnRecord(e)

\* Every client has come to its end; but a post-commit may be left out, and so may the cleaning up below the watermark.
Finished ==
    /\ unlogged = {}
    /\ \A t \in Txn :
        /\ status[t] \notin {"active", "certified", "unknown"}
        /\ status[t] = "committed" => todo[t] \in {{}, writes[t] \ {leader[t]}}
        /\ status[t] = "aborted" => todo[t] \in {{}, IF LL!IsBelowWatermark(t) THEN writes[t] ELSE {}}

Match(e) == Matches(e) /\ T!Notes(e) /\ (T!IsEnd(e) => Finished')

-----------------------------------------------------------------------------
(* Silent steps, before the event e *)

PassTimestamps(e) == UNCHANGED cells /\ T!PassTimestamps(e)

\* A put was sent that shows, or must have been before the watermark overtakes its client; the leader's is sent first.
SilentDelayPut(e, t, k) ==
    /\ leader[t] = NoKey => IsLeaderOf(t, k)
    /\ Leads(t, k, IF T!IsDeletion(t, k) THEN "tombstone" ELSE "value")
    /\ T!SilentDelayPut(e, t, k)

\* One of its followers shows that the leader was sent, and nothing yet that it came.
SilentLeader(e, t, k) ==
    /\ leader[t] = NoKey /\ IsLeaderOf(t, k)
    /\ T!WillBeLogged("Write", t, k)
    /\ e.met = t /\ e.key # k /\ T!ShowsRecord(e, t, e.key)
    /\ DelayPut(t, k, IF T!IsDeletion(t, k) THEN "tombstone" ELSE "value")

\* Or it comes, and is answered when others are: no copy is on its way then.
SilentLatePut(e, t, k) ==
    /\ UNCHANGED cells
    /\ \/ T!SilentLatePut(e, t, k)
       \/ e.action = "Write" /\ e.txn = t /\ e.key = k /\ k \in unanswered[t] /\ LL!LatePut(t, k)

SilentCleanUp(e, t, k) ==
    /\ t \in T!ShownGone(e)
    /\ CleanUp(t, k)

\* Who asks a leader is told that it is gone.
ShowsLeaderGone(e, t) ==
    /\ e.met = t /\ LeaderStored(t)
    /\ \/ e.action = "InvalidatePending" /\ e.previous = Collected
       \/ e.action = "InspectLeftover" /\ e.entry = Collected
       \/ e.action = "CollectEntry"

SilentLeaderCleanUp(e, t) ==
    /\ ShowsLeaderGone(e, t)
    /\ CleanUp(t, leader[t])
    /\ T!Early(e, "CleanUp", t, leader[t])

\* The marker that a collector has written shows before that logs it; or its leader is removed before.
SilentMarker(e, t) ==
    /\ WillBeInspected(t)
    /\ \/ T!EntryOf(e) = t /\ T!ToldEntry(e) = LL!Invalidated
       \/ e.action = "CleanUp" /\ e.txn = t /\ e.key = leader[t]
    /\ leaderCell[t] = NoTs /\ LL!IsBelowWatermark(t)
    /\ Marks(t)

\* The spec's collector asks when the code's collector cleans.
SilentInspect(e, t, k) ==
    /\ <<k, t>> \in examined
    /\ e.action = "CleanLeftover" /\ e.met = t /\ e.key = k
    /\ InspectLeftover(t, k)

\* One row of several. A leader goes when its followers have their commit cells.
SilentPostCommit(e, t, k) ==
    /\ \/ T!NeedsCell(e, t, k)
       \/ e.action \in {"CollectVersion", "CollectTombstone"} /\ e.met = t /\ leader[t] = e.key /\ t \in stored[k] /\ Cell[k][t] = NoTs
    /\ PostCommit(t, k)

SilentEnd(e, t) == EndsWhenOvertaken(t) /\ UNCHANGED cells /\ T!SilentEnd(e, t)

\* One after the other.
OvertakenTxn(e) ==
    LET owes(t) == status[t] = "active" /\ \E k \in Key : T!OwesPut(t, k)
        overtaken == {t \in Txn : T!IsOvertaken(e, t) /\ (EndsWhenOvertaken(t) \/ owes(t))}
    IN  IF overtaken = {} THEN {} ELSE {CHOOSE t \in overtaken : \A x \in overtaken : readTs[t] <= readTs[x]}

Logged == UNCHANGED unlogged

Silent(e) ==
    \/ PassTimestamps(e) /\ Logged
    \/ \E k \in {e.key} \cap Key, t \in {e.txn, e.met} \cap Txn : (SilentDelayPut(e, t, k) \/ SilentLatePut(e, t, k)) /\ Logged
    \/ \E t \in {e.met} \cap Txn, k \in Key : SilentLeader(e, t, k) /\ Logged
    \/ \E k \in {e.key} \cap Key, t \in T!GoneRecord(e) :
        \/ SilentLatePut(e, t, k) /\ Logged
        \/ SilentCleanUp(e, t, k) /\ T!Early(e, "CleanUp", t, k)
    \/ \E k \in {e.key} \cap Key, t \in {e.met} \cup T!GoneRecord(e) : SilentInspect(e, t, k) /\ Logged
    \/ \E t \in {T!EntryOf(e), e.txn} \cap Txn : SilentMarker(e, t) /\ Logged
    \/ \E t \in {e.met} \cap Txn : SilentLeaderCleanUp(e, t)
    \/ \E k \in Key, t \in (IF e.action = "CollectVersion" /\ e.key \in Key THEN stored[e.key] ELSE {e.met} \cap Txn) :
        SilentPostCommit(e, t, k) /\ T!Early(e, "PostCommit", t, k)
    \/ \E t \in OvertakenTxn(e) :
        \/ SilentEnd(e, t)
        \/ \E k \in Key : SilentDelayPut(e, t, k) /\ Logged

-----------------------------------------------------------------------------

TraceInit ==
    /\ Init
    /\ RecordedInit
    /\ unlogged = {}
    /\ examined = {}
    /\ tried = {}

TraceNext ==
    /\ matched < Len(Events)
    /\ LET e == Events[matched + 1]
       IN  T!Known(e) /\ (Match(e) \/ (Silent(e) /\ Waits /\ UNCHANGED <<examined, tried>>))

\* What the rest of the search depends on.
Searched == <<T!Searched, leader, leaderCell, followerCell>>
================================================================================
