---- MODULE OpensWithOldClock ----
\* removes: RowClockAfterOpening
\* dies: Snapshot
\* model: Regions2x1
\* override: RowClockAfterOpening <- Without
\* why: A server that opens a region asks for the time, and lifts only its own clock to it. The rows' clocks know nothing of the reads
\*   that another server has served.
EXTENDS MCOnePhase

Without(k) == rowClock[k]
====
