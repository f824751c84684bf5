---- MODULE EvictsActive ----
\* removes: IsComplete
\* dies: SnapshotLegal
\* model: Update2x1
\* override: IsComplete <- Without
\* why: An entry is deleted before its transaction is written back: who begins next does not know that he has to
\*   wait.
EXTENDS MCMediator

Without(t) == TRUE
====
