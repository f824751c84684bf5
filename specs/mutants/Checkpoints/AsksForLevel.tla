---- MODULE AsksForLevel ----
\* removes: RowOf
\* dies: Snapshot
\* model: Pair2x1
\* override: RowOf <- Without
\* why: A reader asks the commit table for the version of a level, finds nothing, and puts the marker where the writer
\*   never looks. He skips the writer, who commits.
EXTENDS MCCheckpoints

Without(v) == v
====
