------------------------------ MODULE TMFailover ------------------------------
(***************************************************************************)
(* High availability of the transaction manager (VLDB'18 section 3.2.1):   *)
(* one primary and its backups, which share two objects in ZooKeeper.      *)
(*                                                                         *)
(* maxTS bounds every timestamp ever given. A primary raises it by         *)
(* compare-and-swap, an epoch of timestamps at a time. The lease says who  *)
(* is primary: its holder counts it from before it sent the renewal, and   *)
(* answers no request that it received without it; a backup waits for the  *)
(* length of a lease, and for what clocks may drift in that time, since it *)
(* saw the lease renewed, and then writes itself into it. Every write of   *)
(* the lease names the version that it replaces, so of a renewal and a     *)
(* challenge only one succeeds. A new primary has an empty conflict table: *)
(* who began before its epoch cannot commit any more.                      *)
(*                                                                         *)
(* One action is one step of a process or one message. A process pauses    *)
(* between any two of its steps, for as long as it takes, by not taking    *)
(* the next one. Clocks run at different, changing rates; since nobody     *)
(* compares one clock with another, what the model holds is how much time  *)
(* has gone by on a TM's own clock. Messages are late or lost; ZooKeeper   *)
(* executes writes whose sender hears no answer; clients retry anywhere.   *)
(*                                                                         *)
(* The client's commit-table write is one step here. models/TMFailover     *)
(* composes this module with OmidLL.                                       *)
(*                                                                         *)
(* A comment that begins with "Guard" marks an operator whose removal must *)
(* violate a property: specs/mutants/TMFailover has a mutant for each.     *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
    \* The processes, one of which should be primary.
    \* @type: Set(TM);
    Tm,
    \* Nobody: who holds the lease before the first election.
    \* @type: TM;
    NoTm,
    \* @type: Set(TXN);
    Txn,
    \* @type: Set(KEY);
    Key,
    \* No transaction: whence a read of a missing key would come.
    \* @type: TXN;
    NoTxn,
    \* The length of a lease, in units of a TM's clock.
    \* @type: Int;
    Lease,
    \* While one unit of real time goes by, a clock advances by MinRate..MaxRate units: the tolerated drift.
    \* @type: Int;
    MinRate,
    \* @type: Int;
    MaxRate,
    \* From one timestamp to the next: the versions in between belong to the first one's transaction.  VLDB'18 sec. 6.2
    \* @type: Int;
    Leap,
    \* How far an epoch raises maxTS.
    \* @type: Int;
    Range

\* @typeAlias: request = { kind: Str, txn: TXN };
\* @typeAlias: answer = { kind: Str, txn: TXN, ts: Int };
\* @typeAlias: gift = { ts: Int, kind: Str, txn: TXN, epoch: Int };
TMFailover_aliases == TRUE

\* No timestamp. Timestamps are positive.
NoTs == 0

\* How long a backup waits, at least: when MaxRate units have gone by on the fastest clock, MinRate have on the slowest.
Patience == (Lease * MaxRate + MinRate - 1) \div MinRate

-----------------------------------------------------------------------------
(* ZooKeeper *)

\* The bound of all timestamps.  VLDB'18 sec. 3.2.1: maxTS  Lane: ZooKeeper
VARIABLE
    \* @type: Int;
    maxTs
TypeOKMaxTs == maxTs \in Nat

\* Who raised maxTS last.  Lane: ZooKeeper
VARIABLE
    \* @type: TM;
    raiser
TypeOKRaiser == raiser \in Tm \cup {NoTm}

\* Who wrote the lease last.  VLDB'18 sec. 3.2.1  Lane: ZooKeeper
VARIABLE
    \* @type: TM;
    holder
TypeOKHolder == holder \in Tm \cup {NoTm}

\* The TMs that know the lease's present version. A number would do, but nobody asks for more than whether it is still
\* the one that he saw or wrote.  Lane: ZooKeeper
VARIABLE
    \* @type: Set(TM);
    current
TypeOKCurrent == current \subseteq Tm

\* Lease writes of the present version that were sent and may still be executed; nobody waits for the answer.
\* Lane: ZooKeeper
VARIABLE
    \* @type: Set(TM);
    strayWrites
TypeOKStrayWrites == strayWrites \subseteq Tm

\* The same for swaps of maxTS that expect its present value.  Lane: ZooKeeper
VARIABLE
    \* @type: Set(TM);
    straySwaps
TypeOKStraySwaps == straySwaps \subseteq Tm

-----------------------------------------------------------------------------
(* Transaction managers *)

\* backup: watches the lease. primary: has taken over, and serves as long as its lease lasts. halted, dead: until it
\* is started again.  Lane: TM
VARIABLE
    \* @type: TM -> Str;
    role
TypeOKRole == role \in [Tm -> {"backup", "primary", "halted", "dead"}]

\* How old the lease is on the TM's own clock: for who holds it since before it sent the renewal, for a backup since it saw
\* a new version. What is older than anybody asks for is counted no further.  VLDB'18 Alg. 2: lease  Lane: TM
VARIABLE
    \* @type: TM -> Int;
    age
TypeOKAge == \A i \in Tm : age[i] \in 0..Patience

\* The call to ZooKeeper that the TM waits for: lease and swap are sent, the others are executed. After leaseRefused it
\* looks at the lease before it tries again.  Lane: TM
VARIABLE
    \* @type: TM -> Str;
    call
TypeOKCall == call \in [Tm -> {"none", "lease", "leaseWritten", "leaseRefused", "swap", "swapped", "swapRefused"}]

\* How long ago, on its own clock, the TM sent the lease write that it waits for.  Lane: TM
VARIABLE
    \* @type: TM -> Int;
    sentAge
TypeOKSentAge == \A i \in Tm : sentAge[i] \in 0..Lease

\* The end of its epoch: as far as it knows, maxTS allows it to give timestamps up to here.  VLDB'18 Alg. 2: epoch
\* Lane: TM
VARIABLE
    \* @type: TM -> Int;
    epoch
TypeOKEpoch == epoch \in [Tm -> Nat]

\* The last timestamp that it gave.  VLDB'18 Alg. 2: Clock  Lane: TM
VARIABLE
    \* @type: TM -> Int;
    clock
TypeOKClock == clock \in [Tm -> Nat]

\* Its conflict table: the last commit timestamp that it gave for a key.  VLDB'18 sec. 3.2: conflictDetect  Lane: TM
VARIABLE
    \* @type: TM -> (KEY -> Int);
    lastCommit
TypeOKLastCommit == lastCommit \in [Tm -> [Key -> Nat]]

\* Transactions that began at or before it cannot commit.  Lane: TM
VARIABLE
    \* @type: TM -> Int;
    lowWatermark
TypeOKLowWatermark == lowWatermark \in [Tm -> Nat]

\* The requests that it has received and works on.  Lane: TM
VARIABLE
    \* @type: TM -> Set($request);
    desk
TypeOKDesk == desk \in [Tm -> SUBSET [kind : {"begin", "commit"}, txn : Txn]]

-----------------------------------------------------------------------------
(* Clients and network *)

\* Where each transaction's client stands, as in OmidLL.  Lane: client
VARIABLE
    \* @type: TXN -> Str;
    status
TypeOKStatus == status \in [Txn -> {"idle", "active", "certified", "committed", "aborted"}]

\* The answer that the client waits for. Its request may meanwhile reach any TM, late and more than once: clients retry.
\* Lane: client
VARIABLE
    \* @type: TXN -> Str;
    waiting
TypeOKWaiting == waiting \in [Txn -> {"none", "begin", "commit"}]

\* The read timestamp.  VLDB'18 Alg. 2, Begin  Lane: client
VARIABLE
    \* @type: TXN -> Int;
    readTs
TypeOKReadTs == readTs \in [Txn -> Nat]

\* The commit timestamp; NoTs before it is given.  VLDB'18 Alg. 2, Commit  Lane: client
VARIABLE
    \* @type: TXN -> Int;
    commitTs
TypeOKCommitTs == commitTs \in [Txn -> Nat]

\* The write set.  VLDB'18 Alg. 3, Write  Lane: client
VARIABLE
    \* @type: TXN -> Set(KEY);
    writes
TypeOKWrites == writes \in [Txn -> SUBSET Key]

\* Answers that were sent to clients who wait for them.  Lane: none
VARIABLE
    \* @type: Set($answer);
    answers
TypeOKAnswers == \A a \in answers : a.kind \in {"begin", "commit"} /\ a.txn \in Txn /\ a.ts \in Nat

-----------------------------------------------------------------------------
(* History *)

\* The transactions that committed.  Lane: none
VARIABLE
    \* @type: Set(TXN);
    committed
TypeOKCommitted == committed \subseteq Txn

\* The transactions whose commit was answered before this one asked to begin.  Lane: none
VARIABLE
    \* @type: TXN -> Set(TXN);
    precedes
TypeOKPrecedes == precedes \in [Txn -> SUBSET Txn]

\* The greatest timestamp that any client had received when this one sent its last request for the first time.  Lane: none
VARIABLE
    \* @type: TXN -> Int;
    floor
TypeOKFloor == floor \in [Txn -> Nat]

\* The timestamps given: for what, to whom, out of which epoch.  Lane: none
VARIABLE
    \* @type: Set($gift);
    given
TypeOKGiven == \A g \in given : g.ts \in Nat /\ g.kind \in {"begin", "commit"} /\ g.txn \in Txn /\ g.epoch \in Nat

\* How many things went wrong: deaths, answers of ZooKeeper that were lost.  Lane: none
VARIABLE
    \* @type: Int;
    faults
TypeOKFaults == faults \in Nat

lease == <<holder, current, strayWrites>>
bound == <<maxTs, raiser, straySwaps>>
zooKeeper == <<bound, lease>>
memory == <<epoch, clock, lastCommit, lowWatermark>>
tm == <<role, age, call, sentAge, memory, desk>>
client == <<status, waiting, readTs, commitTs, writes>>
history == <<committed, precedes, floor, given, faults>>
vars == <<zooKeeper, tm, answers, client, history>>

TypeOK ==
    /\ TypeOKMaxTs /\ TypeOKRaiser /\ TypeOKHolder /\ TypeOKCurrent /\ TypeOKStrayWrites /\ TypeOKStraySwaps /\ TypeOKRole
    /\ TypeOKAge /\ TypeOKCall /\ TypeOKSentAge /\ TypeOKEpoch /\ TypeOKClock /\ TypeOKLastCommit
    /\ TypeOKLowWatermark /\ TypeOKDesk /\ TypeOKStatus /\ TypeOKWaiting /\ TypeOKReadTs /\ TypeOKCommitTs
    /\ TypeOKWrites /\ TypeOKAnswers /\ TypeOKCommitted /\ TypeOKPrecedes /\ TypeOKFloor
    /\ TypeOKGiven /\ TypeOKFaults

NoCommits == [k \in Key |-> NoTs]

Init ==
    /\ maxTs = 0
    /\ raiser = NoTm
    /\ holder = NoTm
    /\ current = {}
    /\ strayWrites = {}
    /\ straySwaps = {}
    /\ role = [i \in Tm |-> "backup"]
    /\ age = [i \in Tm |-> 0]
    /\ call = [i \in Tm |-> "none"]
    /\ sentAge = [i \in Tm |-> 0]
    /\ epoch = [i \in Tm |-> 0]
    /\ clock = [i \in Tm |-> 0]
    /\ lastCommit = [i \in Tm |-> NoCommits]
    /\ lowWatermark = [i \in Tm |-> 0]
    /\ desk = [i \in Tm |-> {}]
    /\ status = [t \in Txn |-> "idle"]
    /\ waiting = [t \in Txn |-> "none"]
    /\ readTs = [t \in Txn |-> NoTs]
    /\ commitTs = [t \in Txn |-> NoTs]
    /\ writes = [t \in Txn |-> {}]
    /\ answers = {}
    /\ committed = {}
    /\ precedes = [t \in Txn |-> {}]
    /\ floor = [t \in Txn |-> NoTs]
    /\ given = {}
    /\ faults = 0

-----------------------------------------------------------------------------
(* Time *)

\* Guard: clocks keep to the tolerated drift. An assumption about the machines: it holds for clocks that cannot be set,
\* and that go on while the machine is suspended.
Rates == MinRate..MaxRate

\* @type: (Int, Int, Int) => Int;
Older(a, units, limit) == IF a + units < limit THEN a + units ELSE limit

\* @type: (TM -> Int) => Bool;
Advance(rate) ==
    /\ age' = [i \in Tm |-> CASE role[i] \in {"halted", "dead"} -> 0
                              [] role[i] = "backup" -> Older(age[i], rate[i], Patience)
                              [] OTHER -> Older(age[i], rate[i], Lease)]
    /\ sentAge' = [i \in Tm |-> IF call[i] \in {"lease", "leaseWritten"} THEN Older(sentAge[i], rate[i], Lease) ELSE 0]

\* Real time goes by: each clock advances at a rate of its own.
\* @type: (TM -> Int) => Bool;
Tick(rate) ==
    /\ Advance(rate)
    /\ UNCHANGED <<zooKeeper, role, call, memory, desk, answers, client, history>>

-----------------------------------------------------------------------------
(* The lease *)

\* Guard: a lease ends when its length has gone by since before its renewal was sent.
LeaseLasts(i) == age[i] < Lease

\* What a TM believes of itself.
Leads(i) == role[i] = "primary" /\ LeaseLasts(i)

\* Guard: a backup's waiting starts again when it sees a new version, and only then. Starting at every look, it would wait
\* for ever.
AgeAfterLook(i) == IF i \in current THEN age[i] ELSE 0

\* Guard: who held the lease goes on only if its own write is the last one.
StillHolder(i) == holder = i

\* A TM reads the lease: a backup again and again, a holder who does not know what became of its renewal.
\* One action. Argued, not checked: the age counts from the answer, so that a later one makes a backup wait longer.
ObserveLease(i) ==
    /\ call[i] \in {"none", "leaseRefused"}
    /\ \/ role[i] = "backup"
       \/ role[i] = "primary" /\ i \notin current /\ StillHolder(i)
    /\ current' = current \cup {i}
    /\ age' = [age EXCEPT ![i] = IF role[i] = "backup" THEN AgeAfterLook(i) ELSE @]
    /\ call' = [call EXCEPT ![i] = "none"]
    /\ UNCHANGED <<bound, holder, strayWrites, role, sentAge, memory, desk, answers, client, history>>

SendLeaseWrite(i) ==
    /\ call[i] = "none"
    /\ call' = [call EXCEPT ![i] = "lease"]
    /\ UNCHANGED <<zooKeeper, role, age, sentAge, memory, desk, answers, client, history>>

\* Guard (VLDB'18 sec. 3.2.1: at most one TM holds the lease): a challenger waits for a full lease since it saw the last
\* renewal, and for what its clock may have gained, and the holder's lost, in that time.
WaitedOut(i) == age[i] >= Patience

\* Its own lease need not be waited for: a backup has halted, or has died, since.
OwnLease(i) == i \in current /\ holder = i

\* A backup challenges the holder.
AcquireLease(i) ==
    /\ role[i] = "backup"
    /\ WaitedOut(i) \/ OwnLease(i)
    /\ SendLeaseWrite(i)

\* The holder renews its lease. Here at any time; when 80 % have gone by, says VLDB'18 Alg. 2, line 12.
RenewLease(i) ==
    /\ role[i] = "primary"
    /\ age[i] > 0
    /\ SendLeaseWrite(i)

\* Guard: a lease write replaces the version that its sender saw, or nothing. Otherwise a holder who lost the lease takes
\* it back, and a challenger takes one that was renewed behind its back.
ReplacesWhatItSaw(i) == i \in current

\* The lease has a new version; writes that name an older one will fail.
Replace(i) ==
    /\ holder' = i
    /\ strayWrites' = {}

\* ZooKeeper executes a lease write.
WriteLease(i) ==
    /\ call[i] = "lease"
    /\ IF ReplacesWhatItSaw(i)
       THEN /\ Replace(i)
            /\ current' = {i}
            /\ call' = [call EXCEPT ![i] = "leaseWritten"]
            /\ UNCHANGED sentAge
       ELSE /\ call' = [call EXCEPT ![i] = "leaseRefused"]
            /\ sentAge' = [sentAge EXCEPT ![i] = 0]
            /\ UNCHANGED lease
    /\ UNCHANGED <<bound, role, age, memory, desk, answers, client, history>>

\* Guard: the lease counts from before its write was sent. From the answer on, it would outlast the wait of a challenger
\* who saw the write earlier.
AgeOfNewLease(i) == sentAge[i]

LearnLeaseWritten(i) ==
    /\ call[i] = "leaseWritten"
    /\ call' = [call EXCEPT ![i] = "none"]
    /\ age' = [age EXCEPT ![i] = AgeOfNewLease(i)]
    /\ sentAge' = [sentAge EXCEPT ![i] = 0]

\* The holder learns that its lease is renewed.
HoldLease(i) ==
    /\ role[i] = "primary"
    /\ LearnLeaseWritten(i)
    /\ UNCHANGED <<zooKeeper, role, memory, desk, answers, client, history>>

-----------------------------------------------------------------------------
(* Epochs *)

\* Guard: a new TM gives timestamps above all that were ever allowed.  VLDB'18 sec. 3.2.1
FirstClock == maxTs

\* Guard: its conflict table is empty, so whoever began before its epoch may have a conflict that it cannot see.
FirstLowWatermark(i) == maxTs

\* The TM reads maxTS and begins there, with an empty epoch: before it serves, it must extend it.
BeginAfresh(i) ==
    /\ role' = [role EXCEPT ![i] = "primary"]
    /\ epoch' = [epoch EXCEPT ![i] = maxTs]
    /\ clock' = [clock EXCEPT ![i] = FirstClock]
    /\ lastCommit' = [lastCommit EXCEPT ![i] = NoCommits]
    /\ lowWatermark' = [lowWatermark EXCEPT ![i] = FirstLowWatermark(i)]

\* A challenger learns that the lease is its own.
TakeOver(i) ==
    /\ role[i] = "backup"
    /\ LearnLeaseWritten(i)
    /\ BeginAfresh(i)
    /\ UNCHANGED <<zooKeeper, desk, answers, client, history>>

\* Its first swap was refused: the last primary's came in between. It reads maxTS again.
TakeOverAgain(i) ==
    /\ call[i] = "swapRefused"
    /\ clock[i] = lowWatermark[i]
    /\ call' = [call EXCEPT ![i] = "none"]
    /\ BeginAfresh(i)
    /\ UNCHANGED <<zooKeeper, age, sentAge, desk, answers, client, history>>

\* Guard (erratum to VLDB'18 Alg. 2, line 15: Clock = epoch): no timestamp lies above the epoch, however far the last
\* leap went.
WithinEpoch(i) == clock[i] + Leap <= epoch[i]

\* Guard (erratum to VLDB'18 Alg. 2, line 17: CAS(maxTS, Clock, epoch)): the swap expects the end of the last epoch. The
\* clock never gets there by leaps that do not divide the epoch.
Expected(i) == epoch[i]

\* When a primary may ask for its next epoch, as far ahead of its need as it likes; models restrict it.
\* @type: (TM) => Bool;
MayExtend(i) == TRUE

\* How far maxTS goes, and what may go wrong; models restrict it.
\* @type: (Int) => Bool;
MayReach(ts) == TRUE
\* @type: Bool;
MayFail == TRUE

\* A primary asks for its next epoch.  VLDB'18 Alg. 2, lines 15-17
ExtendEpoch(i) ==
    /\ role[i] = "primary" /\ call[i] = "none"
    /\ MayExtend(i)
    /\ call' = [call EXCEPT ![i] = "swap"]
    /\ UNCHANGED <<zooKeeper, role, age, sentAge, memory, desk, answers, client, history>>

\* Guard (VLDB'18 sec. 3.2.1: compare-and-swap): maxTS is raised only from the expected value.
SwapsFrom(expected) == maxTs = expected

Raise(i, ts) ==
    /\ MayReach(ts)
    /\ maxTs' = ts
    /\ raiser' = i
    /\ straySwaps' = {}

\* ZooKeeper executes a swap.
SwapMaxTs(i) ==
    /\ call[i] = "swap"
    /\ IF SwapsFrom(Expected(i))
       THEN /\ Raise(i, Expected(i) + Range)
            /\ call' = [call EXCEPT ![i] = "swapped"]
       ELSE /\ call' = [call EXCEPT ![i] = "swapRefused"]
            /\ UNCHANGED bound
    /\ UNCHANGED <<lease, role, age, sentAge, memory, desk, answers, client, history>>

\* The TM learns that it has an epoch.
HoldEpoch(i) ==
    /\ call[i] = "swapped"
    /\ call' = [call EXCEPT ![i] = "none"]
    /\ epoch' = [epoch EXCEPT ![i] = Expected(i) + Range]
    /\ UNCHANGED <<zooKeeper, role, age, sentAge, clock, lastCommit, lowWatermark, desk, answers, client, history>>

\* Guard: a refused swap was executed before, its answer lost, only if the refused TM raised maxTS last. That maxTS has the
\* value that it wanted proves nothing: two TMs may well want the same.
RaisedLast(i) == raiser = i

\* A refused TM finds that it has its epoch.
FindEpoch(i) ==
    /\ call[i] = "swapRefused"
    /\ RaisedLast(i)
    /\ call' = [call EXCEPT ![i] = "none"]
    /\ epoch' = [epoch EXCEPT ![i] = maxTs]
    /\ UNCHANGED <<zooKeeper, role, age, sentAge, clock, lastCommit, lowWatermark, desk, answers, client, history>>

-----------------------------------------------------------------------------
(* Requests *)

\* Guard: a request is taken up only if the lease lasts at some moment after its receipt. At that moment no later TM has
\* given a timestamp, so every answer that was given before the request was sent came from this TM or from an earlier one.
\* A check made before the receipt (a flag that a timer clears, say) proves nothing: the process may have paused since.
LeaseOnReceipt(i) == Leads(i)

\* No guard: the lease need not last when the answer leaves. A client cannot tell a late answer from its own slowness. If
\* the lease lasts here, it did so at receipt: the check may be moved here, but one of the two is needed (mutants
\* NoLeaseCheck, ChecksLeaseBeforeReply).
LeaseBeforeReply(i) == TRUE

\* Guard: a TM takes up requests only once it has an epoch. It may yet find maxTS raised and read it again, maybe when its
\* lease is long over: what it had taken up before would get a timestamp that a successor's clients are told to be late.
HasEpoch(i) == epoch[i] > lowWatermark[i]

\* Whether a waiting client's request reaches the TM (again); models restrict it.
\* @type: (TM, TXN) => Bool;
MayReceive(i, t) == TRUE

\* Whether a TM takes up one more request while it works on others, as each of its connections does; models restrict it.
\* @type: (TM) => Bool;
MayTakeUp(i) == TRUE

\* A TM receives a request, and takes it up. Others tell the client to look elsewhere.
Receive(i, t) ==
    /\ role[i] = "primary" /\ MayTakeUp(i)
    /\ [kind |-> waiting[t], txn |-> t] \notin desk[i]
    /\ waiting[t] # "none" /\ MayReceive(i, t)
    /\ HasEpoch(i) /\ LeaseOnReceipt(i)
    /\ desk' = [desk EXCEPT ![i] = @ \cup {[kind |-> waiting[t], txn |-> t]}]
    /\ UNCHANGED <<zooKeeper, role, age, call, sentAge, memory, answers, client, history>>

\* The answer to the request leaves, and may take long; it is lost on a client who waits for it no more.
Reply(i, r, ts) ==
    /\ desk' = [desk EXCEPT ![i] = @ \ {r}]
    /\ answers' = IF LeaseBeforeReply(i) /\ waiting[r.txn] = r.kind
                  THEN answers \cup {[kind |-> r.kind, txn |-> r.txn, ts |-> ts]}
                  ELSE answers

\* A timestamp is given to the request.
Give(i, r, ts) ==
    /\ Reply(i, r, ts)
    /\ clock' = [clock EXCEPT ![i] = ts]
    /\ given' = given \cup {[ts |-> ts, kind |-> r.kind, txn |-> r.txn, epoch |-> epoch[i]]}

\* The TM gives a read timestamp.  VLDB'18 Alg. 2, Begin
Begin(i) ==
    /\ WithinEpoch(i)
    /\ \E r \in desk[i] : r.kind = "begin" /\ Give(i, r, clock[i] + Leap)
    /\ UNCHANGED <<zooKeeper, role, age, call, sentAge, epoch, lastCommit, lowWatermark, client, committed, precedes,
                   floor, faults>>

\* Guard (VLDB'18 Alg. 2, conflictDetect): nobody who committed after this transaction began wrote one of its keys.
NoConflict(i, t) == \A k \in writes[t] : lastCommit[i][k] < readTs[t]

\* Guard (VLDB'18 sec. 3.2.1): the TM does not know the conflicts of transactions that began before its epoch.
AboveLowWatermark(i, t) == lowWatermark[i] < readTs[t]

\* The TM gives a commit timestamp, or refuses.  VLDB'18 Alg. 2, Commit
RequestCommit(i) ==
    /\ WithinEpoch(i)
    /\ \E r \in desk[i] :
        LET t == r.txn
            ts == clock[i] + Leap
        IN  /\ r.kind = "commit"
            /\ IF NoConflict(i, t) /\ AboveLowWatermark(i, t)
               THEN /\ Give(i, r, ts)
                    /\ lastCommit' = [lastCommit EXCEPT ![i] = [k \in Key |-> IF k \in writes[t] THEN ts ELSE @[k]]]
               ELSE /\ Reply(i, r, NoTs)
                    /\ UNCHANGED <<clock, lastCommit, given>>
    /\ UNCHANGED <<zooKeeper, role, age, call, sentAge, epoch, lowWatermark, client, committed, precedes, floor,
                   faults>>

-----------------------------------------------------------------------------
(* Clients *)

Greatest(S) == CHOOSE x \in S : \A y \in S : y <= x
GreatestReceived == Greatest({readTs[t] : t \in Txn} \cup {commitTs[t] : t \in Txn})

\* The client sends a request.
Ask(t, kind) ==
    /\ waiting[t] = "none"
    /\ waiting' = [waiting EXCEPT ![t] = kind]
    /\ floor' = [floor EXCEPT ![t] = GreatestReceived]

\* The client asks to begin.
AskBegin(t) ==
    /\ status[t] = "idle"
    /\ Ask(t, "begin")
    /\ precedes' = [precedes EXCEPT ![t] = {a \in Txn : status[a] \in {"committed", "closed"}}]
    /\ UNCHANGED <<zooKeeper, tm, answers, status, readTs, commitTs, writes, committed, given, faults>>

\* Answers of this kind to t are of no more use.
Drop(t, kind) == {a \in answers : a.txn # t \/ a.kind # kind}

\* The client receives its read timestamp.
ReceiveBegin(t) ==
    /\ \E a \in answers :
           /\ a.txn = t /\ a.kind = "begin"
           /\ readTs' = [readTs EXCEPT ![t] = a.ts]
    /\ status' = [status EXCEPT ![t] = "active"]
    /\ waiting' = [waiting EXCEPT ![t] = "none"]
    /\ answers' = Drop(t, "begin")
    /\ UNCHANGED <<zooKeeper, tm, commitTs, writes, history>>

\* The client has written its keys and asks to commit.
AskCommit(t, keys) ==
    /\ status[t] = "active"
    /\ Ask(t, "commit")
    /\ writes' = [writes EXCEPT ![t] = keys]
    /\ UNCHANGED <<zooKeeper, tm, answers, status, readTs, commitTs, committed, precedes, given, faults>>

\* The client receives its commit timestamp, or that it must abort.
ReceiveCommit(t) ==
    /\ \E a \in answers :
           /\ a.txn = t /\ a.kind = "commit"
           /\ status' = [status EXCEPT ![t] = IF a.ts = NoTs THEN "aborted" ELSE "certified"]
           /\ commitTs' = [commitTs EXCEPT ![t] = a.ts]
    /\ waiting' = [waiting EXCEPT ![t] = "none"]
    /\ answers' = Drop(t, "commit")
    /\ UNCHANGED <<zooKeeper, tm, readTs, writes, history>>

\* The client commits by its commit-table entry, however long after the TM's answer.  VLDB'18 Alg. 3, Commit
WriteCommitEntry(t) ==
    /\ status[t] = "certified"
    /\ status' = [status EXCEPT ![t] = "committed"]
    /\ committed' = committed \cup {t}
    /\ UNCHANGED <<zooKeeper, tm, answers, waiting, readTs, commitTs, writes, precedes, floor, given, faults>>

\* A client whose commit request is not answered aborts: it has sent no commit-table write.
LoseCommitAnswer(t) ==
    /\ waiting[t] = "commit"
    /\ status' = [status EXCEPT ![t] = "aborted"]
    /\ waiting' = [waiting EXCEPT ![t] = "none"]
    /\ answers' = Drop(t, "commit")
    /\ UNCHANGED <<zooKeeper, tm, readTs, commitTs, writes, history>>

-----------------------------------------------------------------------------
(* Failures *)

\* What becomes of the call that the TM waits for: it may be executed later, or never.
Forsake(i) ==
    /\ call' = [call EXCEPT ![i] = "none"]
    /\ sentAge' = [sentAge EXCEPT ![i] = 0]
    /\ strayWrites' = IF call[i] = "lease" /\ ReplacesWhatItSaw(i) THEN strayWrites \cup {i} ELSE strayWrites
    /\ straySwaps' = IF call[i] = "swap" /\ SwapsFrom(Expected(i)) THEN straySwaps \cup {i} ELSE straySwaps

\* The connection to ZooKeeper breaks, or its session expires: no answer comes. What was lost is sent again, and refused if
\* it was executed.
LoseAnswer(i) ==
    /\ call[i] # "none" /\ MayFail
    /\ Forsake(i)
    /\ faults' = faults + 1
    /\ UNCHANGED <<maxTs, raiser, holder, current, role, age, memory, desk, answers, client, committed, precedes, floor,
                   given>>

\* ZooKeeper executes a lease write whose sender does not wait any more.
LateLeaseWrite(i) ==
    /\ i \in strayWrites
    /\ Replace(i)
    /\ current' = {}
    /\ UNCHANGED <<bound, tm, answers, client, history>>

\* The same for a swap.
LateSwap(i) ==
    /\ i \in straySwaps
    /\ Raise(i, maxTs + Range)
    /\ UNCHANGED <<lease, tm, answers, client, history>>

\* Whether the process runs.
Runs(i) == role[i] \in {"backup", "primary"}

\* The process ends, and its memory with it.
Stop(i, as) ==
    /\ role' = [role EXCEPT ![i] = as]
    /\ age' = [age EXCEPT ![i] = 0]
    /\ epoch' = [epoch EXCEPT ![i] = 0]
    /\ clock' = [clock EXCEPT ![i] = 0]
    /\ lastCommit' = [lastCommit EXCEPT ![i] = NoCommits]
    /\ lowWatermark' = [lowWatermark EXCEPT ![i] = 0]
    /\ desk' = [desk EXCEPT ![i] = {}]
    /\ Forsake(i)
    /\ current' = current \ {i}
    /\ UNCHANGED <<maxTs, raiser, holder, answers, client, committed, precedes, floor, given>>

\* A TM dies.
Crash(i) ==
    /\ Runs(i) /\ MayFail
    /\ Stop(i, "dead")
    /\ faults' = faults + 1

\* Its lease ran out, somebody else holds it, or has raised maxTS.
Deposed(i) ==
    \/ role[i] = "primary" /\ ~LeaseLasts(i)
    \/ role[i] = "primary" /\ call[i] \in {"none", "leaseRefused"} /\ i \notin current /\ ~StillHolder(i)
    \/ call[i] = "swapRefused" /\ ~RaisedLast(i)

\* A primary that was deposed halts. It need not if only its lease ran out: if its renewal succeeds, nobody has led in
\* between.  VLDB'18 Alg. 2, lines 14 and 17
Halt(i) ==
    /\ Deposed(i)
    /\ Stop(i, "halted")
    /\ UNCHANGED faults

\* A halted or dead TM is started again.
Restart(i) ==
    /\ ~Runs(i)
    /\ role' = [role EXCEPT ![i] = "backup"]
    /\ UNCHANGED <<zooKeeper, age, call, sentAge, memory, desk, answers, client, history>>

-----------------------------------------------------------------------------

\* Steps of TMs and of ZooKeeper that happen if nothing keeps them from it.
TmStep(i) ==
    \/ ObserveLease(i) \/ AcquireLease(i) \/ RenewLease(i) \/ WriteLease(i) \/ HoldLease(i)
    \/ TakeOver(i) \/ TakeOverAgain(i) \/ ExtendEpoch(i) \/ SwapMaxTs(i) \/ HoldEpoch(i) \/ FindEpoch(i) \/ Halt(i)
    \/ Begin(i) \/ RequestCommit(i) \/ \E t \in Txn : Receive(i, t)

ClientStep(t) ==
    \/ AskBegin(t) \/ ReceiveBegin(t) \/ ReceiveCommit(t) \/ WriteCommitEntry(t) \/ LoseCommitAnswer(t)
    \/ \E keys \in (SUBSET Key) \ {{}} : AskCommit(t, keys)

Time == \E rate \in [Tm -> Rates] : Tick(rate)

Step == (\E i \in Tm : TmStep(i)) \/ (\E t \in Txn : ClientStep(t)) \/ Time

\* What goes wrong; models bound how often.
Fault == \E i \in Tm : LoseAnswer(i) \/ Crash(i)

\* What comes of it.
Aftermath == \E i \in Tm : LateLeaseWrite(i) \/ LateSwap(i) \/ Restart(i)

Next == Step \/ Fault \/ Aftermath

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* Properties *)

\* FirstCommitterWins and StrongSI: see Isolation.tla. Nothing is read here; the composition with OmidLL reads.
\* @type: $history;
History ==
    [done |-> committed, writes |-> writes, deletes |-> [t \in Txn |-> {}], reads |-> [t \in Txn |-> {}],
     precedes |-> [t \in Txn |-> IF readTs[t] = NoTs THEN {} ELSE precedes[t]], readTs |-> readTs, commitTs |-> commitTs]

INSTANCE Isolation WITH h <- History

\* What clients see, in the composition with OmidLL, too.
Abstract ==
    INSTANCE SnapshotIsolation WITH
        Timestamps <- Nat, Unordered <- {},
        phase <- [t \in Txn |->
            IF t \in committed \/ (status[t] = "closed" /\ writes[t] = {}) THEN "committed"
            ELSE IF status[t] = "idle" THEN (IF waiting[t] = "begin" THEN "asked" ELSE "idle")
            ELSE IF status[t] = "aborted" THEN "aborted" ELSE "active"],
        commitTs <- [t \in Txn |-> IF t \in committed THEN commitTs[t] ELSE NoTs],
        writes <- [t \in Txn |-> IF t \in committed THEN writes[t] ELSE {}],
        deletes <- [t \in Txn |-> IF t \in committed THEN History.deletes[t] ELSE {}],
        reads <- [t \in Txn |-> {r \in History.reads[t] : ~r.own}],
        answered <- {t \in Txn : status[t] \in {"committed", "closed"}}

\* Each step is one that a database with snapshot isolation may take. When it fails, what somebody has read or was told is no
\* longer so.
RefinesSnapshotIsolation == Abstract!Spec

\* No timestamp is given twice, nor a version within the leap of another. When it fails, two transactions write the same
\* version of a record, and one of the two values is gone.
UniqueTimestamps == \A x \in given, y \in given : x = y \/ x.ts + Leap <= y.ts \/ y.ts + Leap <= x.ts

\* No timestamp lies above the durable bound. When it fails, the next TM gives it again.
BelowMaxTs == \A g \in given : g.ts <= maxTs

\* Timestamps of a later epoch exceed those of all earlier ones.
EpochsInOrder == \A x \in given, y \in given : x.epoch < y.epoch => x.ts < y.ts

\* A timestamp exceeds all that clients had received when it was asked for. When it fails, a transaction commits into a
\* snapshot that somebody has read (OmidLL: Snapshot), or begins below a commit that it was told of (StrongSI).
TimestampsFollowRealTime ==
    \A t \in Txn : waiting[t] = "none" =>
        /\ status[t] = "active" => floor[t] < readTs[t]
        /\ status[t] \in {"certified", "committed"} => floor[t] < commitTs[t]

\* A primary's swap is refused only if somebody has raised maxTS. When it fails, each end of an epoch is a failover.
RefusedForCause == \A i \in Tm : call[i] = "swapRefused" => maxTs # epoch[i]

\* Somebody, perhaps t itself by an earlier request, got a commit timestamp for one of t's keys since t began; or an epoch began.
HasReason(t) ==
    \/ \E g \in given : g.kind = "commit" /\ g.ts > readTs[t] /\ writes[g.txn] \cap writes[t] # {}
    \/ \E i \in Tm : lowWatermark[i] >= readTs[t]

\* No commit is refused without a reason. When it fails, a user who is alone in the world is aborted.
AbortsHaveReason == [][\A a \in answers' \ answers : a.kind = "commit" /\ a.ts = NoTs => HasReason(a.txn)]_vars

\* No two TMs believe that they lead. When it fails, they give timestamps side by side, and clients find neither their own
\* commits nor a consistent snapshot.
OneLeads == \A i \in Tm, j \in Tm : Leads(i) /\ Leads(j) => i = j

\* Whatever failed, some TM serves again. When it fails, the service is down until somebody repairs it by hand.
Serves(i) == Leads(i) /\ WithinEpoch(i)
ServesAgain == []<>(\E i \in Tm : Serves(i))
=============================================================================
