---- MODULE RemovesLastLevelOnly ----
\* removes: Removed
\* dies: AbortLeavesNothing
\* model: Pair2x1
\* override: Removed <- Without
\* why: An abort removes the last level of each key. The earlier ones are in everybody's way, and close the key to the
\*   fast path.
EXTENDS MCCheckpoints

Without(t) == LastRecords(t)
====
