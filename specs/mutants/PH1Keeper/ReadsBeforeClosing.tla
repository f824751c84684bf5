---- MODULE ReadsBeforeClosing ----
\* removes: ReadWhenClosed
\* dies: SnapshotsAreWhole
\* model: Takeover2x2
\* override: ReadWhenClosed <- Without
\* why: The log is read and then closed: what was appended in between nobody flushes.
EXTENDS MCPH1Keeper

Without(v) == {}
====
