---- MODULE AnswersEarly ----
\* removes: FlushEnded
\* dies: AnsweredIsStored
\* model: Plain2x1
\* override: FlushEnded <- Without
\* why: A client is told that its transaction has committed while its values are not in the store.
EXTENDS MCPH1

Without(t) == TRUE
====
