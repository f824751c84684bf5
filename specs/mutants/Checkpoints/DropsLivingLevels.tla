---- MODULE DropsLivingLevels ----
\* removes: HasEnded
\* dies: OwnReads
\* model: Levels1x1
\* override: HasEnded <- Without
\* why: A compaction keeps the last level of each key. A living transaction between checkpoint and snapshot reads the
\*   one before.
EXTENDS MCCheckpoints

Without(x) == TRUE
====
