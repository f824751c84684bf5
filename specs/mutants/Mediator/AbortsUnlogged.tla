---- MODULE AbortsUnlogged ----
\* removes: IsAborted
\* dies: SnapshotLegal
\* model: Helper2x1
\* override: IsAborted <- Without
\* why: The helper finds no record, and marks the entry aborted without a record of its own. The slow client's
\*   record comes after that, and a reader that did not wait for it has missed it.
EXTENDS MCMediator

Without(t) == log[t] = "none"
====
