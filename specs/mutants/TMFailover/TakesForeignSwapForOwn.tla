---- MODULE TakesForeignSwapForOwn ----
\* removes: RaisedLast
\* dies: UniqueTimestamps
\* model: Failover2x2
\* override: RaisedLast <- Without
\* why: A TM whose swap was refused finds maxTS raised, and takes that for its own earlier try whose answer was
\*   lost. It was another TM's: both use the epoch.
EXTENDS MCTMFailover

Without(i) == TRUE
====
