---- MODULE BelievesReaders ----
\* removes: CanBeGiven
\* dies: SnapshotItemOrder
\* model: Forged1x1
\* override: CanBeGiven <- Without
\* why: A stranger reads at a timestamp that lies in the future, and the server's clock is lifted to it. What is put
\*   natively from then on lies in the future, too: the transaction that its process begins next does not see it.
EXTENDS MCMediator

Without(ts) == TRUE
====
