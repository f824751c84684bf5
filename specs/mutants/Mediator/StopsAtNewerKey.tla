---- MODULE StopsAtNewerKey ----
\* removes: NoConflictInRing
\* dies: SerialLegal
\* model: Serial2x2
\* override: NoConflictInRing <- Without
\* why: Line 67 ends the loop over the keys where one was read in a version newer than the entry. Under
\*   serializability the keys differ in that, and another key of the entry is not compared.
EXTENDS MCMediator

Without(t) ==
    \A w \in Txn : Counts(w) /\ (\A k \in ConflictSet(t) : commitTs[w] >= Since(t, k)) =>
        \A k \in ConflictSet(t) : k \in filter[w] => commitTs[w] <= Since(t, k)
====
