------------------------------ MODULE MCPH1Keeper ------------------------------
(* Bounds and witnesses for the models of PH1Keeper.                           *)
EXTENDS PH1Keeper, Sequences, TLC

CONSTANTS
    t1, t2, n1, n2, n3,
    \* No more timestamps are taken.
    MaxClock

\* The keeper of the first view is in none of the later ones, or in one of them.
KeepersInTurn == [v \in Views |-> IF v = 0 THEN n1 ELSE IF v = 1 THEN n2 ELSE n3]
MembersInTurn == [v \in Views |-> IF v = 0 THEN {n1, n2, n3} ELSE IF v = 1 THEN {n2, n3} ELSE {n1, n3}]

Bounded == clock <= MaxClock

ASSUME \A i \in 1..4 : TLCSet(i, FALSE)
Witness(i, name, cond) ==
    (TLCGet(i) = FALSE /\ cond) => (PrintT("WITNESS " \o name) /\ TLCSet(i, TRUE))

Witnesses ==
    /\ Witness(1, "TwoKeepers", \E v, w \in Views : v < w /\ step[v] = "serving" /\ IsKeeper(v) /\ step[w] = "serving")
    /\ Witness(2, "ClosedOut", \E t \in Txn : status[t] = "aborted")
    /\ Witness(3, "RedoneByNext", \E v \in Views : v > 0 /\ step[v] = "serving" /\ left[v] # {})
    /\ Witness(4, "GivenByNext", \E v \in Views : v > 0 /\ step[v] = "serving" /\ \E s \in snapshots : s > generation[v] + 1)
=============================================================================
