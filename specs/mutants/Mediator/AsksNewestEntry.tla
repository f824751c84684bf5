---- MODULE AsksNewestEntry ----
\* removes: NoConflictInRing
\* dies: DisjointWrites
\* model: Ring3x2
\* override: NoConflictInRing <- NewestOnly
\* why: The ring's newest entry holds another key, and the conflict with an older one, which is not written back yet, is not
\*   found: an update is lost.
EXTENDS MCMediator

NewestOnly(t) ==
    \A w \in Txn : Counts(w) /\ (\A x \in Txn : Counts(x) => commitTs[x] <= commitTs[w]) =>
        \A k \in ConflictSet(t) : k \in filter[w] => commitTs[w] <= Since(t, k)
====
