---- MODULE SkipsPending ----
\* removes: SkipsNobody
\* dies: IndexIsFunction
\* model: Build1x1
\* override: SkipsNobody <- Without
\* why: A transaction has its commit timestamp from before the fence. The build passes its row and leaves it in peace;
\*   then it commits, without an index record.
EXTENDS MCIndexFence

Without(t) == t \notin Builder
====
