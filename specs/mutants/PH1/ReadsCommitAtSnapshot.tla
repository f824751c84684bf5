---- MODULE ReadsCommitAtSnapshot ----
\* removes: CommittedBefore
\* dies: Snapshot
\* model: Plain2x1
\* override: CommittedBefore <- Without
\* why: A snapshot is given at the commit timestamp of a flush that is under way: who reads that, too, sees half of it.
\*   Whether the end belongs to the snapshot decides, and the paper has it both ways.
EXTENDS MCPH1

Without(ts, t) == ts <= readTs[t]
====
