---- MODULE IgnoresOpen ----
\* removes: BeforeEnded
\* dies: SnapshotsAreWhole
\* model: Takeover2x2
\* override: BeforeEnded <- Without
\* why: A snapshot is given above a commit that is being flushed.
EXTENDS MCPH1Keeper

Without(v) == TRUE
====
