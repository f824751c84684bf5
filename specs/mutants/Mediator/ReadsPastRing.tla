---- MODULE ReadsPastRing ----
\* removes: IsDue
\* dies: SnapshotLegal
\* model: Update2x1
\* override: IsDue <- Without
\* why: A reader that takes what it finds misses a transaction that committed before its start and is not
\*   written back.
EXTENDS MCMediator

Without(t, k, from) == TRUE
====
