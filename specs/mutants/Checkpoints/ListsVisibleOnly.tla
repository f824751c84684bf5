---- MODULE ListsVisibleOnly ----
\* removes: ListsLevel
\* dies: AllListed
\* model: Levels1x1
\* override: ListsLevel <- Without
\* why: Snapshot-all leaves out the present level between checkpoint and snapshot, so an abort leaves its entries in an
\*   index.
EXTENDS MCCheckpoints

Without(t, r) == r.ts <= ReadPoint(t)
====
