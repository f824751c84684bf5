---- MODULE BatchLeavesClock ----
\* removes: BatchLifts
\* dies: Snapshot
\* model: Fast1x1
\* override: BatchLifts <- Without
\* why: The server's clock stays behind the commit. The next fast-path write draws a version below it, and what was answered
\*   last is not what is read.
EXTENDS MCOnePhase

Without(t) == NoTs
====
