------------------------------- MODULE PH1Trace -------------------------------
(***************************************************************************)
(* Is a recorded trace a behaviour of PH1?                                 *)
(*                                                                         *)
(* Everything is logged where it takes effect: by the certifier, the log,  *)
(* the store, the instance that a version reaches, and by instances what   *)
(* they do alone. So there are no silent steps. Of a put, two events say   *)
(* what the spec may do in one: all members of the view hold the old value *)
(* (DelayPut), and the put arrives (LatePut); then the flusher knows       *)
(* (FindPut).                                                              *)
(*                                                                         *)
(* A flush may be done by two at a time, the user's own and one that redoes *)
(* it, while the spec has one flusher. What the other one does is argued   *)
(* below; as long as the transaction is flushing, it makes no difference.  *)
(***************************************************************************)
EXTENDS PH1, Recorded

TracedTxn == Names("txn")
TracedKey == Names("key")
Instances == Constant("instances")
TracedNode == 1..Instances
\* A transaction's number tells its instance and its session: see PH1Format.
TracedHome == [t \in TracedTxn |-> ((t \div 1000) % Instances) + 1]
TracedSession == [t \in TracedTxn |-> t \div 1000]

VARIABLES
    \* Which instance knows that the old value of a key is held by which, of a transaction that it flushes: <<t, k, holder, flusher>>.
    held,
    \* Which instance flushes a transaction, since it has the record and its client was answered, or since it redoes the flush: <<t, flusher, how>>.
    flushers,
    \* What flushers did and was told, of which key and with whom: <<action, t, k, flusher, to whom>>.
    done,
    \* Which deletions were collected: <<k, t>>.
    collected

\* Forgotten, as in the spec, when the flusher's view changes.
HeldAfter(v) == {h \in held : v[h[4]] = view[h[4]]}

IsLive(t) == status[t] # "dead"

Flushing(e) == \E how \in {"answered", "redone"} : <<e.txn, e.instance, how>> \in flushers
FlushesTwice(t, n) == \A how \in {"answered", "redone"} : <<t, n, how>> \in flushers
\* A flusher does it once, unless a message is lost; or its instance redoes what it is flushing anyway.
What(e) == <<e.action, e.txn, e.key, e.instance, IF "member" \in DOMAIN e THEN e.member ELSE e.instance>>
Once(e) == e.faults \/ What(e) \notin done \/ FlushesTwice(e.txn, e.instance)
\* So each of them puts a key once.
Arrived(t, k) == Cardinality({d \in done : d[1] = "PutArrives" /\ d[2] = t /\ d[3] = k})
Sent(t, k) == Cardinality({d \in done : d[1] = "Save" /\ d[2] = t /\ d[3] = k})

\* Its cell of k is in the store, or a newer one. While it is flushing, this stays so: a tombstone that is collected is below the horizon.
IsPut(t, k) == TsOf(stored[k]) >= commitTs[t] \/ t \notin flushing

-----------------------------------------------------------------------------
(* Events. Conditions come first: a rejection names the false one.             *)

OnBegin(e) ==
    /\ e.instance = Home[e.txn]
    /\ e.snapshot = Horizon
    /\ SeesSession(e.txn)
    /\ Begin(e.txn)

\* A key may be written again, and the last write counts. Equivalent to that one alone for everybody else; own reads are held against the write
\* that stands when they are made.
WriteAgain(e) ==
    /\ Ready(e.txn) /\ e.key \in writes[e.txn]
    /\ deletes' = [deletes EXCEPT ![e.txn] = IF e.delete THEN @ \cup {e.key} ELSE @ \ {e.key}]
    /\ UNCHANGED <<status, readTs, commitTs, writes, cursor, certifier, log, store, group, flush, history, faults>>

OnWrite(e) ==
    /\ e.snapshot = readTs[e.txn]
    /\ Write(e.txn, e.key, IF e.delete THEN "tombstone" ELSE "value") \/ WriteAgain(e)

OnReadOwnWrite(e) ==
    /\ e.snapshot = readTs[e.txn]
    /\ e.gone <=> e.key \in deletes[e.txn]
    /\ IsOwnWrite(e.txn, e.key)
    /\ ReadOwnWrite(e.txn, e.key)

OnGetCell(e) ==
    /\ e.snapshot = readTs[e.txn]
    /\ ~IsOwnWrite(e.txn, e.key)
    /\ e.from = TsOf(stored[e.key])
    /\ GetCell(e.txn, e.key)

NoVersion == -1

OnGetVersion(e) ==
    /\ e.snapshot = readTs[e.txn]
    /\ cursor[e.txn] = [step |-> "version", key |-> e.key]
    /\ GetVersion(e.txn)
    /\ IF e.from = NoVersion THEN Fitting(e.txn, e.key) = {}
       ELSE \E v \in Fitting(e.txn, e.key) :
            v.from = e.from /\ [key |-> e.key, from |-> Value(v.value, e.key), own |-> FALSE] \in reads'[e.txn]

OnEndReadOnly(e) ==
    /\ e.snapshot = readTs[e.txn]
    /\ EndReadOnly(e.txn)

\* The certifier has answered, and its client has not heard it: what was refused is aborted already, and what was not never gets a record, so
\* somebody aborts it.
Unheard(t) == status[t] = "certified" \/ (status[t] = "aborted" /\ log[t] = "none")

OnRollback(e) ==
    /\ e.snapshot = readTs[e.txn]
    /\ Rollback(e.txn) \/ (Unheard(e.txn) /\ log[e.txn] # "commit" /\ UNCHANGED vars)

Conflict == 0

\* A request that arrives when its instance has died, and is refused, changes nothing.
OnRequestCommit(e) ==
    /\ e.instance = Home[e.txn]
    /\ e.snapshot = readTs[e.txn]
    /\ e.answer > 0 \/ e.answer = Conflict
    /\ e.answer > 0 <=> NoConflict(e.txn)
    /\ e.answer > 0 => e.answer = clock + 1
    /\ IF IsLive(e.txn) THEN RequestCommit(e.txn) ELSE LateRequest(e.txn) \/ (e.answer = Conflict /\ UNCHANGED vars)

\* The first record of a transaction is in the log.
OnRecord(e) ==
    /\ log[e.txn] = "none"
    /\ IF ~e.commits THEN AppendAbort(e.txn) ELSE IF IsLive(e.txn) THEN AppendRecord(e.txn) ELSE LateRecord(e.txn)

\* The client is told which one is the first, once.
OnAppendRecord(e) ==
    /\ e.instance = Home[e.txn]
    /\ log[e.txn] # "none"
    /\ <<e.txn, e.instance, "answered">> \notin flushers
    /\ e.commits <=> log[e.txn] = "commit"
    /\ IF status[e.txn] = "certified" THEN AppendRecord(e.txn) ELSE UNCHANGED vars

OnAppendAbort(e) ==
    /\ e.commits <=> log[e.txn] = "commit"
    /\ log[e.txn] # "none"
    /\ UNCHANGED vars

\* What was the value of k right before t's commit: whoever wrote it last, or nothing, where that was a deletion and is collected.
LastBefore(t, k) ==
    LET earlier == {w \in Txn : log[w] = "commit" /\ k \in writes[w] /\ commitTs[w] < commitTs[t]}
    IN  IF earlier = {} THEN NoTxn ELSE CHOOSE w \in earlier : \A x \in earlier : commitTs[x] <= commitTs[w]

IsVersion(e, w) == e.from = TsOf(w) \/ (e.from = NoTs /\ <<e.key, w>> \in collected)

Saves(e) ==
    /\ flusher[e.txn] = e.instance /\ Flushes(e.txn, e.key) /\ Serves(e.instance)
    /\ e.member \in view[e.instance] /\ <<e.key, e.member>> \notin saved[e.txn]
    /\ e.from = TsOf(stored[e.key])

\* By another flusher, or once more, or after its own view has shrunk. Equivalent to none, or to one before: what is saved is true for ever.
LateSave(e, w) ==
    /\ npvs' = [npvs EXCEPT ![e.member][e.key] = @ \cup {[from |-> e.from, value |-> IF e.from = TsOf(w) THEN w ELSE NoTxn, until |-> commitTs[e.txn]]}]
    /\ UNCHANGED <<client, certifier, log, store, view, flush, history, faults>>

OnSaveArrives(e) ==
    /\ Flushing(e)
    /\ Once(e)
    /\ MayFlush(e.txn)
    /\ IsVersion(e, LastBefore(e.txn, e.key))
    /\ IF Saves(e) THEN Save(e.txn, e.key, e.member) ELSE LateSave(e, LastBefore(e.txn, e.key))

IsHeld(e) == Serves(e.instance) /\ \A n \in view[e.instance] : <<e.txn, e.key, n, e.instance>> \in held

Puts(e) == flusher[e.txn] = e.instance /\ Flushes(e.txn, e.key) /\ SavedEverywhere(e.txn, e.key)

\* By another flusher. Equivalent to a put that was under way when that one was replaced, or that it does not need to send.
OtherPut(e) ==
    /\ latePuts' = latePuts \cup {<<e.key, e.txn>>}
    /\ UNCHANGED <<client, certifier, log, stored, overwritten, group, flush, history, faults>>

\* All members of the flusher's view hold the old value, so the key is put, now or later.
OnSave(e) ==
    /\ Flushing(e)
    /\ Once(e)
    /\ MayFlush(e.txn)
    /\ IsHeld(e)
    /\ e.txn \in flushing \/ TsOf(stored[e.key]) >= commitTs[e.txn]
    /\ IF Puts(e) THEN DelayPut(e.txn, e.key) ELSE OtherPut(e)

\* A copy of a put changes nothing.
OnPutArrives(e) ==
    /\ e.faults \/ (\E n \in Node : FlushesTwice(e.txn, n)) \/ Arrived(e.txn, e.key) < Sent(e.txn, e.key)
    /\ <<e.key, e.txn>> \in latePuts \/ TsOf(stored[e.key]) >= commitTs[e.txn]
    /\ LatePut(e.txn, e.key) \/ (<<e.key, e.txn>> \notin latePuts /\ UNCHANGED vars)

Finds(e) == flusher[e.txn] = e.instance /\ Flushes(e.txn, e.key) /\ TsOf(stored[e.key]) >= commitTs[e.txn]

OnPut(e) ==
    /\ Flushing(e)
    /\ Once(e)
    /\ e.key \in writes[e.txn]
    /\ IsPut(e.txn, e.key)
    /\ IF Finds(e) THEN FindPut(e.txn, e.key) ELSE UNCHANGED vars

OnFindPut(e) == OnPut(e)

\* At the instance that flushes it already, or after the end of its flush, nothing comes of it.
OnRedo(e) ==
    /\ log[e.txn] = "commit"
    /\ IF e.txn \in flushing /\ flusher[e.txn] # e.instance /\ Serves(e.instance) THEN Redo(e.txn, e.instance) ELSE UNCHANGED vars

\* By another flusher. Equivalent to its Redo, a FindPut of each key, and Complete.
OtherCompletes(e) ==
    /\ flushing' = flushing \ {e.txn}
    /\ UNCHANGED <<client, clock, lastCommit, log, store, group, flush, history, faults>>

OnComplete(e) ==
    /\ e.txn \in flushing
    /\ AllPut(e.txn) \/ \E n \in Node : <<e.txn, n, "redone">> \in flushers
    /\ log[e.txn] = "commit"
    /\ \A k \in writes[e.txn] : IsPut(e.txn, k)
    /\ IF AllPut(e.txn) /\ IsUp(flusher[e.txn]) THEN Complete(e.txn) ELSE OtherCompletes(e)

OnRelease(e) == Release(e.txn)

OnAnswer(e) ==
    /\ <<e.txn, e.instance, "answered">> \in flushers
    /\ FlushEnded(e.txn)
    /\ Answer(e.txn)

\* By what the instances told earlier. Equivalent to Evict, but for versions that no snapshot needs.
OnEvict(e) ==
    /\ Serves(e.instance)
    /\ \A m \in Counted(e.instance) : e.below <= Floor(m)
    /\ npvs' = [n \in Node |-> [k \in Key |->
            IF n \in view[e.instance] THEN {v \in npvs[n][k] : v.until >= e.below} ELSE npvs[n][k]]]
    /\ UNCHANGED <<client, certifier, log, store, view, flush, history, faults>>

\* Whoever asked for it knew all instances, and no older put lives so long: one that arrives later is rejected. The snapshots of those that have left the
\* view since, or come back, are above all the same.
OnCollectTombstone(e) ==
    LET w == stored[e.key]
    IN  /\ e.commit = TsOf(w)
        /\ w # NoTxn /\ Value(w, e.key) = NoTxn
        /\ \A m \in Node : IsUp(m) => e.commit < Floor(m)
        /\ stored' = [stored EXCEPT ![e.key] = NoTxn]
        /\ latePuts' = {p \in latePuts : p[1] # e.key \/ commitTs[p[2]] > e.commit}
        /\ UNCHANGED <<client, certifier, log, overwritten, group, flush, history, faults>>

OnCrash(e) == Crash(e.instance)
OnCutOff(e) == CutOff(e.instance)

\* It is started, if it was down, and all that are up are in one view: Restart, and a Merge with each.
OnJoin(e) ==
    LET nodes == {e.instance} \cup {n \in Node : IsUp(n)}
    IN  /\ NewViews([n \in Node |-> IF n \in nodes THEN nodes ELSE {}])
        /\ npvs' = [n \in Node |-> IF n \in nodes THEN StateAfterMerge(n, nodes) ELSE npvs[n]]
        /\ UNCHANGED <<client, certifier, log, store, flusher, todo, reads, precedes, faults>>

\* The account: what the user was told, and how many keys he read of others and wrote, and how often he read. What the certifier or the log did not answer may be open.
OnTransaction(e) ==
    /\ e.told = "committed" => status[e.txn] = "committed"
    /\ e.told = "aborted" => log[e.txn] # "commit" /\ status[e.txn] \in {"aborted", "certified", "dead"}
    /\ e.told = "too_old" => status[e.txn] = "tooOld" /\ e.txn \in excused
    /\ e.told = "nothing" => status[e.txn] \in {"certified", "logged", "dead", "aborted"}
    /\ e.reads = Cardinality({r.key : r \in {x \in reads[e.txn] : ~x.own}})
    /\ e.writes = Cardinality(writes[e.txn])
    /\ e.looks = e.looked
    /\ UNCHANGED vars

OnRead(e) ==
    /\ \E r \in reads[e.txn] : r.key = e.key /\ ~r.own /\ TsOf(r.from) = e.from
    /\ UNCHANGED vars

OnWritten(e) ==
    /\ e.key \in writes[e.txn]
    /\ e.delete <=> e.key \in deletes[e.txn]
    /\ UNCHANGED vars

\* What the store has in the end.
OnCell(e) ==
    /\ e.commit = TsOf(stored[e.key])
    /\ UNCHANGED vars

Matches(e) ==
    CASE e.action = "Begin" -> OnBegin(e)
      [] e.action = "Write" -> OnWrite(e)
      [] e.action = "ReadOwnWrite" -> OnReadOwnWrite(e)
      [] e.action = "GetCell" -> OnGetCell(e)
      [] e.action = "GetVersion" -> OnGetVersion(e)
      [] e.action = "EndReadOnly" -> OnEndReadOnly(e)
      [] e.action = "Rollback" -> OnRollback(e)
      [] e.action = "RequestCommit" -> OnRequestCommit(e)
      [] e.action = "Record" -> OnRecord(e)
      [] e.action = "AppendRecord" -> OnAppendRecord(e)
      [] e.action = "AppendAbort" -> OnAppendAbort(e)
      [] e.action = "SaveArrives" -> OnSaveArrives(e)
      [] e.action = "Save" -> OnSave(e)
      [] e.action = "PutArrives" -> OnPutArrives(e)
      [] e.action = "Put" -> OnPut(e)
      [] e.action = "FindPut" -> OnFindPut(e)
      [] e.action = "Redo" -> OnRedo(e)
      [] e.action = "Complete" -> OnComplete(e)
      [] e.action = "Release" -> OnRelease(e)
      [] e.action = "Answer" -> OnAnswer(e)
      [] e.action = "Evict" -> OnEvict(e)
      [] e.action = "CollectTombstone" -> OnCollectTombstone(e)
      [] e.action = "Crash" -> OnCrash(e)
      [] e.action = "CutOff" -> OnCutOff(e)
      [] e.action = "Join" -> OnJoin(e)
      [] e.action = "Transaction" -> OnTransaction(e)
      [] e.action = "Read" -> OnRead(e)
      [] e.action = "Written" -> OnWritten(e)
      [] e.action = "Cell" -> OnCell(e)

\* What the event tells is known: its transaction, unless it has none, and instances.
OfNobody == {"Evict", "Crash", "CutOff", "Join", "Cell"}
Known(e) ==
    /\ e.txn \in Txn \/ e.action \in OfNobody
    /\ \A field \in {"instance", "member"} \cap DOMAIN e : e[field] \in Node

Match(e) ==
    /\ Known(e)
    /\ Matches(e)
    /\ Advances
    /\ held' = HeldAfter(view') \cup (IF e.action = "SaveArrives" THEN {<<e.txn, e.key, e.member, e.instance>>} ELSE {})
    /\ collected' = IF e.action = "CollectTombstone" THEN collected \cup {<<e.key, stored[e.key]>>} ELSE collected
    /\ done' = CASE e.action \in {"SaveArrives", "Save", "Put", "FindPut"} -> done \cup {What(e)}
                 [] e.action = "PutArrives" -> done \cup {<<e.action, e.txn, e.key, Arrived(e.txn, e.key), 0>>}
                 [] OTHER -> done
    /\ flushers' = flushers \cup (CASE e.action = "AppendRecord" -> {<<e.txn, e.instance, "answered">>}
                                     [] e.action = "Redo" -> {<<e.txn, e.instance, "redone">>}
                                     [] OTHER -> {})

-----------------------------------------------------------------------------

TraceInit ==
    /\ Init
    /\ RecordedInit
    /\ held = {}
    /\ flushers = {}
    /\ done = {}
    /\ collected = {}

TraceNext ==
    /\ matched < Len(Events)
    /\ Match(Events[matched + 1])

\* What the rest of the search depends on.
Searched == <<trace, matched, held, flushers, done, collected, client, certifier, log, store, group, flush, reads, excused>>
================================================================================
