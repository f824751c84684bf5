------------------------------ MODULE MCFastPath ------------------------------
(* Bounds, symmetry, restrictions and witnesses for the models of FastPath.    *)
EXTENDS FastPath, TLC

CONSTANTS
    \* How many faults a behaviour may have.
    MaxFaults,
    \* The last timestamp that the TM gives.
    MaxClock

RaisedAsFarAsPossible == \A ts \in 1..(clock + 1) : LL!NoLiveReaderBelow(ts) => ts <= watermark'

\* For models of all behaviours with so many faults and timestamps, in which the watermark goes up once.
Bounded ==
    /\ faults' <= MaxFaults
    /\ clock' <= MaxClock
    /\ watermark' # watermark => watermark = 0 /\ RaisedAsFarAsPossible

Symmetry == Permutations(Fast) \cup Permutations(Txn \ Fast)

\* Which server has which key at first.
CONSTANTS s1, s2
OneServer == [k \in Key |-> s1]
TwoServers == [k \in Key |-> IF k = CHOOSE x \in Key : TRUE THEN s1 ELSE s2]

-----------------------------------------------------------------------------
(* Restrictions, as overrides of MayRead, MayWrite, MayTakeFastPath and of     *)
(* actions.                                                                    *)

\* A key is read once by each transaction.
ReadOnce(t, k) == \A r \in reads[t] : r.key # k

\* The action never happens.
Never == FALSE
Never1(a) == FALSE
Never2(a, b) == FALSE
Never3(a, b, c) == FALSE
=============================================================================
