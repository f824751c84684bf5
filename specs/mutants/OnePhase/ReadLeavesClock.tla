---- MODULE ReadLeavesClock ----
\* removes: ReadLifts
\* dies: Snapshot
\* model: Blind2x1
\* override: ReadLifts <- Without
\* why: A reader lifts the server's clock, but not the row's. A batch comes with an earlier timestamp, and nothing tells that its
\*   commit is below a read that was served already.
EXTENDS MCOnePhase

Without(t) == NoTs
====
