----------------------------- MODULE MediatorTrace -----------------------------
(***************************************************************************)
(* Is a recorded trace of transactions and native operations a behaviour   *)
(* of Mediator?                                                            *)
(*                                                                         *)
(* Each event stands where its server did it, with the real timestamps; so *)
(* the trace is a line. Where a client logs what a server has answered,    *)
(* too, the two must agree. A key stays on its server, which the header    *)
(* tells.                                                                  *)
(*                                                                         *)
(* Clients that die or give up just have no more events. If the header     *)
(* says that there are faults, requests may be repeated, and what a server *)
(* did may be answered to nobody.                                          *)
(*                                                                         *)
(* Transactions are named by their start timestamps, native puts by their  *)
(* stamps. Each has a process of its own here: equivalent, because what    *)
(* went before in the process is only compared by properties.              *)
(***************************************************************************)
EXTENDS Mediator, Recorded

TracedTxn == Names("txn")
TracedNative == Names("native")
TracedKey == Names("key")
TracedDelta == Constant("delta")
TracedSerializable == Constant("serializable") = 1
TracedServer == Names("server")
Hosts == Constant("hosts")
TracedHost == [k \in TracedKey |-> IF k \in DOMAIN Hosts THEN Hosts[k] ELSE CHOOSE s \in TracedServer : TRUE]
TracedProcess == [o \in TracedTxn \cup TracedNative |-> o]

VARIABLE
    \* The time that each server was told last, and may not have lifted its clock to yet; no timestamp if none.
    told

\* In the code replicas have the active entries only, where the spec's have those that have committed, too. What such a transaction
\* wrote is in the database, so only who shares its filter by chance sees the difference: here he reads, and there he gives up.
IsActive(w) == ring[w] = "active"

Clock(k) == local[Host[k]]

\* A lift of the clock to this time would be nothing: it is not above the clock, or nothing is stamped before the server is told a later
\* time.
IsPassed(k, ts) == Clock(k) >= ts \/ Host[k] \notin synced

-----------------------------------------------------------------------------
(* Events. Conditions come first: a rejection names the false one. *)

OnBegin(e) ==
    /\ e.txn = clock + Delta
    /\ Begin(e.txn)

\* Fenced again, because the read is tried again: nothing comes of it.
IsFenced(e) == status[e.txn] = "active" /\ e.key \in fenced[e.txn] /\ IsPassed(e.key, readTs[e.txn]) /\ UNCHANGED vars

OnFenceRead(e) == FenceRead(e.txn, e.key) \/ IsFenced(e)

Found(o, k, ts) == \E r \in reads[o] : r.key = k /\ TsOf(k, r.from) = ts

\* A read of the latest version, by a native get or a serializable transaction; or by somebody who was not answered.
OnGet(e) ==
    /\ e.op \in Op \/ e.faults
    /\ e.from = TsOf(e.key, Last(e.key))
    /\ CASE e.op \in Native -> NativeGet(e.op, e.key)
         [] e.op \in Txn -> Serializable /\ TxGet(e.op, e.key)
         [] OTHER -> UNCHANGED vars

OnNativeGet(e) ==
    /\ e.op \in Op
    /\ Found(e.op, e.key, e.from)
    /\ UNCHANGED vars

\* Of a snapshot, where a key may be read again and is the same. The latest version has been read by Get.
OnTxGet(e) ==
    /\ status[e.txn] = "active"
    /\ Serializable => Found(e.txn, e.key, e.from)
    /\ ~Serializable => e.fenced
    /\ ~Serializable => e.from = TsOf(e.key, SnapshotAt(e.txn, e.key))
    /\ TxGet(e.txn, e.key) \/ (Found(e.txn, e.key, e.from) /\ UNCHANGED vars)

OnTxPut(e) == TxPut(e.txn, e.key)

\* It ends here without having taken effect. Equivalent to an application that gives up by itself, because nobody sees an active
\* transaction but by its fences.
Ends(t) ==
    /\ status[t] = "active"
    /\ status' = [status EXCEPT ![t] = "aborted"]
    /\ UNCHANGED <<readTs, commitTs, writes, reads, replica, fenced, checked, oracle, log, lateRecords, database, precedes, faults>>

\* Some version was due. It may have come after the last look.
WaitsForSome(t) == \E k \in fenced[t] : Reads(t, k) /\ LatestCommitted(t, k) # NoTs
OnGiveUp(e) == GiveUp(e.txn) \/ (WaitsForSome(e.txn) /\ Ends(e.txn))

\* What the code's oracle answers, besides timestamps.
Conflict == -11
BelowWatermark == -12

\* The code's ring has so many entries. Nobody is let in while it is full and the oldest is active: he ends.
RingIsFull(e) ==
    LET entries == {w \in Txn : ring[w] # "none"}
    IN  /\ writes[e.txn] # {} /\ Cardinality(entries) = e.ring
        /\ \E w \in entries : ring[w] = "active" /\ \A x \in entries : commitTs[w] <= commitTs[x]

Admits(e) == RingReachesBack(e.txn) /\ NoConflictInRing(e.txn)

OnTxTryCommit(e) ==
    /\ e.answer > 0 \/ e.answer \in {Conflict, BelowWatermark}
    /\ e.answer > 0 => Admits(e) /\ ~(RingIsFull(e))
    /\ e.answer > 0 => e.answer = clock + Delta
    /\ e.answer = Conflict => RingReachesBack(e.txn) /\ ~NoConflictInRing(e.txn)
    /\ e.answer = BelowWatermark => ~RingReachesBack(e.txn) \/ (NoConflictInRing(e.txn) /\ RingIsFull(e))
    /\ IF e.answer = BelowWatermark /\ Admits(e) THEN Ends(e.txn)
       ELSE /\ TxTryCommit(e.txn)
            /\ e.answer > 0 /\ writes[e.txn] # {} => filter'[e.txn] = IF e.collisions THEN Key ELSE writes[e.txn]

\* The code goes on to the other keys after it has found a conflict in one. Equivalent, because what was found stays: the
\* look that finds it may as well be the last.
IsRefused(e) == status[e.txn] = "aborted" /\ commitTs[e.txn] # NoTs /\ (checked[e.txn] # ConflictSet(e.txn) \/ e.faults)

\* The oracle that knew the transaction has died.
OutlivesOracle(e) == e.faults /\ ring[e.txn] = "none" /\ commitTs[e.txn] < tsMin

\* Its client has not told the oracle that it is aborted; where the helper came first, or the oracle has died, that does not show.
IsLookingStill(e) ==
    IsRefused(e) /\ (ring[e.txn] = "active" \/ log[e.txn] = "abort" \/ writes[e.txn] = {} \/ tso # "up" \/ OutlivesOracle(e))

\* The check is tried again because it was not answered: nothing comes of it.
FenceAgain(e) ==
    /\ e.faults /\ commitTs[e.txn] # NoTs
    /\ e.key \in fenced[e.txn] /\ IsPassed(e.key, commitTs[e.txn])
    /\ UNCHANGED vars

CheckAgain(e) ==
    /\ e.faults /\ status[e.txn] = "certified"
    /\ e.key \in checked[e.txn] /\ NoConflictInDatabase(e.txn, e.key)
    /\ UNCHANGED vars

LateFence(e) ==
    /\ IsLookingStill(e) /\ e.key \in NeedFence(e.txn) \ fenced[e.txn]
    /\ Fence(Host[e.key], commitTs[e.txn])
    /\ fenced' = [fenced EXCEPT ![e.txn] = @ \cup {e.key}]
    /\ UNCHANGED <<status, readTs, commitTs, writes, reads, replica, checked, oracle, log, lateRecords, synced, version, precedes,
                   faults>>

OnFenceCommit(e) == FenceCommit(e.txn, e.key) \/ LateFence(e) \/ FenceAgain(e)

OnTxCheckConflict(e) ==
    /\ e.last = TsOf(e.key, LastBefore(e.key, commitTs[e.txn]))
    /\ \/ TxCheckConflict(e.txn, e.key)
       \/ IsLookingStill(e) /\ e.key \in ConflictSet(e.txn) \cap fenced[e.txn] /\ UNCHANGED vars
       \/ CheckAgain(e)

\* The client has given up a check that nobody answered. Equivalent to HelperAbort and SettleEntry after it has died, because of an
\* entry that is settled nobody reads the log.
AbortUnchecked(e) ==
    /\ e.faults /\ status[e.txn] = "certified" /\ tso = "up"
    /\ status' = [status EXCEPT ![e.txn] = "aborted"]
    /\ ring' = [ring EXCEPT ![e.txn] = IF @ = "active" THEN "aborted" ELSE @]
    /\ UNCHANGED <<readTs, commitTs, writes, reads, replica, fenced, checked, clock, tso, filter, tsMin, log, lateRecords, database,
                   precedes, faults>>

\* The helper may have settled the entry, or the oracle may be another one.
OnTsoAbort(e) ==
    \/ TsoAbort(e.txn)
    \/ IsRefused(e) /\ ring[e.txn] # "active" /\ (log[e.txn] = "abort" \/ OutlivesOracle(e)) /\ UNCHANGED vars
    \/ AbortUnchecked(e)

OnEndReadOnly(e) == EndReadOnly(e.txn)

\* The helper has learned of an entry before its client was refused and aborted it, or before the oracle died. Equivalent to HelperAbort
\* before that, because nobody reads the log of an entry that is settled, or of an oracle that is dead.
LateAbort(e) ==
    /\ (IsRefused(e) /\ ring[e.txn] # "active") \/ tso = "down"
    /\ log' = [log EXCEPT ![e.txn] = "abort"]
    /\ UNCHANGED <<client, oracle, lateRecords, database, precedes, faults>>

\* The record is in the log, and its client is not answered yet: DelayRecord and LateRecord in one step, though nothing failed.
ClientsRecord(t) ==
    /\ log' = [log EXCEPT ![t] = LogAfterRecord(t)]
    /\ status' = [status EXCEPT ![t] = "unknown"]
    /\ UNCHANGED <<readTs, commitTs, writes, reads, replica, fenced, checked, oracle, lateRecords, database, precedes, faults>>

\* The first record of a transaction is in the log: its client's, or an abort of the helper.
OnRecord(e) ==
    /\ log[e.txn] = "none"
    /\ e.commits => status[e.txn] = "certified" /\ IsChecked(e.txn) /\ writes[e.txn] # {}
    /\ IF e.commits THEN ClientsRecord(e.txn) ELSE HelperAbort(e.txn) \/ LateAbort(e)

\* The client is answered.
OnAppendLog(e) ==
    /\ log[e.txn] = IF e.commits THEN "commit" ELSE "abort"
    /\ AppendLog(e.txn)

\* What the helper wrote back arrives when the oracle has died. Equivalent to the client's WriteBack, which may have asked the log again.
LateReplay(e) ==
    /\ tso = "down" /\ status[e.txn] = "unknown" /\ log[e.txn] = "commit"
    /\ version[e.key][e.txn] = NoTs
    /\ Store(e.key, e.txn, commitTs[e.txn])
    /\ UNCHANGED <<client, oracle, log, lateRecords, local, synced, precedes, faults>>

\* By the client or the helper; by the second of the two if both do it.
OnWriteBack(e) ==
    \/ WriteBack(e.txn, e.key) \/ Replay(e.txn, e.key) \/ LateReplay(e)
    \/ e.again /\ log[e.txn] = "commit" /\ version[e.key][e.txn] # NoTs /\ UNCHANGED vars

OnTxCommit(e) == TxCommit(e.txn)

\* A put transaction lifts the clock when it reaches the server, and is stamped at once, or when the server has asked for the time.
\* The spec has both in one step, and looks for room below the lift, not above it. A clock that is lifted early, to a timestamp that
\* was given, only stamps later; and no stamp comes near the timestamp that is given next.
OnPutFence(e) ==
    /\ status[e.txn] = "active" /\ IsPutTransaction(e.txn) /\ e.key \in writes[e.txn]
    /\ Fence(Host[e.key], PutFence(e.txn))
    /\ UNCHANGED <<client, oracle, log, lateRecords, synced, version, precedes, faults>>

OnLocalCommit(e) ==
    /\ Clock(e.key) >= PutFence(e.txn)
    /\ e.ts = Clock(e.key) + 1
    /\ LocalCommit(e.txn, e.key)

OnNativePut(e) ==
    /\ e.ts = Clock(e.key) + 1
    /\ NativePut(e.op, e.key)

\* Of a put that was lost when the server crashed, only the end is logged.
IsLost(o) == status[o] \in {"lost", "dead"} /\ UNCHANGED vars

OnStorePut(e) ==
    /\ e.op \in Op
    /\ commitTs[e.op] = e.ts
    /\ StorePut(e.op, e.key) \/ IsLost(e.op)

\* In the code each region asks for itself, so one may ask whose server knows the time.
\* A server is told the time, and lifts its clock when it has the answer. Equivalent to SyncServer at the first of the two,
\* if it stamps nothing before the second; else to a transaction that begins at the first, fences at the second, and does
\* nothing else.
OnGiveTime(e) ==
    /\ e.ts = clock + Delta
    /\ tso = "up"
    /\ clock' = e.ts
    /\ UNCHANGED <<client, tso, ring, filter, tsMin, log, lateRecords, database, precedes, faults>>

OnSyncServer(e) ==
    /\ e.server \in Server
    /\ told[e.server] # NoTs
    /\ Fence(e.server, told[e.server])
    /\ e.clock = local'[e.server]
    /\ synced' = synced \cup {e.server}
    /\ UNCHANGED <<client, oracle, log, lateRecords, version, precedes, faults>>

OnCrashServer(e) == e.server \in Server /\ CrashServer(e.server)

OnCrashTso(e) == e.clock = clock /\ CrashTso

\* Whoever recovers may be hindered, and begins again; the log is closed already.
OnCloseLog(e) ==
    /\ e.records = e.logged
    /\ e.replayed <= Cardinality({t \in Txn : log[t] = "commit"})
    /\ e.replayed >= Cardinality({t \in Txn : log[t] = "commit" /\ ~IsWrittenBack(t)})
    /\ CloseLog \/ (tso = "replaying" /\ Unlogged = {} /\ UNCHANGED vars)

\* The code's bound may be further ahead than the spec's. Equivalent to transactions that began and did nothing else. The first oracle
\* begins at zero.
OnOpenTso(e) ==
    /\ e.epoch % Delta = 0
    /\ e.epoch >= ClockAfterRecovery \/ (clock = 0 /\ e.epoch = 0)
    /\ tso = "replaying" /\ AllReplayed
    /\ tso' = "up"
    /\ clock' = e.epoch
    /\ tsMin' = e.epoch
    /\ UNCHANGED <<client, ring, filter, log, lateRecords, database, precedes, faults>>

\* To make room for a transaction that has been let in, where there is none, or as the oracle likes; always the oldest one.
OnEvict(e) ==
    /\ \A w \in Txn : ring[w] # "none" => commitTs[e.txn] <= commitTs[w]
    /\ e.room <=> Cardinality({w \in Txn : ring[w] # "none"}) > e.ring
    /\ Evict(e.txn)

OnSettleEntry(e) ==
    /\ e.committed <=> log[e.txn] = "commit"
    /\ SettleEntry(e.txn)

\* The account: such a version is in the database in the end, and no others.
OnVersion(e) ==
    /\ \E o \in Op : version[e.key][o] = e.ts
    /\ e.versions = Cardinality({o \in Op : version[e.key][o] # NoTs})
    /\ UNCHANGED vars

\* The account: whether the transaction has committed, and how many keys it was told of. A request for several keys of which one
\* fails tells nothing. Of who did nothing both are true.
OnTransaction(e) ==
    /\ reads[e.txn] # {} \/ writes[e.txn] # {} => (e.committed <=> status[e.txn] = "closed" \/ (e.faults /\ log[e.txn] = "commit"))
    /\ e.committed => e.reads = Cardinality(reads[e.txn]) \/ (e.faults /\ e.reads < Cardinality(reads[e.txn]))
    /\ ring[e.txn] # "active"
    /\ UNCHANGED vars

Matches(e) ==
    CASE e.action = "Begin" -> OnBegin(e)
      [] e.action = "FenceRead" -> OnFenceRead(e)
      [] e.action = "Get" -> OnGet(e)
      [] e.action = "NativeGet" -> OnNativeGet(e)
      [] e.action = "TxGet" -> OnTxGet(e)
      [] e.action = "TxPut" -> OnTxPut(e)
      [] e.action = "GiveUp" -> OnGiveUp(e)
      [] e.action = "TxTryCommit" -> OnTxTryCommit(e)
      [] e.action = "FenceCommit" -> OnFenceCommit(e)
      [] e.action = "TxCheckConflict" -> OnTxCheckConflict(e)
      [] e.action = "TsoAbort" -> OnTsoAbort(e)
      [] e.action = "EndReadOnly" -> OnEndReadOnly(e)
      [] e.action = "Record" -> OnRecord(e)
      [] e.action = "AppendLog" -> OnAppendLog(e)
      [] e.action = "WriteBack" -> OnWriteBack(e)
      [] e.action = "TxCommit" -> OnTxCommit(e)
      [] e.action = "PutFence" -> OnPutFence(e)
      [] e.action = "LocalCommit" -> OnLocalCommit(e)
      [] e.action = "NativePut" -> OnNativePut(e)
      [] e.action = "StorePut" -> OnStorePut(e)
      [] e.action = "GiveTime" -> OnGiveTime(e)
      [] e.action = "SyncServer" -> OnSyncServer(e)
      [] e.action = "CrashServer" -> OnCrashServer(e)
      [] e.action = "CrashTso" -> OnCrashTso(e)
      [] e.action = "CloseLog" -> OnCloseLog(e)
      [] e.action = "OpenTso" -> OnOpenTso(e)
      [] e.action = "Evict" -> OnEvict(e)
      [] e.action = "SettleEntry" -> OnSettleEntry(e)
      [] e.action = "Version" -> OnVersion(e)
      [] e.action = "Transaction" -> OnTransaction(e)

Match(e) ==
    /\ Matches(e)
    /\ Advances
    /\ told' = CASE e.action = "GiveTime" /\ e.server \in Server -> [told EXCEPT ![e.server] = e.ts]
                 [] e.action \in {"SyncServer", "CrashServer"} -> [told EXCEPT ![e.server] = NoTs]
                 [] OTHER -> told

-----------------------------------------------------------------------------

TraceInit ==
    /\ Init
    /\ RecordedInit
    /\ told = [s \in Server |-> NoTs]

\* The only silent steps: before the first event servers and status oracle have been started, with clocks that know nothing.
IsStarted == faults > Cardinality(Server)

BeStarted ==
    /\ IF synced = {} THEN CrashTso ELSE CrashServer(CHOOSE s \in synced : TRUE)
    /\ Waits
    /\ UNCHANGED told

TraceNext ==
    /\ matched < Len(Events)
    /\ IF IsStarted THEN Match(Events[matched + 1]) ELSE BeStarted

\* What the rest of the search depends on.
Searched == <<trace, matched, told, client, oracle, log, database, faults>>
================================================================================
