---- MODULE PopulatesLate ----
\* removes: PutsInTime
\* dies: IndexIsFunction
\* model: Late1x1
\* override: PutsInTime <- Without
\* why: A build whose client stood still puts the index record of a value that was deleted meanwhile, and whose
\*   tombstone is collected: a query finds a row by a value that it has no more.
EXTENDS MCIndexFence

Without(p) == TRUE
====
