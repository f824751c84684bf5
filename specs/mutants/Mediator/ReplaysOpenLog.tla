---- MODULE ReplaysOpenLog ----
\* removes: AbortedByRecovery
\* dies: SnapshotLegal
\* model: Recovery2x1
\* override: AbortedByRecovery <- Without
\* why: The log is read before it is closed. A client that has its commit timestamp from the old status oracle
\*   appends after that, and the new ring does not know of it.
EXTENDS MCMediator

Without == {}
====
