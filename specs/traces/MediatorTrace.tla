----------------------------- MODULE MediatorTrace -----------------------------
(***************************************************************************)
(* Is a recorded trace of transactions and native operations a behaviour   *)
(* of Mediator?                                                            *)
(*                                                                         *)
(* Each event stands where its server did it, with the real timestamps; so *)
(* the trace is a line. Where a client logs what a server has answered,    *)
(* too, the two must agree. All keys are in one region of one server,      *)
(* which stays open; the status oracle serves from the first event on, and *)
(* nothing fails, but everything may be late.                              *)
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
TracedServer == {"server"}
TracedHost == [k \in TracedKey |-> "server"]
TracedProcess == [o \in TracedTxn \cup TracedNative |-> o]

VARIABLE
    \* The time that the server was told and has not lifted its clock to yet; no timestamp if none.
    told

\* In the code replicas have the active entries only, where the spec's have those that have committed, too. What such a transaction
\* wrote is in the database, so only who shares its filter by chance sees the difference: here he reads, and there he gives up.
IsActive(w) == ring[w] = "active"

TheServer == CHOOSE s \in Server : TRUE
Clock == local[TheServer]

-----------------------------------------------------------------------------
(* Events. Conditions come first: a rejection names the false one. *)

OnBegin(e) ==
    /\ e.txn = clock + Delta
    /\ Begin(e.txn)

\* Fenced again, because the read is tried again: nothing comes of it.
IsFenced(e) == status[e.txn] = "active" /\ e.key \in fenced[e.txn] /\ Clock >= readTs[e.txn] /\ UNCHANGED vars

OnFenceRead(e) == FenceRead(e.txn, e.key) \/ IsFenced(e)

Found(o, k, ts) == \E r \in reads[o] : r.key = k /\ TsOf(k, r.from) = ts

\* A read of the latest version, by a native get or a serializable transaction.
OnGet(e) ==
    /\ e.op \in Op
    /\ e.from = TsOf(e.key, Last(e.key))
    /\ IF e.op \in Native THEN NativeGet(e.op, e.key) ELSE Serializable /\ TxGet(e.op, e.key)

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
IsRefused(e) == status[e.txn] = "aborted" /\ commitTs[e.txn] # NoTs /\ checked[e.txn] # ConflictSet(e.txn)

\* Its client has not told the oracle that it is aborted; where the helper came first, that does not show.
IsLookingStill(e) == IsRefused(e) /\ (ring[e.txn] = "active" \/ log[e.txn] = "abort" \/ writes[e.txn] = {})

LateFence(e) ==
    /\ IsLookingStill(e) /\ e.key \in NeedFence(e.txn) \ fenced[e.txn]
    /\ Fence(TheServer, commitTs[e.txn])
    /\ fenced' = [fenced EXCEPT ![e.txn] = @ \cup {e.key}]
    /\ UNCHANGED <<status, readTs, commitTs, writes, reads, replica, checked, oracle, log, lateRecords, synced, version, precedes,
                   faults>>

OnFenceCommit(e) == FenceCommit(e.txn, e.key) \/ LateFence(e)

OnTxCheckConflict(e) ==
    /\ e.last = TsOf(e.key, LastBefore(e.key, commitTs[e.txn]))
    /\ \/ TxCheckConflict(e.txn, e.key)
       \/ IsLookingStill(e) /\ e.key \in ConflictSet(e.txn) \cap fenced[e.txn] /\ UNCHANGED vars

\* The helper may have settled the entry.
OnTsoAbort(e) == TsoAbort(e.txn) \/ (IsRefused(e) /\ ring[e.txn] # "active" /\ log[e.txn] = "abort" /\ UNCHANGED vars)

OnEndReadOnly(e) == EndReadOnly(e.txn)

\* The helper has learned of an entry before its client was refused and aborted it. Equivalent to HelperAbort before TsoAbort,
\* because of an entry that is settled nobody reads the log.
LateAbort(e) ==
    /\ IsRefused(e) /\ ring[e.txn] # "active"
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

\* By the client or the helper; by the second of the two if both do it.
OnWriteBack(e) ==
    \/ WriteBack(e.txn, e.key) \/ Replay(e.txn, e.key)
    \/ e.again /\ log[e.txn] = "commit" /\ version[e.key][e.txn] # NoTs /\ UNCHANGED vars

OnTxCommit(e) == TxCommit(e.txn)

\* A put transaction lifts the clock when it reaches the server, and is stamped at once, or when the server has asked for the time.
\* The spec has both in one step, and looks for room below the lift, not above it. A clock that is lifted early, to a timestamp that
\* was given, only stamps later; and no stamp comes near the timestamp that is given next.
OnPutFence(e) ==
    /\ status[e.txn] = "active" /\ IsPutTransaction(e.txn) /\ e.key \in writes[e.txn]
    /\ Fence(TheServer, PutFence(e.txn))
    /\ UNCHANGED <<client, oracle, log, lateRecords, synced, version, precedes, faults>>

OnLocalCommit(e) ==
    /\ Clock >= PutFence(e.txn)
    /\ e.ts = Clock + 1
    /\ LocalCommit(e.txn, e.key)

OnNativePut(e) ==
    /\ e.ts = Clock + 1
    /\ NativePut(e.op, e.key)

OnStorePut(e) ==
    /\ e.op \in Op
    /\ commitTs[e.op] = e.ts
    /\ \E k \in Key : StorePut(e.op, k)

\* The server is told the time, and lifts its clock when it has the answer. Equivalent to SyncServer at the first of the two,
\* if it stamps nothing before the second; else to a transaction that begins at the first, fences at the second, and does
\* nothing else.
OnGiveTime(e) ==
    /\ e.ts = clock + Delta
    /\ told = NoTs
    /\ clock' = e.ts
    /\ UNCHANGED <<client, tso, ring, filter, tsMin, log, lateRecords, database, precedes, faults>>

OnSyncServer(e) ==
    /\ told # NoTs
    /\ Fence(TheServer, told)
    /\ e.clock = local'[TheServer]
    /\ synced' = Server
    /\ UNCHANGED <<client, oracle, log, lateRecords, version, precedes, faults>>

OnEvict(e) == Evict(e.txn)

OnSettleEntry(e) ==
    /\ e.committed <=> log[e.txn] = "commit"
    /\ SettleEntry(e.txn)

\* The account: such a version is in the database in the end, and no others.
OnVersion(e) ==
    /\ \E o \in Op : version[e.key][o] = e.ts
    /\ e.versions = Cardinality({o \in Op : version[e.key][o] # NoTs})
    /\ UNCHANGED vars

\* The account: whether the transaction has committed, and how many keys it was told of.
OnTransaction(e) ==
    /\ e.committed <=> status[e.txn] = "closed"
    /\ e.committed => e.reads = Cardinality(reads[e.txn])
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
      [] e.action = "Evict" -> OnEvict(e)
      [] e.action = "SettleEntry" -> OnSettleEntry(e)
      [] e.action = "Version" -> OnVersion(e)
      [] e.action = "Transaction" -> OnTransaction(e)

Match(e) ==
    /\ Matches(e)
    /\ Advances
    /\ told' = IF e.action = "GiveTime" THEN e.ts ELSE IF e.action = "SyncServer" THEN NoTs ELSE told

-----------------------------------------------------------------------------

TraceInit ==
    /\ Init
    /\ RecordedInit
    /\ told = NoTs

\* The only silent step: the server is started, with a clock that knows nothing.
Started == faults > 0

TraceNext ==
    /\ matched < Len(Events)
    /\ IF Started THEN Match(Events[matched + 1])
       ELSE CrashServer(TheServer) /\ Waits /\ UNCHANGED told

\* What the rest of the search depends on.
Searched == <<trace, matched, told, client, oracle, log, database, faults>>
================================================================================
