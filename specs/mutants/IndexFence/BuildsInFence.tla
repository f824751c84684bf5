---- MODULE BuildsInFence ----
\* removes: BuildSnapshot
\* dies: BuildEnds
\* model: Progress0x1
\* override: BuildSnapshot <- Without
\* why: The fence's timestamp is nobody's snapshot, so the watermark passes it before the build has read a row. Each
\*   build that is begun finds its time up, and the index is never ready.
EXTENDS MCProgress

Without == fencedAt
====
