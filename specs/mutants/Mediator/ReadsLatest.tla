---- MODULE ReadsLatest ----
\* removes: SnapshotAt
\* dies: SnapshotLegal
\* model: Update2x1
\* override: SnapshotAt <- Without
\* why: A transaction that reads the latest version reads what was put after its start.
EXTENDS MCMediator

Without(t, k) == Last(k)
====
