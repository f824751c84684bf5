---- MODULE BelievesItself ----
\* removes: LogSaysCommit
\* dies: AnswersTrue
\* model: Faults2x1
\* override: LogSaysCommit <- Without
\* why: The client is told that its transaction has committed, while the log says that it was aborted.
EXTENDS MCPH1

Without(t) == TRUE
====
