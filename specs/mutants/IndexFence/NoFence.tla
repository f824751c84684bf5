---- MODULE NoFence ----
\* removes: AboveFence
\* dies: FencedNeverCommits
\* model: Build1x1
\* override: AboveFence <- Without
\* why: A transaction that put its row before the trigger was there commits after the build has passed the row. The row
\*   has no index record for its new value, and one for its old.
EXTENDS MCIndexFence

Without(t) == TRUE
====
