---- MODULE ServesUnflushed ----
\* removes: AllRedone
\* dies: SnapshotsAreWhole
\* model: Takeover2x2
\* override: AllRedone <- Without
\* why: A snapshot is given while what is in the log is not flushed.
EXTENDS MCPH1Keeper

Without(v) == TRUE
====
