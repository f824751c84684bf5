------------------------------ MODULE MCProgress ------------------------------
(* Liveness of IndexFence: without bounds on the watermark, which cannot pass  *)
(* the clock.                                                                  *)
EXTENDS IndexFence

CONSTANTS MaxFaults, Again, e0, e1

OneRow == [x \in Txn \X Row |-> IF x[1] \in Again THEN e0 ELSE e1]

\* The same for each of several rows.
EachRow == [x \in Txn \X Row |-> <<OneRow[x], x[2]>>]

FewFaults == faults < MaxFaults

\* Rows are read once, and before they are written; index records are not read.
ReadByRole(t, k) == k \in Row /\ writes[t] = {} /\ \A r \in reads[t] : r.key # k

\* The same for builds of several rows, one after the other.
ReadRest(t, k) == ReadByRole(t, k) /\ k \notin populated[t] /\ \A r \in reads[t] : r.key \in populated[t]

\* No collector comes to anything.
Nobody == {}

\* Nobody writes before there is the trigger.
WriteTriggered(t, k, content) == k \in triggers

\* The action never happens.
Never == FALSE
Never2(a, b) == FALSE
=============================================================================
