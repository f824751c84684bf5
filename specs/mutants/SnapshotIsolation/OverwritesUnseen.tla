---- MODULE OverwritesUnseen ----
\* removes: NothingBetween
\* dies: FirstCommitterWins
\* model: Two2x1
\* override: NothingBetween <- Without
\* why: Two transactions read a counter and write it: one of the two increments is gone.
EXTENDS MCSnapshotIsolation

Without(keys, from, to) == TRUE
====
