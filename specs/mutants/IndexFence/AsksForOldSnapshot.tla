---- MODULE AsksForOldSnapshot ----
\* removes: CoversSnapshot
\* dies: IndexReads
\* model: Reader1x1
\* override: CoversSnapshot <- Without
\* why: A reader's snapshot is older than the build. What was overwritten in between has no index record, so he does
\*   not find by the index what he finds in the table.
EXTENDS MCIndexFence

Without(t) == TRUE
====
