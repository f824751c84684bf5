------------------------------ MODULE MCProgress ------------------------------
(* Liveness of Fragola, without bounds on faults and raises: a client dies only *)
(* once, and the watermark cannot pass the clock.                              *)
EXTENDS FragolaInv

\* The action never happens.
Never == FALSE
Never1(a) == FALSE
Never2(a, b) == FALSE
Never3(a, b, c) == FALSE
=============================================================================
