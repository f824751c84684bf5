---- MODULE WaitsForEarliest ----
\* removes: LatestCommitted
\* dies: SnapshotLegal
\* model: Ring3x1
\* override: LatestCommitted <- Earliest
\* why: Of two writers of a key that the replica knows, the reader waits for the earlier one, and misses the one that
\*   is due.
EXTENDS MCMediator

Earliest(t, k) ==
    LET writers == {w \in replica[t] : k \in filter[w] /\ commitTs[w] < readTs[t]}
    IN  IF writers = {} THEN 0 ELSE commitTs[CHOOSE w \in writers : \A x \in writers : commitTs[x] >= commitTs[w]]
====
