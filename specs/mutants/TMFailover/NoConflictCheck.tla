---- MODULE NoConflictCheck ----
\* removes: NoConflict
\* dies: FirstCommitterWins
\* model: Failover2x2
\* override: NoConflict <- Without
\* why: Two overlapping transactions of one epoch write the same key and both commit.
EXTENDS MCTMFailover

Without(i, t) == TRUE
====
