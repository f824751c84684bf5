---- MODULE OpensBeforeReplay ----
\* removes: AllReplayed
\* dies: SnapshotLegal
\* model: Recovery2x1
\* override: AllReplayed <- Without
\* why: The status oracle serves before the log is written back. Its ring is empty, so who begins does not wait
\*   for what is in the log.
EXTENDS MCMediator

Without == TRUE
====
