---- MODULE CollectsUnfinishedTombstone ----
\* removes: IsSettled
\* dies: StrongSI
\* model: Tombstones1x1
\* override: IsSettled <- Without
\* why: A deletion was answered, and its tombstone, still without commit cell, is collected because it
\*   hides nothing. It was what kept fast-path writes off the key until the clock is lifted: the next one
\*   goes below the deletion.
EXTENDS MCFastPath

Without(t, k) == TRUE
====
