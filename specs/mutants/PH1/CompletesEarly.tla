---- MODULE CompletesEarly ----
\* removes: AllPut
\* dies: Snapshot
\* model: Plain2x1
\* override: AllPut <- Without
\* why: The certifier is told that the flush has ended while a put is under way.
EXTENDS MCPH1

Without(t) == TRUE
====
