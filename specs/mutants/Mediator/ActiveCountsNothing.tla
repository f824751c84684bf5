---- MODULE ActiveCountsNothing ----
\* removes: Counts
\* dies: DisjointWrites
\* model: Update2x1
\* override: Counts <- Without
\* why: A transaction is compared with those that are known to have committed. One that is between its commit
\*   timestamp and its write-back is in neither place.
EXTENDS MCMediator

Without(w) == ring[w] = "committed"
====
