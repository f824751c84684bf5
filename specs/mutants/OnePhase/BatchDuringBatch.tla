---- MODULE BatchDuringBatch ----
\* removes: NoBatchInRows
\* dies: Snapshot
\* model: Deletes3x1
\* override: NoBatchInRows <- Without
\* why: A value is being stored when a later transaction deletes it, in a batch of its own. The tombstone is stored first, and is
\*   collected, as there is nothing that it hides. Then comes the value, and readers see what was deleted.
EXTENDS MCOnePhase

Without(t) == TRUE
====
