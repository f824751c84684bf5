------------------------------ MODULE MCProgress ------------------------------
(* Liveness of OmidTwoPhase, without a bound on faults: a client dies only     *)
(* once.                                                                       *)
EXTENDS OmidTwoPhase

\* The action never happens.
Never == FALSE
Never1(a) == FALSE
Never2(a, b) == FALSE
Never3(a, b, c) == FALSE
=============================================================================
