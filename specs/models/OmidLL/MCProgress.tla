------------------------------ MODULE MCProgress ------------------------------
(* Liveness of OmidLL, without bounds on faults and raises: a client dies only *)
(* once, and the watermark cannot pass the clock.                              *)
EXTENDS OmidLLInv

CONSTANTS Writer, Reader

ReaderReads(t, k) == t = Reader /\ \A r \in reads[t] : r.key # k
WriterWrites(t, k, content) == t = Writer

\* The action never happens.
Never == FALSE
Never1(a) == FALSE
Never3(a, b, c) == FALSE
=============================================================================
