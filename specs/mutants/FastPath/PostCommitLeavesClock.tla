---- MODULE PostCommitLeavesClock ----
\* removes: PostCommitLifts
\* dies: SameKeyOrder
\* model: Plain1x2
\* override: PostCommitLifts <- Without
\* why: After a commit was answered, a fast-path write of the key draws a version below the commit
\*   timestamp: the later update is ordered first.
EXTENDS MCFastPath

Without(ts) == NoTs
====
