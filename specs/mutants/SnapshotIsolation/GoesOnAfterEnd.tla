---- MODULE GoesOnAfterEnd ----
\* removes: HasEnded
\* dies: Snapshot
\* model: Two2x1
\* override: HasEnded <- Without
\* why: A transaction that has committed is aborted, and who has read its value has read what never was.
EXTENDS MCSnapshotIsolation

Without(t) == FALSE
====
