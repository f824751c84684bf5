---- MODULE NoConflictCheck ----
\* removes: NoConflict
\* dies: FirstCommitterWins
\* model: Writers2x1
\* override: NoConflict <- Without
\* why: Two transactions overlap and write a row. Both commit, an update is lost, and the index has records for
\*   both values.
EXTENDS MCIndexFence

Without(t) == TRUE
====
