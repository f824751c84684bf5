-------------------------------- MODULE Mediator --------------------------------
(***************************************************************************)
(* Mediator (SYSTOR'14): transactions, and native puts and gets that know  *)
(* nothing of them, on the same data; under snapshot isolation (Alg. 1 to  *)
(* 3) or serializability (Alg. 4).                                         *)
(*                                                                         *)
(* The status oracle (TSO) counts in steps of Delta. Each database server  *)
(* has a local clock that stamps native puts in steps of one. A fence      *)
(* lifts a local clock to a timestamp of the TSO: what is put there later  *)
(* is stamped later. A transaction fences the servers that it reads at     *)
(* with its start timestamp, and those of the keys that it is checked for  *)
(* with its commit timestamp: so no native put can still come between the  *)
(* two when the check looks for one.                                       *)
(*                                                                         *)
(* A transaction buffers its writes. To commit, it asks the TSO for a      *)
(* commit timestamp, which is refused if the ring of recent transactions   *)
(* has a conflict; else it is entered into the ring. Then the servers are  *)
(* fenced and checked for native puts, the write set is appended to the    *)
(* log (this is the commit), and written back to the database. Who begins  *)
(* meanwhile gets a replica of the ring and so knows which versions he has *)
(* to wait for. For a client that never comes to the end, the TSO's helper *)
(* reads the log: it writes back what is there, and aborts what is not, by *)
(* a record in the log. Of a transaction's records the first one counts.   *)
(* A TSO that failed is replaced by one that closes the log, writes back   *)
(* all that is in it, and begins with an empty ring and a later clock.     *)
(*                                                                         *)
(* One action is one message. A native put is two, the stamp and the store *)
(* (in the paper it is atomic, in HBase it is not), and so are a fence and *)
(* the look behind it, which waits for puts that were stamped before. A    *)
(* server that crashed, or opened a region, has lost its local clock: it   *)
(* asks the TSO for the time before it stamps again. Each key stands for   *)
(* the region it is in.                                                    *)
(*                                                                         *)
(* As in the paper, a transaction reads and writes a key at most once, and *)
(* does not read what it wrote.                                            *)
(*                                                                         *)
(* In Java each action is a method of its name. The client, Mediator in    *)
(* protocol, over interfaces for the oracle, the log and the servers:      *)
(* TxGet and TxCheckConflict, each one request for all keys of a server,   *)
(* which is fenced first; TxPut, GiveUp, EndReadOnly, TsoAbort, AppendLog, *)
(* WriteBack, TxCommit, LocalCommit. A region of a server, MediatorRegion  *)
(* in protocol: FenceRead, FenceCommit, NativePut and StorePut, which are  *)
(* the hooks before and after an unmodified client's put, and SyncServer;  *)
(* NativeGet is the store's own. The oracle, in tm: StatusOracle (Begin,   *)
(* TxTryCommit, TsoAbort, SettleEntry, Evict), CommitLog (which record is  *)
(* the first), Helper (HelperAbort, SettleEntry, Replay) and Recovery      *)
(* (CloseLog, Replay, OpenTso). Crash, CrashServer, CrashTso, DelayRecord, *)
(* LateRecord and ForgeFence happen to the program and are not done by it. *)
(*                                                                         *)
(* A comment that begins with "Guard" marks an operator whose removal must *)
(* violate a property: specs/mutants/Mediator has a mutant for each.       *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
    \* @type: Set(TXN);
    Txn,
    \* Native operations: each is one put or one get.
    \* @type: Set(TXN);
    Native,
    \* @type: Set(KEY);
    Key,
    \* No transaction: whence a read of a missing key comes.
    \* @type: TXN;
    NoTxn,
    \* Database servers.
    \* @type: Set(SERVER);
    Server,
    \* The server of each key.
    \* @type: KEY -> SERVER;
    Host,
    \* Who executes each transaction and native operation, one at a time.
    \* @type: TXN -> PROCESS;
    Process,
    \* The distance of two timestamps of the TSO; one less native puts fit in between.  SYSTOR'14 sec. 4.3
    \* @type: Int;
    Delta,
    \* TRUE for Alg. 4, FALSE for snapshot isolation.
    \* @type: Bool;
    Serializable

\* Transactions and native operations.
Op == Txn \cup Native

\* No timestamp. Timestamps are positive.
NoTs == 0

-----------------------------------------------------------------------------
(* Clients *)

\* Where each client stands. certified: it has a commit timestamp, and is checked. unknown: its record was sent and not
\* answered. committed: its record is in the log. stamped: its put (native, or a put transaction's) has its timestamp,
\* and is not stored. closed: answered. lost: the server crashed before it stored the native put.  Lane: client
VARIABLE
    \* @type: TXN -> Str;
    status
TypeOKStatus ==
    /\ \A t \in Txn :
        status[t] \in {"idle", "active", "certified", "unknown", "committed", "stamped", "closed", "aborted", "dead"}
    /\ \A n \in Native : status[n] \in {"idle", "stamped", "closed", "lost"}

\* The start timestamp.  SYSTOR'14 sec. 4.2: ts_s  Lane: client
VARIABLE
    \* @type: TXN -> Int;
    readTs
TypeOKReadTs == readTs \in [Op -> Nat]

\* The commit timestamp that the TSO gave, or the stamp of a put.  SYSTOR'14 sec. 4.2: ts_c  Lane: client
VARIABLE
    \* @type: TXN -> Int;
    commitTs
TypeOKCommitTs == commitTs \in [Op -> Nat]

\* The write set.  SYSTOR'14 sec. 4.2  Lane: client
VARIABLE
    \* @type: TXN -> Set(KEY);
    writes
TypeOKWrites == writes \in [Op -> SUBSET Key]

\* What each has read.  SYSTOR'14 sec. 4.2: the read set  Lane: client
VARIABLE
    \* @type: TXN -> Set({ key: KEY, from: TXN, own: Bool });
    reads
TypeOKReads == \A o \in Op : reads[o] \subseteq [key : Key, from : Op \cup {NoTxn}, own : {FALSE}]

\* The transactions that were in the ring and not aborted when this one began.  SYSTOR'14 sec. 4.2: the replica of the
\* TSO's state  Lane: client
VARIABLE
    \* @type: TXN -> Set(TXN);
    replica
TypeOKReplica == replica \in [Txn -> SUBSET Txn]

\* The keys whose server has the transaction's fence: while it is active that of its start, then that of its commit.
\* SYSTOR'14 Alg. 3, sync  Lane: client
VARIABLE
    \* @type: TXN -> Set(KEY);
    fenced
TypeOKFenced == fenced \in [Txn -> SUBSET Key]

\* The keys that were found free of conflicts with native puts.  SYSTOR'14 Alg. 3, txCheckConflict  Lane: client
VARIABLE
    \* @type: TXN -> Set(KEY);
    checked
TypeOKChecked == checked \in [Txn -> SUBSET Key]

-----------------------------------------------------------------------------
(* Status oracle *)

\* The last timestamp that was given.  SYSTOR'14 sec. 4.1  Lane: TSO
VARIABLE
    \* @type: Int;
    clock
TypeOKClock == clock \in Nat /\ clock % Delta = 0

\* Whether the TSO serves. replaying: a new one has closed the log, and writes it back.  SYSTOR'14 sec. 2  Lane: TSO
VARIABLE
    \* @type: Str;
    tso
TypeOKTso == tso \in {"up", "down", "replaying"}

\* The ring's entries, by their status.  SYSTOR'14 Alg. 2: TxEntry  Lane: TSO
VARIABLE
    \* @type: TXN -> Str;
    ring
TypeOKRing == ring \in [Txn -> {"none", "active", "committed", "aborted"}]

\* The keys that an entry's Bloom filter holds: those of the write set, and others by chance.  SYSTOR'14 Alg. 2: writeBF
\* Lane: TSO
VARIABLE
    \* @type: TXN -> Set(KEY);
    filter
TypeOKFilter == filter \in [Txn -> SUBSET Key]

\* Transactions that began before it cannot commit: the ring has forgotten later ones.  SYSTOR'14 Alg. 2:
\* ts_min  Lane: TSO
VARIABLE
    \* @type: Int;
    tsMin
TypeOKTsMin == tsMin \in Nat

-----------------------------------------------------------------------------
(* Log and database *)

\* The first record of each transaction in the log. The order of different transactions' records says nothing: their
\* timestamps tell.  SYSTOR'14 sec. 2  Lane: log
VARIABLE
    \* @type: TXN -> Str;
    log
TypeOKLog == log \in [Txn -> {"none", "commit", "abort"}]

\* Records that were sent and may still arrive.  Lane: log
VARIABLE
    \* @type: Set(TXN);
    lateRecords
TypeOKLateRecords == lateRecords \subseteq Txn

\* The local clock of each server.  SYSTOR'14 sec. 4.1  Lane: server
VARIABLE
    \* @type: SERVER -> Int;
    local
TypeOKLocal == local \in [Server -> Nat]

\* The servers that have asked the TSO for the time since they were started.  Lane: server
VARIABLE
    \* @type: Set(SERVER);
    synced
TypeOKSynced == synced \subseteq Server

\* The versions of each key, by who wrote them, with their timestamps; NoTs where there is none.  SYSTOR'14 sec.
\* 2  Lane: key
VARIABLE
    \* @type: KEY -> (TXN -> Int);
    version
TypeOKVersion == version \in [Key -> [Op -> Nat]]

-----------------------------------------------------------------------------
(* History *)

\* What was answered before this was begun.  Lane: none
VARIABLE
    \* @type: TXN -> Set(TXN);
    precedes
TypeOKPrecedes == precedes \in [Op -> SUBSET Op]

\* How many things went wrong.  Lane: none
VARIABLE
    \* @type: Int;
    faults
TypeOKFaults == faults \in Nat

client == <<status, readTs, commitTs, writes, reads, replica, fenced, checked>>
oracle == <<clock, tso, ring, filter, tsMin>>
database == <<local, synced, version>>
vars == <<client, oracle, log, lateRecords, database, precedes, faults>>

TypeOK ==
    /\ TypeOKStatus /\ TypeOKReadTs /\ TypeOKCommitTs /\ TypeOKWrites /\ TypeOKReads /\ TypeOKReplica /\ TypeOKFenced
    /\ TypeOKChecked /\ TypeOKClock /\ TypeOKTso /\ TypeOKRing /\ TypeOKFilter /\ TypeOKTsMin /\ TypeOKLog
    /\ TypeOKLateRecords /\ TypeOKLocal /\ TypeOKSynced /\ TypeOKVersion /\ TypeOKPrecedes /\ TypeOKFaults

Init ==
    /\ status = [o \in Op |-> "idle"]
    /\ readTs = [o \in Op |-> NoTs]
    /\ commitTs = [o \in Op |-> NoTs]
    /\ writes = [o \in Op |-> {}]
    /\ reads = [o \in Op |-> {}]
    /\ replica = [t \in Txn |-> {}]
    /\ fenced = [t \in Txn |-> {}]
    /\ checked = [t \in Txn |-> {}]
    /\ clock = 0
    /\ tso = "up"
    /\ ring = [t \in Txn |-> "none"]
    /\ filter = [t \in Txn |-> {}]
    /\ tsMin = NoTs
    /\ log = [t \in Txn |-> "none"]
    /\ lateRecords = {}
    /\ local = [s \in Server |-> 0]
    /\ synced = Server
    /\ version = [k \in Key |-> [o \in Op |-> NoTs]]
    /\ precedes = [o \in Op |-> {}]
    /\ faults = 0

\* What the application may do next, and what may go wrong; models restrict it.
\* @type: (TXN, KEY) => Bool;
MayRead(o, k) == TRUE
\* @type: (TXN, KEY) => Bool;
MayWrite(o, k) == TRUE
\* @type: Bool;
MayFail == TRUE

-----------------------------------------------------------------------------
(* Versions *)

\* The timestamp of o's version of k; zero for the initial value.
TsOf(k, o) == IF o = NoTxn THEN 0 ELSE version[k][o]

\* What a read of k before ts finds.  SYSTOR'14 Alg. 3, lastVersionBefore
LastBefore(k, ts) ==
    LET older == {o \in Op : version[k][o] # NoTs /\ version[k][o] < ts}
    IN  IF older = {} THEN NoTxn ELSE CHOOSE o \in older : \A x \in older : version[k][x] <= version[k][o]

\* What a native get finds.  SYSTOR'14 Alg. 3, lastVersion
Last(k) ==
    LET all == {o \in Op : version[k][o] # NoTs}
    IN  IF all = {} THEN NoTxn ELSE CHOOSE o \in all : \A x \in all : version[k][x] <= version[k][o]

\* A temporal fence: the local clock is lifted, and never goes back.  SYSTOR'14 Alg. 3, sync
Fence(s, ts) == local' = [local EXCEPT ![s] = IF ts > @ THEN ts ELSE @]

-----------------------------------------------------------------------------
(* Begin and read *)

\* Guard (erratum to SYSTOR'14 Lemma 4, claim 2): a process does nothing else while its transaction or native operation is
\* in progress. What it puts natively after its transaction has begun, the transaction need not see.
ProcessIsFree(o) ==
    \A x \in Op :
        x # o /\ Process[x] = Process[o] => status[x] \in {"idle", "closed", "aborted", "lost"}

\* What was answered before o is begun.
\* The request may be sent earlier. Argued, not checked: sending it late only adds to what it must come after.
Start(o) == precedes' = [precedes EXCEPT ![o] = {x \in Op : status[x] = "closed"}]

\* Guard (SYSTOR'14 Lemma 1): the replica holds all that may have an earlier timestamp and is not yet written back. An
\* entry counts from the moment it enters the ring, not only when its status is COMMITTED.
InReplica(w) == ring[w] \in {"active", "committed"}

\* The TSO gives a start timestamp and a replica of the ring.  SYSTOR'14 sec. 4.2
\* Under serializability the replica is not used.
Begin(t) ==
    /\ status[t] = "idle" /\ tso = "up"
    /\ ProcessIsFree(t)
    /\ Start(t)
    /\ clock' = clock + Delta
    /\ readTs' = [readTs EXCEPT ![t] = clock + Delta]
    /\ replica' = [replica EXCEPT ![t] = IF Serializable THEN {} ELSE {w \in Txn : InReplica(w)}]
    /\ status' = [status EXCEPT ![t] = "active"]
    /\ UNCHANGED <<commitTs, writes, reads, fenced, checked, tso, ring, filter, tsMin, log, lateRecords, database,
                   faults>>

\* The transaction may read k next.
Reads(t, k) ==
    /\ status[t] = "active" /\ MayRead(t, k)
    /\ k \notin writes[t]
    /\ \A r \in reads[t] : r.key # k

\* Guard (SYSTOR'14 Alg. 3, line 87): before a transaction looks, the local clock is lifted to its start. What is put
\* later is not in its snapshot.
ReadFence(t) == readTs[t]

\* Guard (erratum to SYSTOR'14 Alg. 3, sync): a fence lifts the local clock only to what the TSO has given. Whoever may read
\* sends what timestamp he likes.
\* The server asks the TSO where it does not know: ClockBound.tla has the steps, and that no timestamp which was given is
\* refused. Here it knows even while there is no TSO; that only adds behaviours.
CanBeGiven(ts) == ts < clock + Delta

\* The server of a key is fenced for a read.  SYSTOR'14 Alg. 3, line 87
FenceRead(t, k) ==
    /\ ~Serializable
    /\ Reads(t, k)
    /\ k \notin fenced[t]
    /\ CanBeGiven(ReadFence(t))
    /\ Fence(Host[k], ReadFence(t))
    /\ fenced' = [fenced EXCEPT ![t] = @ \cup {k}]
    /\ UNCHANGED <<status, readTs, commitTs, writes, reads, replica, checked, oracle, log, lateRecords, synced, version,
                   precedes, faults>>

\* The timestamps that somebody may make up: any, as far as two that the TSO has not given.
Forgeable == 0..(clock + 2 * Delta)

\* A stranger, who may only read, fences a server with a timestamp that he made up. One that is refused changes nothing.
ForgeFence(s) ==
    \E ts \in Forgeable :
        /\ CanBeGiven(ts)
        /\ Fence(s, ts)
        /\ UNCHANGED <<client, oracle, log, lateRecords, synced, version, precedes, faults>>

\* Guard (erratum to SYSTOR'14 Alg. 3, put): a put that was stamped before the fence may be stored after it. Who looks
\* behind a fence waits for such puts of the key. In the paper put and sync are atomic.
OlderPutsStored(k, ts) == \A o \in Op : status[o] = "stamped" /\ k \in writes[o] => commitTs[o] > ts

\* The latest version before t's start that the replica knows of, zero if none.  SYSTOR'14 Alg. 1, latestCommitted
LatestCommitted(t, k) ==
    LET writers == {w \in replica[t] : k \in filter[w] /\ commitTs[w] < readTs[t]}
    IN  IF writers = {} THEN 0 ELSE commitTs[CHOOSE w \in writers : \A x \in writers : commitTs[x] <= commitTs[w]]

\* Guard (SYSTOR'14 Alg. 1, line 5): what was read is not older than what the ring says is due.
IsDue(t, k, from) == TsOf(k, from) >= LatestCommitted(t, k)

\* Guard (SYSTOR'14 Alg. 3, line 88): a snapshot has what was written before the start, and nothing later.
SnapshotAt(t, k) == LastBefore(k, readTs[t])

\* The transaction notes what it has read. (What its process put natively in between precedes it; there is nothing if
\* ProcessIsFree.)
Return(t, k, from) ==
    /\ reads' = [reads EXCEPT ![t] = @ \cup {[key |-> k, from |-> from, own |-> FALSE]}]
    /\ precedes' = [precedes EXCEPT ![t] =
           @ \cup {n \in Native : Process[n] = Process[t] /\ status[n] = "closed" /\ k \in writes[n]}]

\* A transaction reads: under snapshot isolation what was there at its start, and only if that has been written back;
\* under serializability the latest version.  SYSTOR'14 Alg. 1, txGet; Alg. 4, txGet
\* An attempt that fails does nothing, so only the last one counts.
TxGet(t, k) ==
    /\ Reads(t, k)
    /\ IF Serializable THEN Return(t, k, Last(k))
       ELSE /\ k \in fenced[t]
            /\ OlderPutsStored(k, readTs[t])
            /\ IsDue(t, k, SnapshotAt(t, k))
            /\ Return(t, k, SnapshotAt(t, k))
    /\ UNCHANGED <<status, readTs, commitTs, writes, replica, fenced, checked, oracle, log, lateRecords, database,
                   faults>>

\* The transaction cannot read what is due, and is aborted.  SYSTOR'14 Alg. 1, line 8
\* An application that gives up by itself is not modelled: nobody sees an active transaction but by its fences.
GiveUp(t) ==
    /\ status[t] = "active"
    /\ \E k \in fenced[t] : Reads(t, k) /\ ~IsDue(t, k, SnapshotAt(t, k))
    /\ status' = [status EXCEPT ![t] = "aborted"]
    /\ UNCHANGED <<readTs, commitTs, writes, reads, replica, fenced, checked, oracle, log, lateRecords, database,
                   precedes, faults>>

\* A transactional put is buffered.  SYSTOR'14 sec. 4.2
TxPut(t, k) ==
    /\ status[t] = "active" /\ MayWrite(t, k)
    /\ k \notin writes[t]
    /\ writes' = [writes EXCEPT ![t] = @ \cup {k}]
    /\ UNCHANGED <<status, readTs, commitTs, reads, replica, fenced, checked, oracle, log, lateRecords, database,
                   precedes, faults>>

-----------------------------------------------------------------------------
(* Commit: the TSO's part *)

\* What the transaction is checked for: what it writes, or under serializability what it has read.  SYSTOR'14 Alg. 1,
\* lines 26 to 29
ConflictSet(t) == IF Serializable THEN {r.key : r \in reads[t]} ELSE writes[t]

\* The timestamp since when nobody else may have written the key: the start, or that of the version that was read.
\* SYSTOR'14 sec. 4.2
Since(t, k) ==
    IF Serializable THEN TsOf(k, (CHOOSE r \in reads[t] : r.key = k).from) ELSE readTs[t]

\* A transaction of one put commits as a native one.  SYSTOR'14 Alg. 1, line 13
IsPutTransaction(t) == reads[t] = {} /\ Cardinality(writes[t]) = 1

\* Guard (SYSTOR'14 sec. 4.5): under serializability a read-only transaction is validated like any other.
NeedsNoCommit(t) == writes[t] = {} /\ ~Serializable

\* Guard (SYSTOR'14 Alg. 2, line 52): the ring goes back to the transaction's start.
RingReachesBack(t) == tsMin <= readTs[t]

\* Guard (SYSTOR'14 Alg. 2, line 68): an entry counts before its transaction is known to have committed.
Counts(w) == ring[w] \in {"active", "committed"}

\* Guard (SYSTOR'14 Alg. 2, lines 64 to 70, with erratum to 67): no entry that is later than what the transaction has
\* seen of the key holds it. Each key is compared, whatever was found for the others; and under serializability the
\* version that was read is not a conflict with itself.
NoConflictInRing(t) ==
    \A w \in Txn : Counts(w) => \A k \in ConflictSet(t) : k \in filter[w] => commitTs[w] <= Since(t, k)

\* Guard (SYSTOR'14 sec. 4.3): a Bloom filter never misses a key.
\* @type: (Set(KEY)) => Set(Set(KEY));
FiltersFor(keys) == {f \in SUBSET Key : keys \subseteq f}

\* The TSO gives a commit timestamp and appends to the ring, or refuses.  SYSTOR'14 Alg. 2, txTryCommit
\* A refusal takes no timestamp here, and a transaction without writes leaves no entry. Argued, not checked: a timestamp that
\* nobody holds is compared with nothing, and an empty filter meets nobody.
TxTryCommit(t) ==
    /\ status[t] = "active" /\ tso = "up"
    /\ reads[t] # {} \/ writes[t] # {}
    /\ ~IsPutTransaction(t) /\ ~NeedsNoCommit(t)
    /\ IF RingReachesBack(t) /\ NoConflictInRing(t)
       THEN /\ clock' = clock + Delta
            /\ commitTs' = [commitTs EXCEPT ![t] = clock + Delta]
            /\ ring' = IF writes[t] = {} THEN ring ELSE [ring EXCEPT ![t] = "active"]
            /\ \E f \in FiltersFor(writes[t]) :
                filter' = IF writes[t] = {} THEN filter ELSE [filter EXCEPT ![t] = f]
            /\ status' = [status EXCEPT ![t] = "certified"]
       ELSE /\ status' = [status EXCEPT ![t] = "aborted"]
            /\ UNCHANGED <<clock, commitTs, ring, filter>>
    /\ fenced' = [fenced EXCEPT ![t] = {}]
    /\ UNCHANGED <<readTs, writes, reads, replica, checked, tso, tsMin, log, lateRecords, database, precedes, faults>>

-----------------------------------------------------------------------------
(* Commit: the servers' part *)

\* Guard (SYSTOR'14 Alg. 3, line 90): the set of native puts up to the commit timestamp is sealed before it is tested.
CommitFence(t) == commitTs[t]

\* Guard (erratum to SYSTOR'14 Alg. 4): under serializability, too, the servers of the write set are fenced. Otherwise a
\* put that follows the transaction there may be stamped before it.
NeedFence(t) == ConflictSet(t) \cup writes[t]

\* The server of a key is fenced for the check.  SYSTOR'14 Alg. 3, line 90
FenceCommit(t, k) ==
    /\ status[t] = "certified"
    /\ k \in NeedFence(t) \ fenced[t]
    /\ CanBeGiven(CommitFence(t))
    /\ Fence(Host[k], CommitFence(t))
    /\ fenced' = [fenced EXCEPT ![t] = @ \cup {k}]
    /\ UNCHANGED <<status, readTs, commitTs, writes, reads, replica, checked, oracle, log, lateRecords, synced, version,
                   precedes, faults>>

\* Guard (SYSTOR'14 Alg. 3, line 90): the fence comes before the look.
IsSealed(t, k) == k \in fenced[t]

\* Guard (SYSTOR'14 Alg. 3, txCheckConflict): all versions count, not native ones only as in the text of sec. 4.4. Under
\* serializability ts_min does not tell of a transaction that was written back only after its key was read.
MayConflict(o) == TRUE

\* Guard (SYSTOR'14 Alg. 3, lines 91 to 94): nobody has written the key in between.
NoConflictInDatabase(t, k) ==
    \A o \in Op : MayConflict(o) => version[k][o] <= Since(t, k) \/ version[k][o] >= commitTs[t]

\* A server looks for conflicts in one key.  SYSTOR'14 Alg. 3, txCheckConflict
TxCheckConflict(t, k) ==
    /\ status[t] = "certified"
    /\ k \in ConflictSet(t) \ checked[t]
    /\ IsSealed(t, k)
    /\ OlderPutsStored(k, commitTs[t])
    /\ IF NoConflictInDatabase(t, k)
       THEN checked' = [checked EXCEPT ![t] = @ \cup {k}] /\ UNCHANGED status
       ELSE status' = [status EXCEPT ![t] = "aborted"] /\ UNCHANGED checked
    /\ UNCHANGED <<readTs, commitTs, writes, reads, replica, fenced, oracle, log, lateRecords, database, precedes,
                   faults>>

\* The client tells the TSO that it was aborted by the check.  SYSTOR'14 Alg. 1, line 33
\* It has sent no record and never will, so no record is needed for the abort either.
TsoAbort(t) ==
    /\ status[t] = "aborted" /\ ring[t] = "active" /\ tso = "up"
    /\ ring' = [ring EXCEPT ![t] = "aborted"]
    /\ UNCHANGED <<client, clock, tso, filter, tsMin, log, lateRecords, database, precedes, faults>>

\* Guard (SYSTOR'14 Alg. 1, line 30): all keys are checked, and all servers fenced, before the transaction commits.
IsChecked(t) == checked[t] = ConflictSet(t) /\ fenced[t] = NeedFence(t)

\* A read-only transaction ends: at once, or under serializability when it was validated.  SYSTOR'14 Alg. 1, line 11;
\* Alg. 4, line 114
EndReadOnly(t) ==
    /\ writes[t] = {} /\ reads[t] # {}
    /\ \/ (status[t] = "active" /\ NeedsNoCommit(t))
       \/ (status[t] = "certified" /\ IsChecked(t))
    /\ status' = [status EXCEPT ![t] = "closed"]
    /\ UNCHANGED <<readTs, commitTs, writes, reads, replica, fenced, checked, oracle, log, lateRecords, database,
                   precedes, faults>>

-----------------------------------------------------------------------------
(* Commit: log and write-back *)

\* Guard (SYSTOR'14 sec. 2): of a transaction's records the first one counts. An abort that is in the log stays.
LogAfterRecord(t) == IF log[t] = "none" THEN "commit" ELSE log[t]

\* The write set is appended to the log: this is the commit. The answer tells what the first record is; a client whose
\* record was not answered asks again in this way.  SYSTOR'14 Alg. 1, line 37
AppendLog(t) ==
    /\ writes[t] # {}
    /\ (status[t] = "certified" /\ IsChecked(t)) \/ status[t] = "unknown"
    /\ log' = [log EXCEPT ![t] = LogAfterRecord(t)]
    /\ status' = [status EXCEPT ![t] = IF LogAfterRecord(t) = "commit" THEN "committed" ELSE "aborted"]
    /\ UNCHANGED <<readTs, commitTs, writes, reads, replica, fenced, checked, oracle, lateRecords, database, precedes,
                   faults>>

\* The record is sent, and no answer comes: it may arrive late, or never. (Also the death of the client.)
DelayRecord(t) ==
    /\ writes[t] # {} /\ MayFail
    /\ status[t] = "certified" /\ IsChecked(t)
    /\ status' = [status EXCEPT ![t] = "unknown"]
    /\ lateRecords' = lateRecords \cup {t}
    /\ faults' = faults + 1
    /\ UNCHANGED <<readTs, commitTs, writes, reads, replica, fenced, checked, oracle, log, database, precedes>>

\* A record arrives late; if it was sent again, for the second time.
LateRecord(t) ==
    /\ t \in lateRecords
    /\ lateRecords' = lateRecords \ {t}
    /\ log' = [log EXCEPT ![t] = LogAfterRecord(t)]
    /\ UNCHANGED <<client, oracle, database, precedes, faults>>

\* Guard (SYSTOR'14 Alg. 1, line 37): nothing is written back that is not in the log.
MayWriteBack(t) == status[t] = "committed"

\* A version is stored.
Store(k, o, ts) == version' = [version EXCEPT ![k][o] = ts]

\* The client writes one key back.  SYSTOR'14 Alg. 1, line 38
WriteBack(t, k) ==
    /\ status[t] \in {"certified", "committed"} /\ IsChecked(t)
    /\ MayWriteBack(t)
    /\ k \in writes[t] /\ version[k][t] = NoTs
    /\ Store(k, t, commitTs[t])
    /\ UNCHANGED <<client, oracle, log, lateRecords, local, synced, precedes, faults>>

\* Guard (SYSTOR'14 Alg. 1, lines 38 and 39): a commit is answered, and its entry complete, when all is written back.
IsWrittenBack(t) == \A k \in writes[t] : version[k][t] # NoTs

\* The commit is answered, and the TSO told, but not waited for: see SettleEntry.  SYSTOR'14 Alg. 1, line 39
TxCommit(t) ==
    /\ status[t] = "committed"
    /\ IsWrittenBack(t)
    /\ status' = [status EXCEPT ![t] = "closed"]
    /\ UNCHANGED <<readTs, commitTs, writes, reads, replica, fenced, checked, oracle, log, lateRecords, database,
                   precedes, faults>>

\* A client dies. What it did stays; nothing more comes from it. (In "unknown" nothing need come anyway.)
Crash(t) ==
    /\ status[t] \in {"active", "certified", "committed"} /\ MayFail
    /\ status' = [status EXCEPT ![t] = "dead"]
    /\ faults' = faults + 1
    /\ UNCHANGED <<readTs, commitTs, writes, reads, replica, fenced, checked, oracle, log, lateRecords, database,
                   precedes>>

-----------------------------------------------------------------------------
(* Native operations, and put transactions *)

\* Guard: the assumption that Delta is much greater than one, as a rule: a server has drawn all stamps up to the next
\* timestamp of the TSO, and waits until it has asked for the time. In the paper nothing happens, if the load is as
\* assumed. SYSTOR'14 sec. 4.3
RoomLeft(s) == (local[s] + 1) % Delta # 0

\* More than three quarters of the stamps up to the next timestamp are drawn: it asks early, so that puts need not wait. With a
\* Delta of 4 or less that is all of them.
RoomLow(s) == 4 * ((local[s] % Delta) + 1) > 3 * Delta

\* Guard: after a crash, or with a new region, a server knows neither the fences nor the stamps that were before.
KnowsTheTime(s) == s \in synced

\* A server stamps o's put of k, by its clock or by what it was told if that is later.
StampPut(o, k, atLeast) ==
    LET s == Host[k]
        last == IF atLeast > local[s] THEN atLeast ELSE local[s]
    IN  /\ KnowsTheTime(s) /\ RoomLeft(s)
        /\ CanBeGiven(atLeast)
        /\ local' = [local EXCEPT ![s] = last + 1]
        /\ commitTs' = [commitTs EXCEPT ![o] = last + 1]
        /\ status' = [status EXCEPT ![o] = "stamped"]

\* A native put is stamped.  SYSTOR'14 Alg. 3, line 84
NativePut(n, k) ==
    /\ status[n] = "idle" /\ MayWrite(n, k)
    /\ ProcessIsFree(n)
    /\ Start(n)
    /\ StampPut(n, k, 0)
    /\ writes' = [writes EXCEPT ![n] = {k}]
    /\ UNCHANGED <<readTs, reads, replica, fenced, checked, oracle, log, lateRecords, synced, version, faults>>

\* Guard (erratum to SYSTOR'14 Alg. 1, line 15): a put transaction is stamped after its start. By the server's clock
\* alone it may come before what was answered before it began.
PutFence(t) == readTs[t]

\* A put transaction commits as a native put; the TSO hears nothing of it.  SYSTOR'14 Alg. 1, line 15
LocalCommit(t, k) ==
    /\ status[t] = "active" /\ IsPutTransaction(t) /\ k \in writes[t]
    /\ StampPut(t, k, PutFence(t))
    /\ UNCHANGED <<readTs, writes, reads, replica, fenced, checked, oracle, log, lateRecords, synced, version, precedes,
                   faults>>

\* Guard (SYSTOR'14 sec. 3): a put that has its stamp is stored, whatever fence has passed it since: who looks behind the
\* fence waits for it.
MayStore(o, k) == TRUE

\* A put can be read, and is answered.  SYSTOR'14 Alg. 3, line 85
StorePut(o, k) ==
    /\ status[o] = "stamped" /\ k \in writes[o]
    /\ IF MayStore(o, k)
       THEN Store(k, o, commitTs[o]) /\ status' = [status EXCEPT ![o] = "closed"]
       ELSE UNCHANGED version /\ status' = [status EXCEPT ![o] = IF o \in Native THEN "lost" ELSE "aborted"]
    /\ UNCHANGED <<readTs, commitTs, writes, reads, replica, fenced, checked, oracle, log, lateRecords, local, synced,
                   precedes, faults>>

\* A native get returns the latest version.  SYSTOR'14 Alg. 3, get
NativeGet(n, k) ==
    /\ status[n] = "idle" /\ MayRead(n, k)
    /\ ProcessIsFree(n)
    /\ Start(n)
    /\ reads' = [reads EXCEPT ![n] = {[key |-> k, from |-> Last(k), own |-> FALSE]}]
    /\ status' = [status EXCEPT ![n] = "closed"]
    /\ UNCHANGED <<readTs, commitTs, writes, replica, fenced, checked, oracle, log, lateRecords, database, faults>>

\* Guard: a server crashes and its clock is lost. It does not take its own clock for good.
SyncedAfterCrash(s) == synced \ {s}

\* A server crashes, and native puts in flight are lost.  SYSTOR'14 sec. 2
\* Also a region that is moved to a server whose clock is behind: each key stands for its region.
CrashServer(s) ==
    /\ MayFail
    /\ local' = [local EXCEPT ![s] = 0]
    /\ synced' = SyncedAfterCrash(s)
    /\ status' = [o \in Op |->
           IF status[o] = "stamped" /\ \E k \in writes[o] : Host[k] = s
           THEN (IF o \in Native THEN "lost" ELSE "dead") ELSE status[o]]
    /\ faults' = faults + 1
    /\ UNCHANGED <<readTs, commitTs, writes, reads, replica, fenced, checked, oracle, log, lateRecords, version,
                   precedes>>

\* Guard: the TSO increments its clock for a server that asks: of the stamps between the last timestamp and the next, all
\* may have been drawn.
TimeFor(s) == clock + Delta

\* A server asks the TSO for the time, and lifts its clock.  SYSTOR'14 sec. 4.3: "periodically increments the global
\* clock"
SyncServer(s) ==
    /\ tso = "up"
    /\ ~KnowsTheTime(s) \/ RoomLow(s)
    /\ clock' = TimeFor(s)
    /\ Fence(s, TimeFor(s))
    /\ synced' = synced \cup {s}
    /\ UNCHANGED <<client, tso, ring, filter, tsMin, log, lateRecords, version, precedes, faults>>

-----------------------------------------------------------------------------
(* The ring's garbage, and the helper *)

\* Guard (SYSTOR'14 sec. 4.3): only complete entries are deleted. Readers need the others, to know what they wait for.
IsComplete(t) == ring[t] \in {"committed", "aborted"}

\* Guard (SYSTOR'14 Alg. 2, line 52): who began before an entry that was deleted cannot commit.
TsMinAfterEviction(t) == IF ring[t] # "aborted" /\ commitTs[t] > tsMin THEN commitTs[t] ELSE tsMin

\* The ring deletes an entry.  SYSTOR'14 sec. 4.3
\* The TSO does not know who is active, so it does not ask whether the entry overlaps with anybody.
Evict(t) ==
    /\ tso = "up" /\ ring[t] # "none"
    /\ IsComplete(t)
    /\ tsMin' = TsMinAfterEviction(t)
    /\ ring' = [ring EXCEPT ![t] = "none"]
    /\ UNCHANGED <<client, clock, tso, filter, log, lateRecords, database, precedes, faults>>

\* The helper aborts a transaction that has no record in the log, by a record.  SYSTOR'14 sec. 2
HelperAbort(t) ==
    /\ tso = "up" /\ ring[t] = "active"
    /\ log[t] = "none"
    /\ log' = [log EXCEPT ![t] = "abort"]
    /\ UNCHANGED <<client, oracle, lateRecords, database, precedes, faults>>

\* Guard (erratum to SYSTOR'14 sec. 2): an abort takes effect when it is in the log. The client's record may come at any
\* time.
IsAborted(t) == log[t] = "abort"

\* The TSO learns what became of an entry: from the client that has committed, or from the helper, who reads the log.
\* SYSTOR'14 sec. 2
SettleEntry(t) ==
    /\ tso = "up" /\ ring[t] = "active"
    /\ \/ (IsAborted(t) /\ ring' = [ring EXCEPT ![t] = "aborted"])
       \/ (log[t] = "commit" /\ IsWrittenBack(t) /\ ring' = [ring EXCEPT ![t] = "committed"])
    /\ UNCHANGED <<client, clock, tso, filter, tsMin, log, lateRecords, database, precedes, faults>>

\* Guard (erratum to SYSTOR'14 Alg. 1, line 37): a record tells the commit timestamp. The write set has the start
\* timestamp.
ReplayTs(t) == commitTs[t]

\* The helper, or a TSO that recovers, writes back what is in the log.  SYSTOR'14 sec. 2
Replay(t, k) ==
    /\ tso = "replaying" \/ (tso = "up" /\ ring[t] = "active")
    /\ log[t] = "commit"
    /\ k \in writes[t] /\ version[k][t] = NoTs
    /\ Store(k, t, ReplayTs(t))
    /\ UNCHANGED <<client, oracle, log, lateRecords, local, synced, precedes, faults>>

-----------------------------------------------------------------------------
(* Failure and recovery of the TSO *)

\* The TSO dies, with all that is in its memory.  SYSTOR'14 sec. 2
CrashTso ==
    /\ tso # "down" /\ MayFail
    /\ tso' = "down"
    /\ ring' = [t \in Txn |-> "none"]
    /\ tsMin' = NoTs
    /\ faults' = faults + 1
    /\ UNCHANGED <<client, clock, filter, log, lateRecords, database, precedes>>

\* Whose record would come too late.
Unlogged == {t \in Txn : /\ status[t] \in {"certified", "unknown", "dead"} /\ commitTs[t] # NoTs
                         /\ writes[t] # {} /\ log[t] = "none"}

\* Guard (SYSTOR'14 sec. 2): before the log is replayed it is closed to all who have their commit timestamp from the TSO
\* that failed: they are aborted.
AbortedByRecovery == Unlogged

\* A new TSO closes the log.  SYSTOR'14 sec. 2
CloseLog ==
    /\ tso = "down"
    /\ tso' = "replaying"
    /\ log' = [t \in Txn |-> IF t \in AbortedByRecovery THEN "abort" ELSE log[t]]
    /\ UNCHANGED <<client, clock, ring, filter, tsMin, lateRecords, database, precedes, faults>>

\* Guard (SYSTOR'14 sec. 2): all that is in the log is in the database before the TSO serves: its ring does not have it.
AllReplayed == \A t \in Txn : log[t] = "commit" => IsWrittenBack(t)

\* Guard (erratum to SYSTOR'14 sec. 2): the clock goes on after the last timestamp that was given, whether or not
\* anything was logged or fenced with it. The TSO keeps a durable bound ahead of its clock; TMFailover.tla has how.
ClockAfterRecovery == clock + Delta

\* Guard (SYSTOR'14 sec. 2): who began before the failure cannot commit: the new ring does not have who committed since.
TsMinAfterRecovery == ClockAfterRecovery

\* The new TSO serves.  SYSTOR'14 sec. 2
OpenTso ==
    /\ tso = "replaying"
    /\ AllReplayed
    /\ tso' = "up"
    /\ clock' = ClockAfterRecovery
    /\ tsMin' = TsMinAfterRecovery
    /\ UNCHANGED <<client, ring, filter, log, lateRecords, database, precedes, faults>>

-----------------------------------------------------------------------------

\* Steps that a client takes if nothing keeps it from it.
ClientStep(t) ==
    \/ GiveUp(t) \/ TxTryCommit(t) \/ TsoAbort(t) \/ EndReadOnly(t) \/ AppendLog(t) \/ TxCommit(t)
    \/ \E k \in Key :
        \/ FenceRead(t, k) \/ TxGet(t, k) \/ FenceCommit(t, k) \/ TxCheckConflict(t, k) \/ WriteBack(t, k)
        \/ LocalCommit(t, k)

\* Steps of servers.
ServerStep ==
    \/ \E o \in Op, k \in Key : StorePut(o, k)
    \/ \E s \in Server : SyncServer(s)

\* Steps of the TSO, its helper, and one that recovers.
TsoStep ==
    \/ CloseLog \/ OpenTso
    \/ \E t \in Txn : HelperAbort(t) \/ SettleEntry(t) \/ Evict(t)
    \/ \E t \in Txn, k \in Key : Replay(t, k)

\* What applications do, and what arrives late.
Arrival ==
    \/ \E t \in Txn : Begin(t) \/ LateRecord(t)
    \/ \E t \in Txn, k \in Key : TxPut(t, k)
    \/ \E n \in Native, k \in Key : NativePut(n, k) \/ NativeGet(n, k)

\* What goes wrong.
Fault ==
    \/ \E t \in Txn : Crash(t) \/ DelayRecord(t)
    \/ \E s \in Server : CrashServer(s) \/ ForgeFence(s)
    \/ CrashTso

Step == (\E t \in Txn : ClientStep(t)) \/ ServerStep \/ TsoStep \/ Arrival

Next == Step \/ Fault

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* Properties *)

\* What took effect: what is in the log, and what was answered.
Done == {t \in Txn : log[t] = "commit"} \cup {o \in Op : status[o] = "closed"}

\* SnapshotLegal, DisjointWrites, SnapshotItemOrder, SnapshotRealTime, NoDirtyRead, SerialLegal, SerialItemOrder,
\* SerialTransactionOrder, NoTies: see MixedIsolation.tla
History ==
    [done |-> Done, writes |-> writes, deletes |-> [o \in Op |-> {}], reads |-> reads, precedes |-> precedes,
     readTs |-> readTs, commitTs |-> commitTs, process |-> Process]

INSTANCE MixedIsolation WITH h <- History

\* Where the reads of o are: a native get's after what it found; otherwise, where there is one point, with the writes.
ReadsAt(o) ==
    IF IsGet(o) THEN IF o \in Done THEN VersionRead(o) + 1 ELSE NoTs
    ELSE IF o \in Native \/ (o \in Done /\ (Serializable \/ IsPutTransaction(o))) THEN commitTs[o]
    ELSE IF Serializable THEN NoTs ELSE readTs[o]

\* What clients see. Native operations are transactions of one operation that need not come after what was answered. Under
\* serializability a transaction's snapshot is at its commit, and what it has read counts when it has committed.
Abstract ==
    INSTANCE SnapshotIsolation WITH
        Txn <- Op, Timestamps <- Nat, Unordered <- Native,
        phase <- [o \in Op |->
            IF o \in Done THEN "committed"
            ELSE IF status[o] \in {"idle", "aborted"} THEN status[o]
            ELSE IF Serializable /\ o \in Txn THEN "asked" ELSE "active"],
        readTs <- [o \in Op |-> ReadsAt(o)],
        commitTs <- [o \in Op |-> IF o \in Done /\ writes[o] # {} THEN commitTs[o] ELSE NoTs],
        writes <- [o \in Op |-> IF o \in Done THEN writes[o] ELSE {}],
        deletes <- [o \in Op |-> {}],
        reads <- [o \in Op |-> IF Serializable /\ o \notin Done THEN {} ELSE reads[o]],
        precedes <- [o \in Op |-> precedes[o] \cap Txn],
        answered <- {t \in Txn : status[t] = "closed"}

\* Each step is one that a database with snapshot isolation may take; under serializability, one where nothing comes between a
\* transaction's snapshot and its commit. When it fails, what somebody has read or was told is no longer so.
RefinesSnapshotIsolation == Abstract!Spec

\* What a client was told is what happened. When it fails, an application retries what was done, or believes in what was
\* not.
AnswersTrue ==
    \A t \in Txn :
        /\ status[t] \in {"committed", "closed"} /\ writes[t] # {} => log[t] = "commit" \/ IsPutTransaction(t)
        /\ status[t] = "aborted" => log[t] # "commit"

\* No stamp reaches the timestamp that the TSO gives next. When it fails, a native put is lost in the future: a
\* transaction that begins after it does not see it.  SYSTOR'14 sec. 4.3
ClockBounded == \A s \in Server : local[s] < clock + Delta

\* What the ring says is complete is in the log. When it fails, an entry that somebody needs is deleted.
RingTrue ==
    \A t \in Txn :
        /\ ring[t] = "committed" => log[t] = "commit" /\ IsWrittenBack(t)
        /\ ring[t] = "aborted" => log[t] # "commit"

\* Nobody is aborted for what was answered before he began, unless Bloom filters or the helper are to blame. When it
\* fails, the second transaction of a user who is alone in the world is aborted.
AbortsHaveReason ==
    \A t \in Txn :
        \/ status[t] # "aborted" \/ log[t] = "abort" \/ faults > 0
        \/ \E w \in Txn : filter[w] # {} /\ filter[w] # writes[w]
        \/ \E o \in Op \ {t} : status[o] # "idle" /\ o \notin precedes[t]

\* A native put that a server has begun is stored, unless the server crashes: it is not aborted. When it fails,
\* applications that know nothing of transactions suffer from them.  SYSTOR'14 sec. 3
NativesNeverAbort ==
    [][\A n \in Native :
          status[n] = "stamped" =>
              \/ status'[n] \in {"stamped", "closed"}
              \/ status'[n] = "lost" /\ \E k \in writes[n] : Host[k] \notin synced']_vars

\* Every native put that was stamped is answered, and every server stamps again. When it fails, native traffic stands
\* still.
NativesGoOn ==
    /\ \A n \in Native : status[n] = "stamped" ~> status[n] \in {"closed", "lost"}
    /\ \A s \in Server : []<>(KnowsTheTime(s) /\ RoomLeft(s))

\* Every commit of a live client ends. When it fails, an application hangs.
CommitEnds ==
    \A t \in Txn : status[t] \in {"certified", "unknown", "committed", "stamped"}
                       ~> status[t] \in {"closed", "aborted", "dead"}

\* Every entry of the ring is settled. When it fails, those who begin later wait for a dead client's writes, and abort,
\* for ever.  SYSTOR'14 sec. 2
EntriesSettle == \A t \in Txn : []<>(ring[t] # "active")

\* The TSO serves again.
TsoServes == []<>(tso = "up")

\* Live clients, servers, the TSO and its helper go on.
Fairness ==
    /\ \A t \in Txn : WF_vars(ClientStep(t)) /\ WF_vars(HelperAbort(t)) /\ WF_vars(SettleEntry(t))
    /\ \A t \in Txn, k \in Key : WF_vars(Replay(t, k))
    /\ \A o \in Op, k \in Key : WF_vars(StorePut(o, k))
    /\ \A s \in Server : WF_vars(SyncServer(s))
    /\ WF_vars(CloseLog) /\ WF_vars(OpenTso)

FairSpec == Spec /\ Fairness
=============================================================================
