---------------------------- MODULE TMFailoverTrace ----------------------------
(***************************************************************************)
(* Is a recorded trace of transaction managers a behaviour of TMFailover?  *)
(*                                                                         *)
(* A TM here is a process from its start to its death: who is started      *)
(* again has another name. Its events tell its own clock, and the          *)
(* simulator's the real time, both in microseconds; that is the unit of    *)
(* Lease. A TM's clock is advanced when it acts: equivalent, because       *)
(* nobody compares one clock with another.                                 *)
(*                                                                         *)
(* Logged are the steps of the TMs, and the writes that ZooKeeper has      *)
(* executed; Java (TMFailoverFormat) has put what a TM read in ZooKeeper   *)
(* and logged only later before the write that it did not see, and before  *)
(* a TM's later steps the receipt of a request that it answered after      *)
(* them. Silent are refused writes, lost answers, and what clients do.     *)
(*                                                                         *)
(* Timestamps are counted: where the code leaps, the spec here goes on by  *)
(* one, and from the end of an epoch to the next by Range. (The code's     *)
(* epochs are half-open at the other end.) Transactions are named by the   *)
(* code's start timestamps.                                                *)
(*                                                                         *)
(* The traces of real processes are merged by Java (ManagerTraces): no     *)
(* real time is known then, and only some requests are told (e.sparse).    *)
(* Equivalent to a run in which the others were never made.                *)
(***************************************************************************)
EXTENDS TMFailover, Recorded

TracedTm == Names("tm")
TracedTxn == Names("txn")
TracedKey == Names("key")

TracedLease == Constant("lease")
TracedPatience == Constant("patience")
TracedRange == Constant("range")

VARIABLES
    \* How often the lease was written.
    version,
    \* The version that each TM wrote last.
    wrote,
    \* Which event a TM's clock was advanced for last.
    elapsed,
    \* Who found its lease run out since it took over, though it was renewed then.
    ranOut,
    \* Requests that were in hand when their TM halted.
    dropped,
    \* Whose last write of the lease was answered.
    sure

traced == <<version, wrote, elapsed, ranOut, dropped, sure>>

-----------------------------------------------------------------------------
(* Events. Conditions come first: a rejection names the false one. *)

Abs(x) == IF x < 0 THEN -x ELSE x

\* Since its last step, the TM's clock has not gained or lost more than it may, e.drift thousandths: see Rates. Where nobody
\* knows how much time has gone by, it may be as much as the clock says.
KeepsTime(e) == e.timeGoes < 0 \/ Abs(e.clockGoes - e.timeGoes) <= 2 + (1 + e.timeGoes \div 1000) * e.drift

\* The TM's clock has come to the moment of the event. (Java has seen that it does not go back.)
IsNow(e) == e.lapse = 0 \/ elapsed = matched + 1

\* The lease's version that a TM names is the present one if and only if it knows that.
NamesWhatItSaw(e) == (e.version = version) <=> (e.tm \in current)

\* A holder who was not answered looks even if he knows the version: then it is still his last one, or the one before.
LooksAgain(i) ==
    /\ i \notin sure
    /\ role[i] = "primary" /\ HasEpoch(i) /\ call[i] = "none" /\ i \in current
    /\ UNCHANGED vars

OnObserveLease(e) ==
    /\ IsNow(e) /\ KeepsTime(e)
    /\ e.version = version
    /\ ObserveLease(e.tm) \/ LooksAgain(e.tm)

OnAcquireLease(e) ==
    /\ IsNow(e) /\ KeepsTime(e)
    /\ NamesWhatItSaw(e)
    /\ AcquireLease(e.tm)

OnRenewLease(e) ==
    /\ IsNow(e) /\ KeepsTime(e)
    /\ NamesWhatItSaw(e)
    /\ RenewLease(e.tm)

\* Of ZooKeeper; the sender may wait for the answer or not.
ExecuteLeaseWrite(i) == ReplacesWhatItSaw(i) /\ WriteLease(i)
OnWriteLease(e) ==
    /\ e.version = version + 1
    /\ ExecuteLeaseWrite(e.tm) \/ LateLeaseWrite(e.tm)

OnHoldLease(e) ==
    /\ IsNow(e) /\ KeepsTime(e)
    /\ e.version = wrote[e.tm]
    /\ HoldLease(e.tm)

OnTakeOver(e) ==
    /\ IsNow(e) /\ KeepsTime(e)
    /\ e.epoch = maxTs
    /\ TakeOver(e.tm)

OnTakeOverAgain(e) ==
    /\ IsNow(e) /\ KeepsTime(e)
    /\ e.epoch = maxTs
    /\ TakeOverAgain(e.tm)

OnExtendEpoch(e) ==
    /\ IsNow(e) /\ KeepsTime(e)
    /\ e.limit = Expected(e.tm) + Range
    /\ ExtendEpoch(e.tm)

\* Of ZooKeeper; the sender may wait for the answer or not.
ExecuteSwap(i) == SwapsFrom(Expected(i)) /\ SwapMaxTs(i)
OnSwapMaxTs(e) ==
    /\ e.limit = maxTs + Range
    /\ ExecuteSwap(e.tm) \/ LateSwap(e.tm)

OnHoldEpoch(e) ==
    /\ IsNow(e) /\ KeepsTime(e)
    /\ e.limit = Expected(e.tm) + Range
    /\ HoldEpoch(e.tm)

OnFindEpoch(e) ==
    /\ IsNow(e) /\ KeepsTime(e)
    /\ e.limit = maxTs
    /\ FindEpoch(e.tm)

\* Whose lease ran out may have found that before it was renewed. Equivalent to a death, after which it is started again.
OnHalt(e) ==
    /\ IsNow(e) /\ KeepsTime(e)
    /\ e.epoch = lowWatermark[e.tm]
    /\ Halt(e.tm) \/ (e.tm \in ranOut /\ ~Deposed(e.tm) /\ Crash(e.tm))

OnReceive(e) ==
    /\ IsNow(e)
    /\ waiting[e.txn] = e.kind
    /\ Receive(e.tm, e.txn)

\* The event's request is one of those that its TM works on, and is answered now.
Answers(e, kind) ==
    LET request == [kind |-> kind, txn |-> e.txn]
    IN  request \in desk[e.tm] /\ desk' = [desk EXCEPT ![e.tm] = @ \ {request}]

OnBegin(e) ==
    /\ Answers(e, "begin")
    /\ e.ts = clock[e.tm] + 1
    /\ Begin(e.tm)

\* What the code's manager answers, besides timestamps.
Conflict == -11
BelowWatermark == -12

OnRequestCommit(e) ==
    /\ Answers(e, "commit")
    /\ e.answer \in {Conflict, BelowWatermark} \/ e.ts = clock[e.tm] + 1
    /\ (e.answer = BelowWatermark) <=> ~AboveLowWatermark(e.tm, e.txn)
    /\ (e.answer = Conflict) <=> (AboveLowWatermark(e.tm, e.txn) /\ ~NoConflict(e.tm, e.txn))
    /\ RequestCommit(e.tm)

\* A timestamp that a TM gave after it had halted reaches nobody, as the account confirms; so it was not given.
OnDropped(e) == <<e.tm, e.kind, e.txn>> \in dropped /\ UNCHANGED vars

\* The account: a client was given this start timestamp, and perhaps a commit timestamp, or its request was refused.
OnReceived(e) ==
    /\ \E g \in given : g.kind = "begin" /\ g.txn = e.txn /\ g.ts = e.ts
    /\ e.commit > 0 => \E g \in given : g.kind = "commit" /\ g.txn = e.txn /\ g.ts = e.commitTs
    /\ e.commit < 0 => [kind |-> "commit", txn |-> e.txn, ts |-> NoTs] \in answers
    /\ UNCHANGED vars

Matches(e) ==
    CASE e.action = "ObserveLease" -> OnObserveLease(e)
      [] e.action = "AcquireLease" -> OnAcquireLease(e)
      [] e.action = "RenewLease" -> OnRenewLease(e)
      [] e.action = "WriteLease" -> OnWriteLease(e)
      [] e.action = "HoldLease" -> OnHoldLease(e)
      [] e.action = "TakeOver" -> OnTakeOver(e)
      [] e.action = "TakeOverAgain" -> OnTakeOverAgain(e)
      [] e.action = "ExtendEpoch" -> OnExtendEpoch(e)
      [] e.action = "SwapMaxTs" -> OnSwapMaxTs(e)
      [] e.action = "HoldEpoch" -> OnHoldEpoch(e)
      [] e.action = "FindEpoch" -> OnFindEpoch(e)
      [] e.action = "Halt" -> OnHalt(e)
      [] e.action = "Receive" -> OnReceive(e)
      [] e.action = "Begin" -> OnBegin(e) \/ OnDropped(e)
      [] e.action = "RequestCommit" -> OnRequestCommit(e) \/ OnDropped(e)
      [] e.action = "Received" -> OnReceived(e)

\* Those that tell the time of a step: how far the TM's clock has gone since the last one.
IsTimed(e) == e.lapse >= 0
IsLeaseStep(e) == IsTimed(e) /\ e.action # "Receive"

Match(e) ==
    /\ Matches(e)
    /\ Advances
    /\ version' = IF e.action = "WriteLease" THEN e.version ELSE version
    /\ wrote' = IF e.action = "WriteLease" THEN [wrote EXCEPT ![e.tm] = e.version] ELSE wrote
    /\ ranOut' = IF e.action \in {"Halt", "TakeOver"} THEN ranOut \ {e.tm} ELSE ranOut
    /\ dropped' = IF e.action = "Halt" THEN dropped \cup {<<e.tm, r.kind, r.txn>> : r \in desk[e.tm]} ELSE dropped
    /\ sure' = CASE e.action = "HoldLease" -> sure \cup {e.tm}
                 [] e.action \in {"AcquireLease", "RenewLease"} -> sure \ {e.tm}
                 [] OTHER -> sure
    /\ UNCHANGED elapsed

-----------------------------------------------------------------------------
(* Silent steps, before the event e *)

\* The clock of the TM advances to the moment of the event.
Elapse(e) ==
    /\ IsTimed(e) /\ ~IsNow(e)
    /\ Advance([i \in Tm |-> IF i = e.tm THEN e.lapse ELSE 0])
    /\ elapsed' = matched + 1
    /\ ranOut' = IF role[e.tm] = "primary" /\ age'[e.tm] >= Lease THEN ranOut \cup {e.tm} ELSE ranOut
    /\ UNCHANGED <<zooKeeper, role, call, memory, desk, answers, client, history>>
    /\ UNCHANGED <<version, wrote, dropped, sure>>

\* The client asks as late as possible, and hears of its begin when it asks to commit.
SilentClient(e) ==
    /\ e.action = "Receive"
    /\ IF e.kind = "begin" THEN AskBegin(e.txn)
       ELSE ReceiveBegin(e.txn) \/ (status[e.txn] = "active" /\ AskCommit(e.txn, e.keys))

\* The code's next timestamp is further away than the spec's: the TM leaves some out. Equivalent, because a timestamp that
\* nobody holds is compared with nothing. Those of a sparse trace went to requests that it does not tell.
PassTimestamps(e) ==
    /\ e.action \in {"Begin", "RequestCommit"} /\ clock[e.tm] + 1 < e.ts
    /\ e.sparse \/ clock[e.tm] = e.before
    /\ clock' = [clock EXCEPT ![e.tm] = e.ts - 1]
    /\ UNCHANGED <<zooKeeper, role, age, call, sentAge, epoch, lastCommit, lowWatermark, desk, answers, client, history>>

\* ZooKeeper refuses what the TM has sent; the event shows that it knows.
SilentRefusal(e) ==
    \/ e.action \in {"ObserveLease", "Halt"} /\ ~ReplacesWhatItSaw(e.tm) /\ WriteLease(e.tm)
    \/ e.action \in {"TakeOverAgain", "FindEpoch", "Halt"} /\ ~SwapsFrom(Expected(e.tm)) /\ SwapMaxTs(e.tm)

\* The event shows that the TM does not wait any more. If no answers are lost, that is one whose renewal was refused, and which
\* does something else before it looks.
SilentLoss(e) ==
    /\ e.lossy \/ call[e.tm] = "leaseRefused"
    /\ \/ e.action \in {"AcquireLease", "RenewLease", "ExtendEpoch"}
       \/ e.action = "ObserveLease" /\ ~(call[e.tm] = "lease" /\ ~ReplacesWhatItSaw(e.tm))
       \/ e.action \in {"FindEpoch", "Halt"} /\ call[e.tm] \in {"lease", "leaseWritten", "swapped"}
    /\ call[e.tm] # "leaseRefused" \/ e.action # "ObserveLease"
    /\ LoseAnswer(e.tm)

\* The code reads maxTS to find out what became of a swap whose answer was lost. Equivalent to sending it again, which is
\* refused.
SilentRepetition(e) ==
    /\ e.action = "FindEpoch" \/ (e.action = "Halt" /\ ~Deposed(e.tm))
    /\ maxTs # epoch[e.tm]
    /\ ExtendEpoch(e.tm)

\* A TM that took over and got no epoch waits for the lease again, its own. Equivalent to a death.
SilentCrash(e) ==
    /\ e.action = "ObserveLease" /\ role[e.tm] = "primary" /\ ~HasEpoch(e.tm)
    /\ Crash(e.tm)

SilentRestart(e) == IsLeaseStep(e) /\ Restart(e.tm)

\* The TM saw that nobody has held the lease yet. Equivalent to having looked at it long before anything happened.
SilentPatience(e) ==
    /\ e.action = "AcquireLease" /\ e.version = 0 /\ ~WaitedOut(e.tm)
    /\ age' = [age EXCEPT ![e.tm] = Patience]
    /\ UNCHANGED <<zooKeeper, role, call, sentAge, memory, desk, answers, client, history>>

Silent(e) ==
    \/ Elapse(e)
    \/ /\ e.tm \in Tm /\ (IsTimed(e) => IsNow(e))
       /\ \/ SilentClient(e) \/ PassTimestamps(e) \/ SilentRefusal(e) \/ SilentLoss(e) \/ SilentRepetition(e)
          \/ SilentCrash(e) \/ SilentRestart(e) \/ SilentPatience(e)
       /\ UNCHANGED traced

-----------------------------------------------------------------------------

TraceInit ==
    /\ Init
    /\ RecordedInit
    /\ version = 0
    /\ wrote = [i \in Tm |-> 0]
    /\ elapsed = 0
    /\ ranOut = {}
    /\ dropped = {}
    /\ sure = {}

TraceNext ==
    /\ matched < Len(Events)
    /\ LET e == Events[matched + 1]
       IN  Match(e) \/ (Silent(e) /\ Waits)

\* Instead of GreatestReceived, which only properties ask for, and which takes long among many transactions.
NothingReceived == 0

\* What the rest of the search depends on.
Searched == <<trace, matched, traced, zooKeeper, tm, answers, client>>
================================================================================
