---- MODULE ReadsWithoutLifting ----
\* removes: ReadLifts
\* dies: Snapshot
\* model: Fast1x1
\* override: ReadLifts <- Without
\* why: A fast-path write that comes after the read draws a version in the reader's snapshot.
EXTENDS MCCheckpoints

Without(t) == 0
====
