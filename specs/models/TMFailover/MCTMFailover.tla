----------------------------- MODULE MCTMFailover -----------------------------
(* Bounds, symmetry, restrictions and witnesses for the models of TMFailover.  *)
EXTENDS TMFailoverInv, Sequences, TLC

CONSTANTS
    \* How many answers of ZooKeeper may be lost, and TMs die.
    MaxFaults,
    \* maxTS goes no higher.
    MaxEpoch,
    \* The TM that was elected first, where a model begins after that.
    First

FewFaults == faults < MaxFaults
FewEpochs(ts) == ts <= MaxEpoch

\* After the first election: First is primary with a fresh lease and epoch, the others have just seen it.
ElectedInit ==
    /\ maxTs = Range
    /\ raiser = First
    /\ holder = First
    /\ current = Tm
    /\ strayWrites = {}
    /\ straySwaps = {}
    /\ role = [i \in Tm |-> IF i = First THEN "primary" ELSE "backup"]
    /\ age = [i \in Tm |-> 0]
    /\ call = [i \in Tm |-> "none"]
    /\ sentAge = [i \in Tm |-> 0]
    /\ epoch = [i \in Tm |-> IF i = First THEN Range ELSE 0]
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

ElectedSpec == ElectedInit /\ [][Next]_vars

Symmetry == Permutations(Tm) \cup Permutations(Txn)
TxnSymmetry == Permutations(Txn)

\* A TM works on one request at a time, or on two.
OneInHand(i) == desk[i] = {}
TwoInHand(i) == Cardinality(desk[i]) < 2

\* A primary asks for its next epoch when it needs it.
UsedUp(i) == ~WithinEpoch(i) \/ ~HasEpoch(i)

\* A client does not repeat a request while an answer is on its way.
PatientClients(i, t) == \A a \in answers : a.txn # t

\* What the code's TMs do: a renewal that is due goes before an epoch, the first epoch before a renewal. Who finds its lease over
\* halts; who does not hear of its first epoch begins anew, which is a crash here.
AsTheCode ==
    /\ \A i \in Tm : role[i] = "primary" /\ role'[i] = "primary" /\ call'[i] # call[i] =>
        /\ call'[i] = "lease" => HasEpoch(i) /\ LeaseLasts(i)
        /\ call'[i] = "swap" => ~HasEpoch(i) \/ age[i] = 0
        /\ call'[i] = "none" /\ ~HasEpoch(i) => epoch'[i] # epoch[i]

\* The same, where only halted TMs are started again, and look at the lease before they challenge.
AsTheCodeHalted ==
    /\ AsTheCode
    /\ \A i \in Tm :
        /\ role[i] = "dead" => role'[i] = "dead"
        /\ role[i] = "backup" /\ call[i] # call'[i] /\ call'[i] = "lease" => i \in current

\* The action never happens.
Never1(a) == FALSE
Never2(a, b) == FALSE

-----------------------------------------------------------------------------
(* Witnesses: what a model must reach, or its passing says nothing. Each is    *)
(* printed when it is first met (by each worker).                              *)

ASSUME \A i \in 1..23 : TLCSet(i, FALSE)
Requests == [kind : {"begin", "commit"}, txn : Txn]
Witness(i, name, cond) ==
    (TLCGet(i) = FALSE /\ cond) => (PrintT("WITNESS " \o name) /\ TLCSet(i, TRUE))

Witnesses ==
    /\ Witness(1, "FailedOver",
               \E i \in Tm, j \in Tm : Serves(i) /\ i # j /\ role[j] # "primary" /\ lowWatermark[i] > 0)
    /\ Witness(2, "TwoPrimaries",
               \E i \in Tm, j \in Tm : i # j /\ role[i] = "primary" /\ Serves(j))
    /\ Witness(3, "OldPrimaryRefuses",
               \E i \in Tm, j \in Tm, t \in Txn :
                   /\ role[i] = "primary" /\ ~LeaseLasts(i) /\ waiting[t] # "none"
                   /\ Leads(j) /\ \E g \in given : g.epoch = epoch[j])
    /\ Witness(4, "OldPrimaryAnswersLate",
               \E i \in Tm, j \in Tm :
                   i # j /\ desk[i] # {} /\ WithinEpoch(i) /\ \E g \in given : g.epoch = epoch[j])
    /\ Witness(5, "LowWatermarkAbort",
               \E i \in Tm, r \in Requests :
                   /\ r \in desk[i] /\ r.kind = "commit" /\ WithinEpoch(i)
                   /\ NoConflict(i, r.txn) /\ ~AboveLowWatermark(i, r.txn))
    /\ Witness(6, "ConflictAbort",
               \E i \in Tm, r \in Requests :
                   /\ r \in desk[i] /\ r.kind = "commit" /\ WithinEpoch(i)
                   /\ ~NoConflict(i, r.txn) /\ AboveLowWatermark(i, r.txn))
    /\ Witness(7, "EpochExtended",
               \E i \in Tm : epoch[i] > lowWatermark[i] + Range)
    /\ Witness(8, "LapsedLeaseRenewed",
               \E i \in Tm : role[i] = "primary" /\ ~LeaseLasts(i) /\ call[i] = "leaseWritten" /\ sentAge[i] < Lease)
    /\ Witness(9, "ChallengeRefused",
               \E i \in Tm : role[i] = "backup" /\ call[i] = "leaseRefused")
    /\ Witness(10, "RenewalRefused",
               \E i \in Tm : role[i] = "primary" /\ call[i] = "leaseRefused")
    /\ Witness(11, "SwapRefused",
               \E i \in Tm : call[i] = "swapRefused" /\ ~RaisedLast(i))
    /\ Witness(12, "LostRenewalFound",
               \E i \in Tm : role[i] = "primary" /\ i \notin current /\ holder = i /\ call[i] = "leaseRefused")
    /\ Witness(13, "LostSwapFound",
               \E i \in Tm : call[i] = "swapRefused" /\ RaisedLast(i))
    /\ Witness(14, "LateWriteOfTheDead",
               \E i \in strayWrites : role[i] = "dead")
    /\ Witness(15, "RetriedAtTwo",
               \E i \in Tm, j \in Tm : i # j /\ desk[i] \cap desk[j] # {})
    /\ Witness(16, "CommitAcrossFailover",
               \E t \in committed, j \in Tm : commitTs[t] <= lowWatermark[j] /\ \E g \in given : g.epoch = epoch[j])
    /\ Witness(17, "StaleRequest",
               \E i \in Tm : \E r \in desk[i] : waiting[r.txn] # r.kind)
    /\ Witness(18, "TookOverAgain",
               \E i \in Tm : call[i] = "swapRefused" /\ clock[i] = lowWatermark[i] /\ ~RaisedLast(i))
    /\ Witness(19, "TwoInHand",
               \E i \in Tm : Cardinality({r \in desk[i] : waiting[r.txn] = r.kind}) = 2)
=============================================================================
