---- MODULE TakesForeignSwapForOwn ----
\* removes: SwapsFrom
\* dies: UniqueTimestamps
\* model: Failover2
\* override: SwapsFrom <- Without
\* why: A TM finds in maxTS the value that it wants to write, and takes it for its own earlier try whose
\*   answer was lost. It was another TM's: both use the epoch.
EXTENDS MCTMFailover

Without(expected) == maxTs \in {expected, expected + Range}
====
