---- MODULE LatePutWins ----
\* removes: IsNewer
\* dies: Snapshot
\* model: Late3x1
\* override: IsNewer <- Without
\* why: A put that was sent again arrives a second time, after somebody else has overwritten the key: an old value comes
\*   back.
EXTENDS MCPH1

Without(t, w) == TRUE
====
