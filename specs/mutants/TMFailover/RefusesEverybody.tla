---- MODULE RefusesEverybody ----
\* removes: AboveLowWatermark
\* dies: AbortsHaveReason
\* model: Keys1x2
\* override: AboveLowWatermark <- Without
\* why: A TM that commits nothing is safe, and of no use.
EXTENDS MCTMFailover

Without(i, t) == FALSE
====
