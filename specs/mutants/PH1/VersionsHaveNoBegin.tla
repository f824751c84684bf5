---- MODULE VersionsHaveNoBegin ----
\* removes: Covers
\* dies: Snapshot
\* model: Eldest3x1
\* override: Covers <- Without
\* why: Any version that lasted until the snapshot: a later one did, too, and the reader gets a value that was written after it
\*   had begun.
EXTENDS MCPH1

Without(v, ts) == ts <= v.until
====
