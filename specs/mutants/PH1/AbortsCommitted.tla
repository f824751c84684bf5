---- MODULE AbortsCommitted ----
\* removes: MayAppendAbort
\* dies: AnswersTrue
\* model: Faults2x1
\* override: MayAppendAbort <- Without
\* why: A transaction that has its record is aborted by another one, and its client is told that it has committed.
EXTENDS MCPH1

Without(t) == TRUE
====
