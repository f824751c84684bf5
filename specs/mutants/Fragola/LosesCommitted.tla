---- MODULE LosesCommitted ----
\* removes: LogIsOne
\* dies: Snapshot
\* model: Faults2x2
\* override: LogIsOne <- Without
\* why: The commit cell is in a log that does not have the put before it, and outlives its value.
EXTENDS MCFragola

Without(t) == TRUE
====
