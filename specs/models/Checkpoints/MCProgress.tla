------------------------------ MODULE MCProgress ------------------------------
(* Liveness of Checkpoints.                                                    *)
EXTENDS Checkpoints

CONSTANT MaxFaults

FewFaults == faults < MaxFaults

\* The action never happens.
Never2(a, b) == FALSE
Never3(a, b, c) == FALSE
=============================================================================
