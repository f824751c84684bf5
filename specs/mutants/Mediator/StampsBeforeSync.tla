---- MODULE StampsBeforeSync ----
\* removes: KnowsTheTime
\* dies: SnapshotLegal
\* model: Servers1x1
\* override: KnowsTheTime <- Without
\* why: The server forgets that it was fenced, and stamps a put below the start of a transaction that has read
\*   there.
EXTENDS MCMediator

Without(s) == TRUE
====
