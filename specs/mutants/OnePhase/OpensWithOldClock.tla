---- MODULE OpensWithOldClock ----
\* removes: CollectedAfterOpening
\* dies: Snapshot
\* model: Regions2x1
\* override: CollectedAfterOpening <- Without
\* why: A server that opens a region asks for the time, and lifts only its own clock to it. The rows' clocks know nothing of the reads
\*   that another server has served, and a batch of before is stored below one of them.
EXTENDS MCOnePhase

Without(k) == collected[k]
====
