---- MODULE SwapsBlindly ----
\* removes: SwapsFrom
\* dies: UniqueTimestamps
\* model: Failover2x2
\* override: SwapsFrom <- Without
\* why: A TM that puts maxTS instead of swapping it takes the epoch that its successor already has.
EXTENDS MCTMFailover

Without(expected) == TRUE
====
