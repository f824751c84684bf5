---- MODULE NoRingCheck ----
\* removes: NoConflictInRing
\* dies: DisjointWrites
\* model: Update2x1
\* override: NoConflictInRing <- Without
\* why: Two transactions that overlap write the same key; the database check of one comes before the other is
\*   written back.
EXTENDS MCMediator

Without(t) == TRUE
====
