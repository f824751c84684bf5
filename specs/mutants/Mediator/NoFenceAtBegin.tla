---- MODULE NoFenceAtBegin ----
\* removes: ReadFence
\* dies: SnapshotLegal
\* model: Social1x1
\* override: ReadFence <- Without
\* why: A transaction looks without a fence. A native put after it is stamped before its start, as the server's
\*   clock is behind: it belongs to the snapshot, and was not there.
EXTENDS MCMediator

Without(t) == 0
====
