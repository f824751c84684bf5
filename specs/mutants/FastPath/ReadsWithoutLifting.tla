---- MODULE ReadsWithoutLifting ----
\* removes: ReadLifts
\* dies: Snapshot
\* model: Plain1x2
\* override: ReadLifts <- Without
\* why: A fast-path write that comes after a read draws a version below the reader's snapshot: read again,
\*   or read together with another key, the snapshot has changed.
EXTENDS MCFastPath

Without(t) == NoTs
====
