---------------------------- MODULE MCFastProgress ----------------------------
(* Liveness of FastPath, without bounds on faults: a client dies only once,    *)
(* and clocks cannot go on without an end, since every operation ends.         *)
EXTENDS FastPath

CONSTANT s1

OneServer == [k \in Key |-> s1]

\* The action never happens.
Never == FALSE
Never1(a) == FALSE
Never2(a, b) == FALSE
Never3(a, b, c) == FALSE
=============================================================================
