---- MODULE NoLowWatermarkCheck ----
\* removes: AboveLowWatermark
\* dies: FirstCommitterWins
\* model: Failover2x2
\* override: AboveLowWatermark <- Without
\* why: The new TM knows where its epoch began, and lets an older transaction commit all the same.
EXTENDS MCTMFailover

Without(i, t) == TRUE
====
