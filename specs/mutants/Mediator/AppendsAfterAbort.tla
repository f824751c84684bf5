---- MODULE AppendsAfterAbort ----
\* removes: LogAfterRecord
\* dies: SnapshotLegal
\* model: Helper2x1
\* override: LogAfterRecord <- Without
\* why: The abort is in the log, and the client's later record counts all the same.
EXTENDS MCMediator

Without(t) == "commit"
====
