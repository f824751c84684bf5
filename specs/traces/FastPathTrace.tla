----------------------------- MODULE FastPathTrace -----------------------------
(***************************************************************************)
(* Is a recorded trace a behaviour of FastPath?                            *)
(*                                                                         *)
(* What regular transactions and collectors log is held against OmidLL as  *)
(* OmidLLTrace does it, with what the fast path adds to each action. The   *)
(* server logs when a fast-path write draws its version, and when its      *)
(* record can be read; the client, what it was answered, and that it was   *)
(* refused. A refusal of which nobody hears is not in the trace:           *)
(* equivalent to a write that is lost.                                     *)
(*                                                                         *)
(* The clock tells when something was done. So what becomes of a record    *)
(* stands where its server carries it out, even if nobody is answered:     *)
(* then it is a LatePut, a LateCommitCell or a LateRemoval. Nothing in the *)
(* store happens silently, if the header speaks of faults.                 *)
(*                                                                         *)
(* Regular transactions are named by their start timestamps, fast-path     *)
(* writes by their versions; those that write nothing have a number that   *)
(* nothing else has (e.fast). Where the header does not tell the rows of   *)
(* keys and the regions of rows, all are in one.                           *)
(***************************************************************************)
EXTENDS FastPath, Recorded

TracedTxn == Names("txn")
\* The row of each key, and its region: numbers.
Rows == Constant("rows")
Regions == Constant("regions")
TracedKey == Names("key") \cup DOMAIN Rows
TracedFast == Names("fast")
TracedSpan == Constant("span")

TracedServer == Names("server")
\* Until the first event, which opens it.
TracedHost == [k \in TracedKey |-> CHOOSE s \in TracedServer : TRUE]

RowOf(k) == IF k \in DOMAIN Rows THEN Rows[k] ELSE 0
RegionOf(k) == IF k \in DOMAIN Regions THEN Regions[k] ELSE 0

\* All keys of a row, and of a region; both are named by one of them.
InRow(k) == {l \in Key : RowOf(l) = RowOf(k)}
InRegion(k) == {l \in Key : RegionOf(l) = RegionOf(k)}

VARIABLES
    \* See OmidLLTrace.
    unlogged,
    examined,
    tried,
    \* The fast-path writes that were accepted and not answered yet, each with its client.
    asked,
    \* The transactions for whose reads the clock was lifted, each with the row's keys, since the region was opened.
    lifted,
    \* How many clients were told that their fast-path write was refused.
    refused,
    \* The keys whose server has died, until their region is opened.
    homeless

T == INSTANCE OmidLLTrace

-----------------------------------------------------------------------------
(* Events of regular transactions. Conditions come first: a rejection names the false one. *)

OnBegin(e) ==
    /\ e.txn = NextTs
    /\ Begin(e.txn)

\* A transaction whose time is up: see OmidLLTrace, CommitOfAnother.
RequestTooLate(e) ==
    /\ T!IsOver(e.txn)
    /\ IF e.answer < 0 THEN UNCHANGED vars ELSE T!CommitOfAnother(writes[e.txn], NextTs) /\ Unaffected

OnRequestCommit(e) ==
    /\ e.answer \in {T!Conflict, T!BelowWatermark} \/ e.answer = NextTs
    /\ (e.answer = T!BelowWatermark) <=> ~LL!AboveLowWatermark(e.txn)
    /\ (e.answer = T!Conflict) <=> (LL!AboveLowWatermark(e.txn) /\ ~LL!NoConflict(e.txn))
    /\ RequestCommit(e.txn) \/ RequestTooLate(e)

\* Fast-path versions lie between two timestamps.
OnRaiseWatermark(e) == T!RaiseAsTheCode(e, NextTs) /\ Unaffected

\* Or a new TM, which knows nothing; the timestamp that it begins with was left out.
OnEvict(e) ==
    \/ (\E k \in Key : lastCommit[k] = e.commit /\ Evict(k))
    \/ T!EvictAnother(e) /\ Unaffected

OnWrite(e) ==
    /\ NoFastWriteInRow(e.key)
    /\ NoNewerCommit(e.txn, e.key)
    /\ T!OnWrite(e)
    /\ Unaffected

OnLostWrite(e) == T!OnLostWrite(e) /\ Unaffected

\* A put that nobody is answered: its client was not, or it is the second copy of one that was. A copy of a record that is there changes nothing.
OnLatePut(e) ==
    /\ e.faulty
    /\ e.delete <=> e.key \in deletes[e.met]
    /\ NoFastWriteInRow(e.key)
    /\ NoNewerCommit(e.met, e.key)
    /\ IF <<e.key, e.met>> \in latePuts THEN LatePut(e.met, e.key) ELSE ~T!IsGone(e.met, e.key) /\ UNCHANGED vars

RefuseSomePut(t) == \E k \in Key : RefusePut(t, k, "value")
OnRefusePut(e) == RefuseSomePut(e.txn) \/ (T!IsOver(e.txn) /\ UNCHANGED vars)

\* The clock is lifted for the reads of all the keys of a scan at once; afterwards nothing lifts it for each of them.
\* Equivalent to a read that ends there.
OnBumpClock(e) ==
    /\ readTs[e.txn] = e.txn
    /\ status[e.txn] = "active" \/ {<<"EndReadOnly", e.txn, NoKey>>, <<"Rollback", e.txn, NoKey>>} \cap unlogged # {}
    /\ lvc' = [lvc EXCEPT ![host[e.key]] = IF e.txn > @ THEN e.txn ELSE @]
    /\ UNCHANGED <<regular, host, bootstrapped, gate, fast>>

\* The read has waited; that there is nothing left to wait for shows when it looks.
OnAwaitFastWrites(e) ==
    /\ \E l \in lifted : l[1] = e.txn
    /\ UNCHANGED vars

OnGetRecord(e) ==
    /\ cursor[e.txn].step = "none" => gate[e.txn] = [step |-> "admitted", key |-> e.key]
    /\ T!OnGetRecord(e)
    /\ gate' = [gate EXCEPT ![e.txn] = NoGate]
    /\ UNCHANGED <<servers, fast>>

OnRollback(e) ==
    /\ T!OnRollback(e)
    /\ gate' = [gate EXCEPT ![e.txn] = NoGate]
    /\ UNCHANGED <<servers, fast>>

\* Whoever writes a commit cell has lifted the clock.
Lifts(e) ==
    /\ Bump(e.key, e.commit)
    /\ UNCHANGED <<host, bootstrapped, gate, fast>>

OnPostCommit(e) == T!OnPostCommit(e) /\ Lifts(e)
OnHealCommitCell(e) == T!OnHealCommitCell(e) /\ Lifts(e)
OnHealLeftover(e) == T!OnHealLeftover(e) /\ Lifts(e)

\* A commit cell that nobody is answered. Where it is there already, equivalent to ForgeRead, which lifts the clock; where the record is gone, too, because
\* its cell is ignored. Otherwise the entry is still there: equivalent to HealLeftover below the watermark, and above it to the healing by a
\* reader that began right after the transaction, and takes all its steps now.
OnLateCommitCell(e) ==
    /\ e.faulty
    /\ e.met \in committed /\ e.commit = commitTs[e.met] /\ e.key \in writes[e.met]
    /\ commitCell' = [commitCell EXCEPT ![e.key][e.met] = e.commit]
    /\ Bump(e.key, e.commit)
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, stored,
                   commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults, host, bootstrapped,
                   gate, fast>>

\* The removal of a record that nobody is answered, for the first time or again.
OnLateRemoval(e) ==
    /\ e.faulty
    /\ \/ T!IsGone(e.met, e.key) /\ UNCHANGED vars
       \/ CleanUp(e.met, e.key)
       \/ T!StillTentative(e.met, e.key) /\ CleanLeftover(e.met, e.key)
       \/ CollectVersion(e.met, e.key)
       \/ CollectTombstone(e.met, e.key)

\* No copy of the put arrives later, which would bring the version back.
OnCollectVersion(e) ==
    /\ ~e.again
    /\ T!OnCollectVersion(e)
    /\ Unaffected

OnCollectTombstone(e) ==
    /\ T!IsGone(e.met, e.key) \/ IsSettled(e.met, e.key)
    /\ T!OnCollectTombstone(e)
    /\ Unaffected

-----------------------------------------------------------------------------
(* Events of the fast path *)

\* A client does one thing at a time.
IsFree(c) == \A a \in asked : a.client # c

\* The version of the last committed record.
LastVersion(k) == IF Finished(k) = {} THEN 0 ELSE readTs[CHOOSE w \in Finished(k) : IsLast(w, k)]

OnBrc(e) ==
    /\ IsFree(e.client)
    /\ e.from = LastVersion(e.key)
    /\ e.last = LastCommitted(e.key)
    /\ Brc(e.fast, e.key)

OnBr(e) ==
    /\ IsFree(e.client)
    /\ e.from = LastVersion(e.key)
    /\ e.last = LastCommitted(e.key)
    /\ Br(e.fast, e.key)

\* Expected by who has not read.
Any == -1

\* What br told is what wc compares.
IsWcOf(e) == fast[e.fast].key = e.key /\ fast[e.fast].last = e.expected

Content(e) == IF e.delete THEN "tombstone" ELSE "value"

DoPutVersion(e, content) ==
    IF e.expected = Any THEN Bwc(e.fast, e.key, content) ELSE IsWcOf(e) /\ Wc(e.fast, content)

\* The server accepts a write. One that arrives late was sent by somebody who is not answered; that it begins when it arrives only adds to what it
\* must come after.
OnPutVersion(e) ==
    /\ IF e.late THEN e.sent ELSE IsFree(e.client)
    /\ RowIsFree(e.key)
    /\ KnowsTheTime(e.key)
    /\ NoNewerTentative(e.key)
    /\ e.expected = Any \/ IsSame(e.expected, e.key)
    /\ SequenceLeft(e.key)
    /\ e.version = NextVersion(e.key)
    /\ DoPutVersion(e, Content(e))

\* The client is told that the server refused its write, for what it found first. One that is refused because the server does not know the time waits in
\* the spec, and nothing comes of it.
OnRefuseVersion(e) ==
    /\ IsFree(e.client)
    /\ RowIsFree(e.key)
    /\ (e.cause = "CLOCK_NOT_BOOTSTRAPPED") <=> ~KnowsTheTime(e.key)
    /\ e.cause = "TENTATIVE_VERSION" => ~NoNewerTentative(e.key)
    /\ e.cause = "VERSION_MOVED" => e.expected # Any /\ ~IsSame(e.expected, e.key)
    /\ e.cause = "SEQUENCE_EXHAUSTED" => ~SequenceLeft(e.key)
    /\ IF KnowsTheTime(e.key) THEN DoPutVersion(e, "value") ELSE UNCHANGED vars

OnStoreVersion(e) == StoreVersion(e.fast)

\* The client is answered, once.
OnBwc(e) ==
    /\ [client |-> e.client, fast |-> e.fast] \in asked
    /\ status[e.fast] = "closed" /\ writes[e.fast] = {e.key}
    /\ UNCHANGED vars
OnWc(e) == OnBwc(e)

\* The client is not answered, or dies: its write is lost or late, or the region was closed before it, or during it, or right after it. What
\* the spec says of the write it has said by now, or will when it arrives: equivalent, because only properties ask what the client was told.
OnLoseFastAnswer(e) == UNCHANGED vars

\* The TM has given this timestamp, or an earlier one has come late: that lifts less.
IsTime(e, s) ==
    /\ e.clock % Span = 0 \/ e.clock = lvc[s]
    /\ lvc[s] <= e.clock /\ e.clock < NextTs
    /\ lvc' = [lvc EXCEPT ![s] = e.clock]

OnBootstrapClock(e) ==
    /\ IsTime(e, host[e.key])
    /\ bootstrapped' = bootstrapped \cup InRegion(e.key)
    /\ UNCHANGED <<regular, host, gate, fast>>

\* The answer to a region that is somewhere else by now. Equivalent to the server's answer when the region comes back, which lifts
\* higher, because until then nothing is drawn from its clock.
OnLiftClock(e) ==
    /\ IsTime(e, e.server)
    /\ UNCHANGED <<regular, host, bootstrapped, gate, fast>>

\* Where it is, it may be opened again: equivalent to moves to another server and back.
OnOpenRegion(e) == Open(InRegion(e.key), e.server) /\ UNCHANGED lvc

\* What it had is opened afterwards. Equivalent to CrashServer, and to moves of some of it from there, because nobody meets it in between.
OnCrashServer(e) ==
    LET keys == {k \in Key : host[k] = e.server}
    IN  /\ lvc' = [lvc EXCEPT ![e.server] = 0]
        /\ bootstrapped' = BootstrappedAfterOpening(keys)
        /\ LoseInFlight(keys)
        /\ UNCHANGED <<readTs, commitTs, writes, deletes, unanswered, todo, cursor, clock, lastCommit, lowWatermark, stored,
                       commitCell, commitTable, watermark, inspected, latePuts, lateEntries, committed, reads, precedes, faults,
                       host, gate>>

\* The account: how many fast-path transactions have read, and how many were told that they were refused.
OnFast(e) ==
    /\ e.reads = Cardinality({f \in Fast : reads[f] # {}})
    /\ e.refused = refused
    /\ UNCHANGED vars

-----------------------------------------------------------------------------

Matches(e) ==
    CASE e.action = "Begin" -> OnBegin(e)
      [] e.action = "RequestCommit" -> OnRequestCommit(e)
      [] e.action = "RaiseWatermark" -> OnRaiseWatermark(e)
      [] e.action = "Evict" -> OnEvict(e)
      [] e.action = "Write" -> IF e.lost THEN OnLostWrite(e) ELSE OnWrite(e)
      [] e.action = "LatePut" -> OnLatePut(e)
      [] e.action = "LateCommitCell" -> OnLateCommitCell(e)
      [] e.action = "LateRemoval" -> OnLateRemoval(e)
      [] e.action = "RefusePut" -> OnRefusePut(e)
      [] e.action = "BumpClock" -> OnBumpClock(e)
      [] e.action = "AwaitFastWrites" -> OnAwaitFastWrites(e)
      [] e.action = "GetRecord" -> OnGetRecord(e)
      [] e.action = "Rollback" -> OnRollback(e)
      [] e.action = "PostCommit" -> OnPostCommit(e)
      [] e.action = "HealCommitCell" -> OnHealCommitCell(e)
      [] e.action = "HealLeftover" -> OnHealLeftover(e)
      [] e.action = "CollectVersion" -> OnCollectVersion(e)
      [] e.action = "CollectTombstone" -> OnCollectTombstone(e)
      [] e.action = "Brc" -> OnBrc(e)
      [] e.action = "Br" -> OnBr(e)
      [] e.action = "PutVersion" -> OnPutVersion(e)
      [] e.action = "RefuseVersion" -> OnRefuseVersion(e)
      [] e.action = "StoreVersion" -> OnStoreVersion(e)
      [] e.action = "Bwc" -> OnBwc(e)
      [] e.action = "Wc" -> OnWc(e)
      [] e.action = "BootstrapClock" -> OnBootstrapClock(e)
      [] e.action = "Fast" -> OnFast(e)
      [] e.action = "LoseFastAnswer" -> OnLoseFastAnswer(e)
      [] e.action = "LiftClock" -> OnLiftClock(e)
      [] e.action = "OpenRegion" -> OnOpenRegion(e)
      [] e.action = "CrashServer" -> OnCrashServer(e)
      [] OTHER -> T!Matches(e) /\ Unaffected

\* What is left of the event. Nobody meets a key without a server, and at the end everybody is answered.
Books(e) ==
    /\ homeless # {} => e.action \in {"CrashServer", "OpenRegion"}
    /\ T!Books(e)
    /\ asked' = CASE e.action = "PutVersion" -> IF e.late THEN asked ELSE asked \cup {[client |-> e.client, fast |-> e.fast]}
                  [] e.action \in {"Bwc", "Wc"} -> asked \ {[client |-> e.client, fast |-> e.fast]}
                  [] e.action = "LoseFastAnswer" -> {a \in asked : a.client # e.client}
                  [] OTHER -> asked
    /\ lifted' = CASE e.action = "BumpClock" -> lifted \cup {<<e.txn, InRow(e.key)>>}
                   [] e.action = "OpenRegion" -> {l \in lifted : l[2] \cap InRegion(e.key) = {}}
                   [] OTHER -> lifted
    /\ refused' = IF e.action = "RefuseVersion" THEN refused + 1 ELSE refused
    /\ homeless' = CASE e.action = "CrashServer" -> homeless \cup {k \in Key : host[k] = e.server}
                     [] e.action = "OpenRegion" -> homeless \ InRegion(e.key)
                     [] OTHER -> homeless
    /\ matched + 1 = Len(Events) => asked' = {}

KeepsBooks == UNCHANGED <<examined, tried, asked, lifted, refused, homeless>>

Match(e) ==
    /\ Matches(e)
    /\ Books(e)

-----------------------------------------------------------------------------
(* Silent steps, before the event e *)

ShownTimestamp(e) ==
    CASE e.action \in {"BootstrapClock", "LiftClock"} -> e.clock - (e.clock % Span) + Span
      [] e.action = "Evict" -> 0
      [] OTHER -> T!ShownTimestamp(e)

PassTimestamps(e) == T!PassTo(ShownTimestamp(e), Span) /\ Unaffected

\* A read of this key begins. The clock has been lifted for it.
SilentGate(e) ==
    /\ e.action = "GetRecord"
    /\ \/ BumpClock(e.txn, e.key) /\ lvc' = lvc /\ <<e.txn, InRow(e.key)>> \in lifted
       \/ AwaitFastWrites(e.txn, e.key)

\* A put that was not answered, since it or another one of the same request was refused; or will be, when the watermark overtakes
\* its transaction. Its client cleans up after it.
SilentDelayPut(t, k) ==
    /\ T!WillBeLogged("RefusePut", t, NoKey) /\ T!WillBeLogged("CleanUp", t, k)
    /\ DelayPut(t, k, IF T!IsDeletion(t, k) THEN "tombstone" ELSE "value")

SilentPut(e) ==
    \E t \in (IF e.action = "RefusePut" THEN {e.txn} ELSE T!OvertakenTxn(e)), k \in Key : SilentDelayPut(t, k)

\* As in OmidLLTrace. A commit cell is there only if the clock was lifted; with faults, its own event tells of it.
SilentRow(e) ==
    /\ T!SilentRow(e)
    /\ \A k \in Key, t \in Txn : commitCell'[k][t] # commitCell[k][t] => commitCell'[k][t] <= lvc[host[k]]
    /\ e.faulty => UNCHANGED <<stored, commitCell>>
    /\ gate' = [t \in Txn |-> IF status'[t] = "active" THEN gate[t] ELSE NoGate]
    /\ UNCHANGED <<servers, fast>>

\* A put was sent, and its client is not answered.
SilentLoss(e) ==
    /\ e.action = "LatePut"
    /\ DelayPut(e.met, e.key, Content(e))

\* A second copy of a put is lost for good, which is equivalent to one that arrives while the first is there: for the removal of a version of which no
\* copy may be on its way.
SilentCopy(e) ==
    /\ e.action = "LateRemoval" /\ ~e.again
    /\ ~T!IsGone(e.met, e.key)
    /\ LatePut(e.met, e.key) /\ stored' = stored

\* For the removal of a record whose collector asked, and is not answered.
SilentInspect(e) ==
    /\ e.action = "LateRemoval"
    /\ T!StillTentative(e.met, e.key) /\ InspectLeftover(e.met, e.key)

\* As in OmidLLTrace, with the longer step.
SilentRequestCommit(e, t) ==
    /\ T!NeedsCommitRequest(e, t, NextTs < ShownTimestamp(e))
    /\ RequestCommit(t) \/ (writes[t] # {} /\ T!DropRead(t) /\ Unaffected)

\* A commit-table entry that whoever wrote the commit cell has met.
SilentEntry(e, t) ==
    \/ T!SilentEntry(e, t)
    \/ /\ e.action = "LateCommitCell" /\ e.met = t
       /\ t \notin committed /\ LL!NoEntryYet(t)
       /\ (T!IsDone(t) /\ LL!LoseEntryAnswer(t)) \/ LL!LateCommitEntry(t)

\* The watermark is the code's.
SilentRaise(e) ==
    /\ e.action # "RaiseWatermark" /\ watermark < T!ShownWatermark(e)
    /\ T!RaiseAsTheCode([watermark |-> T!ShownWatermark(e)], NextTs)

\* A read that failed: see OmidLLTrace.
GiveUpRead(e, t) ==
    \/ T!GiveUpRead(e, t)
    \/ e.action = "LatePut" /\ t = e.met /\ e.key \notin writes[t] /\ T!DropRead(t)
    \/ e.action = "RefusePut" /\ t = e.txn /\ T!DropRead(t)

\* What only faults explain: deaths, and lost or late messages.
SilentFault(e) ==
    /\ e.faulty
    /\ \/ SilentLoss(e) \/ SilentCopy(e) \/ SilentInspect(e)
       \/ /\ \/ SilentRaise(e)
             \/ \E t \in {e.txn, e.met} \cap Txn : GiveUpRead(e, t) \/ T!SilentRepair(e, t)
             \/ \E t \in T!OvertakenTxn(e) : GiveUpRead(e, t)
             \/ \E t \in {T!EntryOf(e), e.met} \cap Txn : SilentEntry(e, t) \/ T!SilentMarker(e, t) \/ T!SilentRemoveEntry(e, t)
             \/ T!ShownWatermark(e) > 0 /\ \E t \in Txn : T!IsOvertaken(e, t) /\ (SilentEntry(e, t) \/ T!SilentMarker(e, t))
          /\ Unaffected
       \/ \E t \in Txn : SilentRequestCommit(e, t)

Silent(e) ==
    \/ (PassTimestamps(e) \/ SilentGate(e) \/ SilentPut(e) \/ SilentFault(e)) /\ UNCHANGED unlogged
    \/ SilentRow(e)

-----------------------------------------------------------------------------

TraceInit ==
    /\ LL!Init
    /\ RecordedInit
    /\ lvc = [s \in Server |-> 0]
    /\ host = FirstHost
    /\ bootstrapped = {}
    /\ gate = [t \in Txn |-> NoGate]
    /\ fast = [f \in Fast |-> [step |-> "none", key |-> NoKey, last |-> NoTs]]
    /\ unlogged = {}
    /\ examined = {}
    /\ tried = {}
    /\ asked = {}
    /\ lifted = {}
    /\ refused = 0
    /\ homeless = {}

TraceNext ==
    /\ matched < Len(Events)
    /\ LET e == Events[matched + 1]
       IN  T!Known(e) /\ (Match(e) \/ (Silent(e) /\ Waits /\ KeepsBooks))

\* What the rest of the search depends on.
Searched == <<T!Searched, servers, gate, fast, asked, lifted, refused, homeless>>
================================================================================
