---- MODULE ReadsFromTwo ----
\* removes: Holds
\* dies: Snapshot
\* model: Two2x1
\* override: Holds <- Without
\* why: A transaction reads a key twice, and finds something else.
EXTENDS MCSnapshotIsolation

Without(t, ts) == TRUE
====
