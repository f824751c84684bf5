---- MODULE AppendsToClosedLog ----
\* removes: MayAppend
\* dies: SnapshotsAreWhole
\* model: Takeover2x2
\* override: MayAppend <- Without
\* why: What an earlier keeper certified gets into the log after the next one has read it, and below its first snapshot.
EXTENDS MCPH1Keeper

Without(t) == TRUE
====
