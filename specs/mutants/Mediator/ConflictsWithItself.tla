---- MODULE ConflictsWithItself ----
\* removes: NoConflictInRing
\* dies: AbortsHaveReason
\* model: Serial2x2
\* override: NoConflictInRing <- Without
\* why: Line 67 skips entries that are older than the version that was read, and not the one that wrote it:
\*   whoever reads what a transaction wrote is aborted, while its entry is in the ring.
EXTENDS MCMediator

Without(t) ==
    \A w \in Txn : Counts(w) => \A k \in ConflictSet(t) : k \in filter[w] => commitTs[w] < Since(t, k)
====
