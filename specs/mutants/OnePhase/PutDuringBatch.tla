---- MODULE PutDuringBatch ----
\* removes: RowUnlocked
\* dies: Snapshot
\* model: Deletes3x1
\* override: RowUnlocked <- Without
\* why: A value is being stored when a later transaction deletes it the long way. The tombstone is put, committed and collected,
\*   as there is nothing that it hides. Then comes the value, and readers see what was deleted.
EXTENDS MCOnePhase

Without(k) == TRUE
====
