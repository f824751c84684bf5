---- MODULE NoConflictCheck ----
\* removes: NoConflict
\* dies: FirstCommitterWins
\* model: Plain2x2
\* override: NoConflict <- Without
\* why: Two overlapping transactions write the same key and both commit: the first one's update is lost.
EXTENDS MCOmidLL

Without(t) == TRUE
====
