---- MODULE CollectsYoungLeader ----
\* removes: IsSettled
\* dies: AbortsHaveReason
\* model: Tombstones2x2
\* override: IsSettled <- Without
\* why: A leader that is a tombstone is collected because it hides nothing. Its transaction has not committed yet, and cannot any
\*   more, although nobody was in its way.
EXTENDS MCFragola

Without(t, k) == TRUE
====
