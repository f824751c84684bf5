---- MODULE EvictsUnderReaders ----
\* removes: SnapshotsAt
\* dies: AbortsHaveReason
\* model: Plain2x1
\* override: SnapshotsAt <- Without
\* why: Versions go that transactions of the same instance still read.
EXTENDS MCPH1

Without(n) == {}
====
