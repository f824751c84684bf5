---- MODULE BatchOverTwoRegions ----
\* removes: InOneRegion
\* dies: Snapshot
\* model: Two2x2
\* override: InOneRegion <- Without
\* why: The batch is compared with the clock of one server. On the other one a reader has looked already.
EXTENDS MCOnePhase

Without(t) == TRUE
====
