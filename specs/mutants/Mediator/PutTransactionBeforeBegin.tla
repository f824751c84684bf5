---- MODULE PutTransactionBeforeBegin ----
\* removes: PutFence
\* dies: SnapshotRealTime
\* model: Order2x2
\* override: PutFence <- Without
\* why: The same under snapshot isolation: its write point is before its begin.
EXTENDS MCMediator

Without(t) == 0
====
