---------------------------------- MODULE PH1 ----------------------------------
(***************************************************************************)
(* pH1 (Coelho et al., a transactional middleware for NoSQL): snapshot     *)
(* isolation over a store that keeps one value for each key.               *)
(*                                                                         *)
(* A transaction runs at an instance of the middleware, which buffers its  *)
(* writes. To commit, it asks the certifier, which detects conflicts and   *)
(* gives a commit timestamp. Then it is flushed: before a key is           *)
(* overwritten, its old value goes to the non-persistent version store     *)
(* (NPVS), memory that every instance holds a copy of. A reader takes the  *)
(* store's value if it is in its snapshot, and else a version of the NPVS. *)
(* Snapshots do not pass a commit that is still being flushed: the         *)
(* earliest of those is the read horizon.                                  *)
(*                                                                         *)
(* Beyond the paper: a transaction is committed by a record in a redo log  *)
(* before anything of it is written, so that any instance can end the      *)
(* flush of one that died. What was not logged is aborted by a record, so  *)
(* that the horizon moves. A version tells from when until when it was the *)
(* key's value, and a deletion is a value of the store, so a version that  *)
(* is missing is noticed: the reader is aborted.                           *)
(*                                                                         *)
(* The store reads and writes at quorum, and orders puts of a key by the   *)
(* commit timestamp. Instances form views; one that is not in a view of    *)
(* most of them commits nothing and reads no versions.                     *)
(*                                                                         *)
(* A comment that begins with "Guard" marks an operator whose removal must *)
(* violate a property: specs/mutants/PH1 has a mutant for each.            *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
    \* @type: Set(TXN);
    Txn,
    \* @type: Set(KEY);
    Key,
    \* The instances of the middleware. Each has a copy of the NPVS.  pH1 fig. 1
    \* @type: Set(NODE);
    Node,
    \* No transaction: whence a read of a missing key comes.
    \* @type: TXN;
    NoTxn,
    \* No key: what a client reads that reads nothing.
    \* @type: KEY;
    NoKey,
    \* What a write may store: a subset of {"value", "tombstone"}.
    \* @type: Set(Str);
    Contents,
    \* The instance at which each transaction runs.
    \* @type: TXN -> NODE;
    Home,
    \* Each transaction's session: who belongs to one sees what was committed in it.
    \* @type: TXN -> SESSION;
    Session

\* No timestamp. Timestamps are positive.
NoTs == 0

-----------------------------------------------------------------------------
(* Clients *)

\* Where each transaction stands. certified: it has a commit timestamp. logged: its record is in the redo log. committed: its
\* client was told; also the end of a read-only one. tooOld: a version that it needed is lost.  Lane: client
VARIABLE
    \* @type: TXN -> Str;
    status
TypeOKStatus ==
    status \in [Txn -> {"idle", "active", "certified", "logged", "committed", "aborted", "tooOld", "dead"}]

\* The snapshot: what was committed below it. Several transactions may have the same.  pH1 sec. 4-A: Ts  Lane: client
VARIABLE
    \* @type: TXN -> Int;
    readTs
TypeOKReadTs == readTs \in [Txn -> Nat]

\* The commit timestamp, also that of its cells in the store.  pH1 sec. 4-A: Tc  Lane: client
VARIABLE
    \* @type: TXN -> Int;
    commitTs
TypeOKCommitTs == commitTs \in [Txn -> Nat]

\* The write set, which is buffered.  pH1 Alg. 1: WriteSet  Lane: client
VARIABLE
    \* @type: TXN -> Set(KEY);
    writes
TypeOKWrites == writes \in [Txn -> SUBSET Key]

\* The keys of the write set that the transaction deletes.  pH1 Alg. 2  Lane: client
VARIABLE
    \* @type: TXN -> Set(KEY);
    deletes
TypeOKDeletes == \A t \in Txn : deletes[t] \subseteq writes[t]

\* The read in progress. version: the store's value is too new, the NPVS is to be asked.  Lane: client
VARIABLE
    \* @type: TXN -> { step: Str, key: KEY };
    cursor
TypeOKCursor == cursor \in [Txn -> [step : {"none", "version"}, key : Key \cup {NoKey}]]

-----------------------------------------------------------------------------
(* Certifier and redo log *)

\* The last commit timestamp given.  Lane: certifier
VARIABLE
    \* @type: Int;
    clock
TypeOKClock == clock \in Nat

\* The last commit timestamp given for a key.  Lane: certifier
VARIABLE
    \* @type: KEY -> Int;
    lastCommit
TypeOKLastCommit == lastCommit \in [Key -> Nat]

\* Those that were certified and whose flush has not ended.  pH1 sec. 4-B, Flush  Lane: certifier
VARIABLE
    \* @type: Set(TXN);
    flushing
TypeOKFlushing == flushing \subseteq Txn

\* The first record of each transaction decides: "commit" has its commit timestamp and its write set.  Lane: log
VARIABLE
    \* @type: TXN -> Str;
    log
TypeOKLog == log \in [Txn -> {"none", "commit", "abort"}]

-----------------------------------------------------------------------------
(* Store *)

\* Who wrote the cell of each key that a quorum returns; NoTxn where there is none.  Lane: key
VARIABLE
    \* @type: KEY -> TXN;
    stored
TypeOKStored == stored \in [Key -> Txn \cup {NoTxn}]

\* What was overwritten, and a single replica may still hold.  Lane: key
VARIABLE
    \* @type: KEY -> Set(TXN);
    overwritten
TypeOKOverwritten == overwritten \in [Key -> SUBSET (Txn \cup {NoTxn})]

\* Puts that were sent and may still arrive, or surface by read repair.  Lane: key
VARIABLE
    \* @type: Set(<<KEY, TXN>>);
    latePuts
TypeOKLatePuts == latePuts \subseteq Key \X Txn

-----------------------------------------------------------------------------
(* NPVS and flush *)

\* Each instance's copy: the versions of each key. One says: from this commit timestamp until that one, this transaction's value was
\* the key's.  pH1 sec. 4-C  Lane: node
VARIABLE
    \* @type: NODE -> (KEY -> Set({ from: Int, value: TXN, until: Int }));
    npvs
TypeOKNpvs ==
    \A n \in Node, k \in Key : npvs[n][k] \subseteq [from : Nat, value : Txn \cup {NoTxn}, until : Nat]

\* The instances that each one is in a view with; none, if it is down.  pH1 sec. 4-C: view  Lane: node
VARIABLE
    \* @type: NODE -> Set(NODE);
    view
TypeOKView == \A n \in Node : view[n] = {} \/ (n \in view[n] /\ \A m \in view[n] : view[m] = view[n])

\* Which instance flushes the transaction: its own, until another one takes over.  Lane: client
VARIABLE
    \* @type: TXN -> NODE;
    flusher
TypeOKFlusher == flusher \in [Txn -> Node]

\* The instances of which the flusher knows that they hold the old value of the key.  Lane: client
VARIABLE
    \* @type: TXN -> Set(<<KEY, NODE>>);
    saved
TypeOKSaved == \A t \in Txn : saved[t] \subseteq Key \X Node

\* The keys that are still to be put.  Lane: client
VARIABLE
    \* @type: TXN -> Set(KEY);
    todo
TypeOKTodo == \A t \in Txn : todo[t] \subseteq writes[t]

-----------------------------------------------------------------------------
(* History *)

\* What each transaction read.  Lane: client
VARIABLE
    \* @type: TXN -> Set({ key: KEY, from: TXN, own: Bool });
    reads
TypeOKReads == \A t \in Txn : reads[t] \subseteq [key : Key, from : Txn \cup {NoTxn}, own : BOOLEAN]

\* Those of its session whose commit was answered before this one began.  Lane: none
VARIABLE
    \* @type: TXN -> Set(TXN);
    precedes
TypeOKPrecedes == precedes \in [Txn -> SUBSET Txn]

\* Whose versions may be lost: their instance was cut off, or there was no view of most instances.  Lane: none
VARIABLE
    \* @type: Set(TXN);
    excused
TypeOKExcused == excused \subseteq Txn

\* How many things went wrong.  Lane: none
VARIABLE
    \* @type: Int;
    faults
TypeOKFaults == faults \in Nat

client == <<status, readTs, commitTs, writes, deletes, cursor>>
certifier == <<clock, lastCommit, flushing>>
store == <<stored, overwritten, latePuts>>
group == <<npvs, view>>
flush == <<flusher, saved, todo>>
history == <<reads, precedes, excused>>
vars == <<client, certifier, log, store, group, flush, history, faults>>

TypeOK ==
    /\ TypeOKStatus /\ TypeOKReadTs /\ TypeOKCommitTs /\ TypeOKWrites /\ TypeOKDeletes /\ TypeOKCursor /\ TypeOKClock
    /\ TypeOKLastCommit /\ TypeOKFlushing /\ TypeOKLog /\ TypeOKStored /\ TypeOKOverwritten /\ TypeOKLatePuts
    /\ TypeOKNpvs /\ TypeOKView /\ TypeOKFlusher /\ TypeOKSaved /\ TypeOKTodo /\ TypeOKReads /\ TypeOKPrecedes
    /\ TypeOKExcused /\ TypeOKFaults

NoRead == [step |-> "none", key |-> NoKey]

Init ==
    /\ status = [t \in Txn |-> "idle"]
    /\ readTs = [t \in Txn |-> NoTs]
    /\ commitTs = [t \in Txn |-> NoTs]
    /\ writes = [t \in Txn |-> {}]
    /\ deletes = [t \in Txn |-> {}]
    /\ cursor = [t \in Txn |-> NoRead]
    /\ clock = 0
    /\ lastCommit = [k \in Key |-> NoTs]
    /\ flushing = {}
    /\ log = [t \in Txn |-> "none"]
    /\ stored = [k \in Key |-> NoTxn]
    /\ overwritten = [k \in Key |-> {}]
    /\ latePuts = {}
    /\ npvs = [n \in Node |-> [k \in Key |-> {}]]
    /\ view = [n \in Node |-> Node]
    /\ flusher = Home
    /\ saved = [t \in Txn |-> {}]
    /\ todo = [t \in Txn |-> {}]
    /\ reads = [t \in Txn |-> {}]
    /\ precedes = [t \in Txn |-> {}]
    /\ excused = {}
    /\ faults = 0

\* What the application may read and write next, and what may go wrong; models restrict it.
\* @type: (TXN, KEY) => Bool;
MayRead(t, k) == TRUE
\* @type: (TXN, KEY, Str) => Bool;
MayWrite(t, k, content) == TRUE
\* @type: Bool;
MayFail == TRUE

\* An instance is up.
IsUp(n) == view[n] # {}

\* Guard: only a view of most instances saves and serves versions. Otherwise what is saved in one half is missing in the other.
IsMajority(nodes) == 2 * Cardinality(nodes) > Cardinality(Node)
Serves(n) == IsMajority(view[n])

\* The smallest of some timestamps.
Min(S) == CHOOSE x \in S : \A y \in S : x <= y

-----------------------------------------------------------------------------
(* Begin, write, read *)

\* Guard (pH1 sec. 4-B, Flush): snapshots do not pass a commit that is still being flushed.
Unflushed == flushing

\* The read horizon: the greatest snapshot that is given. Commits at it or above are not in it.
Horizon == Min({clock + 1} \cup {commitTs[t] : t \in Unflushed})

\* Whose commit was answered in t's session.
Earlier(t) == {a \in Txn : Session[a] = Session[t] /\ status[a] = "committed"}

\* Guard: the begin waits until the horizon has passed what was committed in its session.
SeesSession(t) == \A a \in Earlier(t) : commitTs[a] < Horizon

\* The certifier gives a snapshot, also to an instance that is cut off from the others.  pH1 sec. 4-A: Start Transaction
Begin(t) ==
    /\ status[t] = "idle" /\ IsUp(Home[t])
    /\ SeesSession(t)
    /\ readTs' = [readTs EXCEPT ![t] = Horizon]
    /\ status' = [status EXCEPT ![t] = "active"]
    /\ precedes' = [precedes EXCEPT ![t] = Earlier(t)]
    /\ excused' = IF Serves(Home[t]) THEN excused ELSE excused \cup {t}
    /\ UNCHANGED <<commitTs, writes, deletes, cursor, certifier, log, store, group, flush, reads, faults>>

\* The client is between two operations of its transaction.
Ready(t) == status[t] = "active" /\ cursor[t].step = "none"

\* A write or a delete enters the write set.  pH1 Alg. 1, Alg. 2
Write(t, k, content) ==
    /\ Ready(t) /\ MayWrite(t, k, content) /\ k \notin writes[t]
    /\ writes' = [writes EXCEPT ![t] = @ \cup {k}]
    /\ deletes' = IF content = "tombstone" THEN [deletes EXCEPT ![t] = @ \cup {k}] ELSE deletes
    /\ UNCHANGED <<status, readTs, commitTs, cursor, certifier, log, store, group, flush, history, faults>>

\* What a transaction that sees t's cell of k gets.
Value(t, k) == IF t # NoTxn /\ k \in deletes[t] THEN NoTxn ELSE t

\* When a cell was committed; what was never written is older than all.
TsOf(w) == IF w = NoTxn THEN NoTs ELSE commitTs[w]

\* Guard (pH1 Alg. 3): a transaction reads what it wrote itself from its write set.
IsOwnWrite(t, k) == k \in writes[t]

\* A read of a key that the transaction wrote.  pH1 Alg. 3
ReadOwnWrite(t, k) ==
    /\ Ready(t) /\ MayRead(t, k)
    /\ IsOwnWrite(t, k)
    /\ reads' = [reads EXCEPT ![t] = @ \cup {[key |-> k, from |-> Value(t, k), own |-> TRUE]}]
    /\ UNCHANGED <<client, certifier, log, store, group, flush, precedes, excused, faults>>

\* Guard (pH1 Alg. 3; erratum: the text has >= where the algorithm has >): commits below the snapshot are in it, others are not.
CommittedBefore(ts, t) == ts < readTs[t]

\* Guard (pH1 sec. 4-B, Read): a reader gets what a quorum has. The paper reads one replica, and tells staleness by an empty
\* result only.
ReaderMayGet(k) == {stored[k]}

\* The read of k ends with this value.
Return(t, k, from) ==
    /\ cursor' = [cursor EXCEPT ![t] = NoRead]
    /\ reads' = [reads EXCEPT ![t] = @ \cup {[key |-> k, from |-> from, own |-> k \in writes[t]]}]

\* The store is asked. Its cell decides, or is too new.  pH1 Alg. 3
GetCell(t, k) ==
    /\ Ready(t) /\ MayRead(t, k) /\ ~IsOwnWrite(t, k)
    /\ \E w \in ReaderMayGet(k) :
        IF CommittedBefore(TsOf(w), t) THEN Return(t, k, Value(w, k))
        ELSE cursor' = [cursor EXCEPT ![t] = [step |-> "version", key |-> k]] /\ UNCHANGED reads
    /\ UNCHANGED <<status, readTs, commitTs, writes, deletes, certifier, log, store, group, flush, precedes, excused,
                   faults>>

\* Guard (erratum to pH1 sec. 4-B, Read): a version serves the snapshots between its ends. The paper takes the latest one below the
\* snapshot, which is too old where a later one is missing.
Covers(v, ts) == v.from < ts /\ ts <= v.until

\* Guard (erratum to pH1 Alg. 3): a version that is not there is lost, so the reader is aborted. The paper says that the key never existed.
MissAborts == TRUE

\* The versions of k that t's instance has of t's snapshot.
Fitting(t, k) == {v \in npvs[Home[t]][k] : Serves(Home[t]) /\ Covers(v, readTs[t])}

\* The NPVS is asked, by the instance in its own copy.  pH1 Alg. 3
GetVersion(t) ==
    LET k == cursor[t].key
        fits == Fitting(t, k)
    IN  /\ cursor[t].step = "version"
        /\ IF fits # {} THEN (\E v \in fits : Return(t, k, Value(v.value, k))) /\ UNCHANGED status
           ELSE IF MissAborts
           THEN /\ status' = [status EXCEPT ![t] = "tooOld"]
                /\ cursor' = [cursor EXCEPT ![t] = NoRead]
                /\ UNCHANGED reads
           ELSE Return(t, k, NoTxn) /\ UNCHANGED status
        /\ UNCHANGED <<readTs, commitTs, writes, deletes, certifier, log, store, group, flush, precedes, excused, faults>>

\* A transaction that wrote nothing ends without a word to anybody.
EndReadOnly(t) ==
    /\ Ready(t) /\ writes[t] = {}
    /\ status' = [status EXCEPT ![t] = "committed"]
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, cursor, certifier, log, store, group, flush, history, faults>>

-----------------------------------------------------------------------------
(* Commit *)

\* Guard (pH1 sec. 2-B; erratum: by its formula any two transactions are concurrent): nobody who committed outside of this
\* transaction's snapshot wrote one of its keys.
NoConflict(t) == \A k \in writes[t] : lastCommit[k] < readTs[t]

Certify(t) ==
    /\ clock' = clock + 1
    /\ commitTs' = [commitTs EXCEPT ![t] = clock + 1]
    /\ lastCommit' = [k \in Key |-> IF k \in writes[t] THEN clock + 1 ELSE lastCommit[k]]
    /\ flushing' = flushing \cup {t}
    /\ todo' = [todo EXCEPT ![t] = writes[t]]

\* The certifier gives a commit timestamp, or refuses.  pH1 sec. 4-A: Try Commit
RequestCommit(t) ==
    /\ Ready(t) /\ writes[t] # {}
    /\ IF NoConflict(t)
       THEN Certify(t) /\ status' = [status EXCEPT ![t] = "certified"]
       ELSE /\ status' = [status EXCEPT ![t] = "aborted"]
            /\ UNCHANGED <<commitTs, certifier, todo>>
    /\ UNCHANGED <<readTs, writes, deletes, cursor, log, store, group, flusher, saved, history, faults>>

\* The request arrives when the instance that sent it has died.  not in pH1
LateRequest(t) ==
    /\ status[t] = "dead" /\ commitTs[t] = NoTs /\ writes[t] # {}
    /\ NoConflict(t)
    /\ Certify(t)
    /\ UNCHANGED <<status, readTs, writes, deletes, cursor, log, store, group, flusher, saved, history, faults>>

\* Guard: the first record decides. An instance that was slow finds that its transaction was aborted.
MayAppend(t) == log[t] = "none"

\* Guard: the client believes the log, not itself.
LogSaysCommit(t) == log'[t] = "commit"

\* The record is appended, and the transaction committed; or there is one already.  not in pH1
\* Where the answer is lost, the client appends again, and finds its own record: the same step.
AppendRecord(t) ==
    /\ status[t] = "certified"
    /\ log' = IF MayAppend(t) THEN [log EXCEPT ![t] = "commit"] ELSE log
    /\ status' = [status EXCEPT ![t] = IF LogSaysCommit(t) THEN "logged" ELSE "aborted"]
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, cursor, certifier, store, group, flush, history, faults>>

\* The record arrives when the instance that sent it has died: the transaction has committed, unless somebody has aborted it.  not in pH1
\* Here also that of a LateRequest, which nobody can have sent. Argued: the same as if the instance had died after its certification.
LateRecord(t) ==
    /\ status[t] = "dead" /\ commitTs[t] # NoTs
    /\ MayAppend(t) /\ log[t] # "commit"
    /\ log' = [log EXCEPT ![t] = "commit"]
    /\ UNCHANGED <<client, certifier, store, group, flush, history, faults>>

\* Guard: a transaction that has its record is not aborted any more.
MayAppendAbort(t) == log[t] = "none"

\* An instance that is in the way of the horizon, and may have died, gets a record that aborts its transaction.  not in pH1
AppendAbort(t) ==
    /\ t \in flushing
    /\ MayAppendAbort(t) /\ log[t] # "abort"
    /\ log' = [log EXCEPT ![t] = "abort"]
    /\ IF status[t] = "dead" THEN UNCHANGED faults ELSE MayFail /\ faults' = faults + 1
    /\ UNCHANGED <<client, certifier, store, group, flush, history>>

\* The certifier learns that a transaction was aborted.
Release(t) ==
    /\ t \in flushing /\ log[t] = "abort"
    /\ flushing' = flushing \ {t}
    /\ UNCHANGED <<client, clock, lastCommit, log, store, group, flush, history, faults>>

-----------------------------------------------------------------------------
(* Flush *)

\* Guard (erratum to pH1 sec. 4-B, Flush): nothing is written before the record is in the log. Otherwise an instance that dies in its
\* flush leaves one half, and nobody has the other.
MayFlush(t) == log[t] = "commit"

\* The transaction's flusher has still to put k.
Flushes(t, k) == t \in flushing /\ k \in todo[t] /\ IsUp(flusher[t]) /\ MayFlush(t)

\* Guard (pH1 sec. 4-B, Read): the flusher, too, gets what a quorum has. Otherwise it saves a version that was not the last one.
SaverMayGet(k) == {stored[k]}

\* Guard (erratum to pH1 sec. 4-B, Flush, "existing tuples"): that there was nothing is saved, too.
IsSaved(w) == TRUE

\* The old value of k reaches one instance's copy.  pH1 sec. 4-B, Flush
\* The store is read once for all of them, in the implementation. Argued: what a slower one saves is true for ever.
Save(t, k, n) ==
    /\ Flushes(t, k) /\ Serves(flusher[t])
    /\ n \in view[flusher[t]] /\ <<k, n>> \notin saved[t]
    /\ \E w \in SaverMayGet(k) :
        /\ TsOf(w) < commitTs[t]
        /\ npvs' = IF IsSaved(w)
                   THEN [npvs EXCEPT ![n][k] = @ \cup {[from |-> TsOf(w), value |-> w, until |-> commitTs[t]]}]
                   ELSE npvs
    /\ saved' = [saved EXCEPT ![t] = @ \cup {<<k, n>>}]
    /\ UNCHANGED <<client, certifier, log, store, view, flusher, todo, history, faults>>

\* Guard (pH1 sec. 4-B, Flush): a key is overwritten when all instances of the present view hold its old value.
SavedEverywhere(t, k) == \A n \in view[flusher[t]] : <<k, n>> \in saved[t]

\* Guard: the store keeps the cell with the greater commit timestamp, whenever a put arrives.
IsNewer(t, w) == TsOf(w) < commitTs[t]

\* Guard (erratum to pH1 Alg. 2): a delete stores that the key was deleted, and when. A reader of nothing could not tell whether that is
\* in its snapshot.
CellOf(t, k) == t

\* The store executes a put.
Store(t, k) ==
    IF IsNewer(t, stored[k])
    THEN /\ stored' = [stored EXCEPT ![k] = CellOf(t, k)]
         /\ overwritten' = [overwritten EXCEPT ![k] = @ \cup {stored[k]}]
    ELSE UNCHANGED <<stored, overwritten>>

\* The new value is put.  pH1 sec. 4-B, Flush
Put(t, k) ==
    /\ Flushes(t, k)
    /\ SavedEverywhere(t, k)
    /\ Store(t, k)
    /\ todo' = [todo EXCEPT ![t] = @ \ {k}]
    /\ UNCHANGED <<client, certifier, log, latePuts, group, flusher, saved, history, faults>>

\* The put is not answered: it may be stored late, or never, or be in one replica. The flusher sends it again.
DelayPut(t, k) ==
    /\ Flushes(t, k) /\ MayFail
    /\ SavedEverywhere(t, k)
    /\ latePuts' = latePuts \cup {<<k, t>>}
    /\ faults' = faults + 1
    /\ UNCHANGED <<client, certifier, log, stored, overwritten, group, flush, history>>

\* A put arrives late, or a quorum read finds it in one replica and repairs the others.
LatePut(t, k) ==
    /\ <<k, t>> \in latePuts
    /\ latePuts' = latePuts \ {<<k, t>>}
    /\ Store(t, k)
    /\ UNCHANGED <<client, certifier, log, group, flush, history, faults>>

\* The flusher finds its own value in the store, put by an earlier one.
FindPut(t, k) ==
    /\ Flushes(t, k)
    /\ TsOf(stored[k]) >= commitTs[t]
    /\ todo' = [todo EXCEPT ![t] = @ \ {k}]
    /\ UNCHANGED <<client, certifier, log, store, group, flusher, saved, history, faults>>

\* Guard: the flush has ended when all puts are answered.
AllPut(t) == todo[t] = {}

\* The certifier learns that the flush has ended.  pH1 sec. 4-B, Flush
Complete(t) ==
    /\ t \in flushing /\ log[t] = "commit" /\ IsUp(flusher[t])
    /\ AllPut(t)
    /\ flushing' = flushing \ {t}
    /\ UNCHANGED <<client, clock, lastCommit, log, store, group, flush, history, faults>>

\* Guard: the client is told when its values can be read.
FlushEnded(t) == t \notin flushing

\* The client is told that its transaction has committed.
Answer(t) ==
    /\ status[t] = "logged"
    /\ FlushEnded(t)
    /\ status' = [status EXCEPT ![t] = "committed"]
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, cursor, certifier, log, store, group, flush, history, faults>>

\* Another instance takes over the flush, with the record of the log. If the first one is alive, what it has saved it may still put.  not in pH1
\* What it still saves, and then puts, the new one would do as well.
Redo(t, n) ==
    /\ t \in flushing /\ log[t] = "commit"
    /\ flusher[t] # n /\ Serves(n)
    /\ latePuts' = IF IsUp(flusher[t]) THEN latePuts \cup {<<k, t>> : k \in {x \in todo[t] : SavedEverywhere(t, x)}}
                   ELSE latePuts
    /\ flusher' = [flusher EXCEPT ![t] = n]
    /\ saved' = [saved EXCEPT ![t] = {}]
    /\ todo' = [todo EXCEPT ![t] = writes[t]]
    /\ IF IsUp(flusher[t]) THEN MayFail /\ faults' = faults + 1 ELSE UNCHANGED faults
    /\ UNCHANGED <<client, certifier, log, stored, overwritten, group, history>>

-----------------------------------------------------------------------------
(* Eviction and collection *)

\* Guard: an instance counts its own snapshots.
SnapshotsAt(n) == {readTs[t] : t \in {x \in Txn : Home[x] = n /\ status[x] = "active"}}

\* Guard: and those that it may still get.
NextSnapshot == Horizon

\* No snapshot of the instance will be below. Instances tell each other; what they told earlier is lower.
Floor(n) == Min(SnapshotsAt(n) \cup {NextSnapshot})

\* Guard (erratum to pH1 sec. 4-B, end): whose snapshots count: those of all members. By the paper each instance looks at its own.
Counted(n) == view[n]

\* The versions are evicted in all of the view that are below the oldest snapshot.  pH1 sec. 4-C: Eviction message
Evict(n) ==
    LET bound == Min({Floor(m) : m \in Counted(n)})
        kept == [m \in Node |-> [k \in Key |->
                    IF m \in view[n] THEN {v \in npvs[m][k] : v.until >= bound} ELSE npvs[m][k]]]
    IN  /\ IsUp(n) /\ Serves(n)
        /\ kept # npvs
        /\ npvs' = kept
        /\ UNCHANGED <<client, certifier, log, store, view, flush, history, faults>>

\* Guard: a deletion goes when all snapshots are above it that the instance knows of.
AboveSnapshots(n, ts) == \A m \in view[n] : ts < Floor(m)

\* Guard: it knows of all. Also an instance that is cut off reads the store.
KnowsAll(n) == view[n] = Node

\* Guard: no older put is on its way: it would bring the key back. The implementation collects only what is older than any
\* message can be.
NoPutInFlight(k) == \A t \in Txn : <<k, t>> \in latePuts => commitTs[t] > TsOf(stored[k])

\* An instance removes the cell of a deleted key.
CollectTombstone(n, k) ==
    LET t == stored[k]
    IN  /\ IsUp(n)
        /\ t # NoTxn /\ Value(t, k) = NoTxn
        /\ AboveSnapshots(n, TsOf(t))
        /\ KnowsAll(n)
        /\ NoPutInFlight(k)
        /\ stored' = [stored EXCEPT ![k] = NoTxn]
        /\ UNCHANGED <<client, certifier, log, overwritten, latePuts, group, flush, history, faults>>

-----------------------------------------------------------------------------
(* What goes wrong *)

\* The application gives up.
Rollback(t) ==
    /\ Ready(t) /\ MayFail
    /\ status' = [status EXCEPT ![t] = "aborted"]
    /\ faults' = faults + 1
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, cursor, certifier, log, store, group, flush, history>>

\* Guard: after a change of views the flusher begins anew: who joined may have the state of one that the old value had not reached.
SavedAfter(t, v) == IF v[flusher[t]] = view[flusher[t]] THEN saved[t] ELSE {}

\* The instances have new views.
NewViews(v) ==
    /\ view' = v
    /\ saved' = [t \in Txn |-> SavedAfter(t, v)]
    /\ excused' = IF \A n \in Node : ~IsMajority(v[n]) THEN Txn
                  ELSE excused \cup {t \in Txn : status[t] = "active" /\ ~IsMajority(v[Home[t]])}

\* An instance dies: its transactions end, its copy is lost, and the others go on without it.
\* One step: until their view changes, what is saved waits for the one that died.
Crash(n) ==
    /\ IsUp(n) /\ MayFail
    /\ NewViews([m \in Node |-> IF m = n THEN {} ELSE view[m] \ {n}])
    /\ npvs' = [npvs EXCEPT ![n] = [k \in Key |-> {}]]
    /\ status' = [t \in Txn |->
           IF Home[t] = n /\ status[t] \in {"active", "certified", "logged"} THEN "dead" ELSE status[t]]
    /\ cursor' = [t \in Txn |-> IF Home[t] = n THEN NoRead ELSE cursor[t]]
    /\ faults' = faults + 1
    /\ UNCHANGED <<readTs, commitTs, writes, deletes, certifier, log, store, flusher, todo, reads, precedes>>

\* An instance is cut off from the others.
CutOff(n) ==
    /\ Cardinality(view[n]) > 1 /\ MayFail
    /\ NewViews([m \in Node |-> IF m = n THEN {n} ELSE view[m] \ {n}])
    /\ faults' = faults + 1
    /\ UNCHANGED <<client, certifier, log, store, npvs, flusher, todo, reads, precedes>>

\* An instance is started again, alone and with nothing.
Restart(n) ==
    /\ ~IsUp(n)
    /\ NewViews([view EXCEPT ![n] = {n}])
    /\ UNCHANGED <<client, certifier, log, store, npvs, flusher, todo, reads, precedes, faults>>

\* Guard (pH1 sec. 4-C): who joins gets the others' versions. All that any of them has is true.
StateAfterMerge(m, nodes) == [k \in Key |-> UNION {npvs[x][k] : x \in nodes}]

\* Two views become one.
Merge(n, m) ==
    LET nodes == view[n] \cup view[m]
    IN  /\ IsUp(n) /\ IsUp(m) /\ m \notin view[n]
        /\ NewViews([x \in Node |-> IF x \in nodes THEN nodes ELSE view[x]])
        /\ npvs' = [x \in Node |-> IF x \in nodes THEN StateAfterMerge(x, nodes) ELSE npvs[x]]
        /\ UNCHANGED <<client, certifier, log, store, flusher, todo, reads, precedes, faults>>

-----------------------------------------------------------------------------

\* Steps that a transaction's instance takes if nothing keeps it from it.
ClientStep(t) ==
    \/ EndReadOnly(t) \/ RequestCommit(t) \/ AppendRecord(t) \/ Answer(t) \/ GetVersion(t)
    \/ \E k \in Key : ReadOwnWrite(t, k) \/ GetCell(t, k)

FlushStep(t) ==
    \/ Complete(t) \/ Release(t)
    \/ \E k \in Key : Put(t, k) \/ FindPut(t, k) \/ \E n \in Node : Save(t, k, n)

\* Guard: somebody ends what a dead instance has left, so that the horizon moves.
SomebodyRedoes(t) == ~IsUp(flusher[t])
SomebodyAborts(t) == status[t] = "dead"
Recovery(t) ==
    \/ SomebodyRedoes(t) /\ \E n \in Node : Redo(t, n)
    \/ SomebodyAborts(t) /\ AppendAbort(t)

\* What applications do, what arrives late, and what is cleared away.
Arrival ==
    \/ \E t \in Txn : Begin(t) \/ LateRequest(t) \/ LateRecord(t)
    \/ \E t \in Txn, k \in Key : LatePut(t, k) \/ \E content \in Contents : Write(t, k, content)
    \/ \E n \in Node : Evict(n) \/ Restart(n) \/ \E m \in Node : Merge(n, m)
    \/ \E n \in Node, k \in Key : CollectTombstone(n, k)

\* What goes wrong; models bound how often.
Fault ==
    \/ \E t \in Txn : Rollback(t) \/ AppendAbort(t)
    \/ \E t \in Txn, n \in Node : Redo(t, n)
    \/ \E t \in Txn, k \in Key : DelayPut(t, k)
    \/ \E n \in Node : Crash(n) \/ CutOff(n)

Step == (\E t \in Txn : ClientStep(t) \/ FlushStep(t)) \/ Arrival

Next == Step \/ Fault

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* Properties *)

\* Those whose record is in the log: this is the commit.
Committed == {t \in Txn : log[t] = "commit"}

\* Those that have committed, who wrote nothing included.
Done == Committed \cup {t \in Txn : status[t] = "committed" /\ writes[t] = {}}

\* Snapshot, OwnWrites, FirstCommitterWins, NoDirtyRead, StrongSI (within a session), ReadStates, NoPhenomena: see Isolation.tla
History ==
    [done |-> Done,
     writes |-> writes, deletes |-> deletes, reads |-> reads, precedes |-> precedes,
     readTs |-> readTs, commitTs |-> commitTs]

INSTANCE Isolation WITH h <- History

\* What clients see: the commit is the record. Not the order of what was answered: that holds within a session.
Abstract ==
    INSTANCE SnapshotIsolation WITH
        Timestamps <- Nat, Unordered <- {},
        phase <- [t \in Txn |->
            IF t \in Done THEN "committed"
            ELSE IF status[t] = "idle" THEN "idle"
            ELSE IF status[t] \in {"aborted", "tooOld"} THEN "aborted" ELSE "active"],
        commitTs <- [t \in Txn |-> IF t \in Committed THEN commitTs[t] ELSE NoTs],
        writes <- [t \in Txn |-> IF t \in Committed THEN writes[t] ELSE {}],
        deletes <- [t \in Txn |-> IF t \in Committed THEN deletes[t] ELSE {}],
        reads <- [t \in Txn |-> {r \in reads[t] : ~r.own}],
        precedes <- [t \in Txn |-> {}], answered <- {}

\* Each step is one that a database with snapshot isolation may take. When it fails, what somebody has read or was told is no
\* longer so.
RefinesSnapshotIsolation == Abstract!Spec

\* What a client was told is what happened. When it fails, an application retries what was done, or believes in what was not.
AnswersTrue ==
    \A t \in Txn :
        /\ status[t] = "committed" /\ writes[t] # {} => t \in Committed
        /\ status[t] \in {"aborted", "tooOld"} => t \notin Committed

\* Who was told of a commit finds its values in the store, or newer ones, or they were deleted. When it fails, a commit that was
\* answered is lost.
AnsweredIsStored ==
    \A t \in Txn : status[t] = "committed" => \A k \in writes[t] :
        TsOf(stored[k]) >= commitTs[t] \/ \E d \in Committed : k \in deletes[d] /\ commitTs[d] >= commitTs[t]

\* Somebody who was certified outside of t's snapshot wrote one of its keys.
WasOverwritten(t) == \E w \in Txn \ {t} : commitTs[w] >= readTs[t] /\ writes[w] \cap writes[t] # {}

\* Nobody is aborted but for a conflict, and nobody loses a version while most instances stay together and he is with them. When
\* it fails, a user who is alone in the world is aborted, or the loss of one instance is noticed.
AbortsHaveReason ==
    \A t \in Txn :
        /\ status[t] = "aborted" /\ faults = 0 => WasOverwritten(t)
        /\ status[t] = "tooOld" => t \in excused

\* Reads never block: whatever others do, the next step of a read can be taken. When it fails, a user waits for somebody
\* else's transaction.  pH1 sec. 4-B
ReadsNeverBlock == \A t \in Txn : cursor[t].step # "none" => ENABLED GetVersion(t)

\* Every commit of a live client ends. When it fails, an application hangs.
CommitEnds == \A t \in Txn : []<>(status[t] \notin {"certified", "logged"})

\* The horizon moves in the end, whoever dies. When it fails, nobody ever sees what was committed later.
HorizonMoves == \A t \in Txn : []<>(t \notin flushing)

\* Live instances go on, and somebody ends what dead ones have left.
Fairness == \A t \in Txn : WF_vars(ClientStep(t)) /\ WF_vars(FlushStep(t)) /\ WF_vars(Recovery(t))

FairSpec == Spec /\ Fairness
=============================================================================
