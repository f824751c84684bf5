----------------------------- MODULE APTMFailover -----------------------------
(* Of failover, by induction: the types; that no two transaction managers believe that they lead, whatever fails and however     *)
(* clocks drift as far as is tolerated; and that no timestamp lies above the durable bound. Three managers, leases, epochs and   *)
(* timestamps of any size; one transaction, one key, and two answers and timestamps that are remembered.                         *)
EXTENDS TMFailover, Apalache

ConstInit ==
    /\ Tm = {"m1_OF_TM", "m2_OF_TM", "m3_OF_TM"}
    /\ NoTm = "none_OF_TM"
    /\ Txn = {"t1_OF_TXN"}
    /\ Key = {"k1_OF_KEY"}
    /\ NoTxn = "none_OF_TXN"
    /\ MinRate = 2 /\ MaxRate = 3
    /\ Lease \in Nat /\ 0 < Lease
    /\ Leap \in Nat /\ 0 < Leap
    /\ Range \in Nat

\* The variables that have no value by TypeOK alone.
Anything ==
    /\ current \in SUBSET Tm
    /\ strayWrites \in SUBSET Tm
    /\ straySwaps \in SUBSET Tm
    /\ age \in [Tm -> Nat]
    /\ sentAge \in [Tm -> Nat]
    /\ \E f \in [(Tm \X Key) -> Nat] : lastCommit = [i \in Tm |-> [k \in Key |-> f[<<i, k>>]]]
    /\ answers = Gen(2)
    /\ committed \in SUBSET Txn
    /\ given = Gen(2)

-----------------------------------------------------------------------------
(* The lease *)

\* As far as it knows, i's lease is over, and will be when it hears of a write that it waits for.
Over(i) ==
    /\ role[i] = "primary" => age[i] >= Lease
    /\ call[i] = "leaseWritten" => sentAge[i] >= Lease

\* Who is not the holder does not lead; nor does the holder, if somebody else may still replace what he wrote.
HolderLeads ==
    /\ \A i \in Tm : i # holder => Over(i)
    /\ \A i \in Tm : i # holder /\ (i \in strayWrites \/ (call[i] = "lease" /\ i \in current)) => \A h \in Tm : Over(h)

\* A primary, or who has just written the lease, knows its present version only if it is its own.
OwnVersion == \A i \in current : role[i] = "primary" \/ call[i] = "leaseWritten" => i = holder

\* A backup has not seen the present version for longer than its holder has it; both by clocks that drift.
SeenLater ==
    \A i \in current :
        role[i] = "backup" /\ i # holder =>
            \A h \in Tm : h = holder =>
                /\ role[h] = "primary" /\ age[h] < Lease => age[i] * MinRate <= age[h] * MaxRate
                /\ call[h] = "leaseWritten" /\ sentAge[h] < Lease => age[i] * MinRate <= sentAge[h] * MaxRate

\* Who does not run waits for nothing and knows nothing; and only a primary raises maxTS.
Calls ==
    \A i \in Tm :
        /\ ~Runs(i) => call[i] = "none" /\ i \notin current
        /\ call[i] \in {"swap", "swapped", "swapRefused"} => role[i] = "primary"

-----------------------------------------------------------------------------
(* Epochs *)

\* Nobody gives timestamps beyond his epoch, whose end is durable before he knows it.
Durable ==
    /\ \A i \in Tm :
        /\ clock[i] <= epoch[i] /\ epoch[i] <= maxTs
        /\ call[i] = "swapped" => epoch[i] + Range <= maxTs
    /\ BelowMaxTs

Inductive == TypeOK /\ HolderLeads /\ OwnVersion /\ SeenLater /\ Calls /\ OneLeads /\ Durable

Assumed == Anything /\ Inductive
=============================================================================
