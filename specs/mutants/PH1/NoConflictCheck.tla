---- MODULE NoConflictCheck ----
\* removes: NoConflict
\* dies: FirstCommitterWins
\* model: Plain2x1
\* override: NoConflict <- Without
\* why: Two users overwrite the same value, and one update is lost.
EXTENDS MCPH1

Without(t) == TRUE
====
