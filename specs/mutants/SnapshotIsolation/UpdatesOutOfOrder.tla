---- MODULE UpdatesOutOfOrder ----
\* removes: UpdatesInOrder
\* dies: RelaxedSI
\* model: Unordered2x1
\* override: UpdatesInOrder <- Without
\* why: A user overwrites a value without the time from anybody, and the old one comes back.
EXTENDS MCSnapshotIsolation

Without(t, keys, ts) == TRUE
====
