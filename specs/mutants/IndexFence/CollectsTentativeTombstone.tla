---- MODULE CollectsTentativeTombstone ----
\* removes: IsSettled
\* dies: IndexIsFunction
\* model: Collect1x1
\* override: IsSettled <- Without
\* why: The same, and the tombstone is collected before its transaction commits.
EXTENDS MCIndexFence

Without(t, k) == commitCell[k][t] < watermark
====
