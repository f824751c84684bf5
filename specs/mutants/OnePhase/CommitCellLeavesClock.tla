---- MODULE CommitCellLeavesClock ----
\* removes: CommitCellLifts
\* dies: Snapshot
\* model: Deletes3x1
\* override: CommitCellLifts <- Without
\* why: A batch is late. Meanwhile a tombstone is committed the long way and collected: nothing in the row, and no clock, tells the batch that
\*   it comes too late, and it brings back what was deleted.
EXTENDS MCOnePhase

Without(t) == NoTs
====
