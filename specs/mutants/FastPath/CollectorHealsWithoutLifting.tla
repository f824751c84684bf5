---- MODULE CollectorHealsWithoutLifting ----
\* removes: CollectorLifts
\* dies: SameKeyOrder
\* model: Faults1x1
\* override: CollectorLifts <- Without
\* why: The collector writes the commit cell of a client that died in post-commit. If the clock stays below
\*   the commit timestamp, the next fast-path write goes below the commit.
EXTENDS MCFastPath

Without(ts) == NoTs
====
