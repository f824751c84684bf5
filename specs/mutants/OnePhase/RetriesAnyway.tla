---- MODULE RetriesAnyway ----
\* removes: FindsRecord
\* dies: AnswersTrue
\* model: Faults2x1
\* override: FindsRecord <- Without
\* why: The answer is lost, and the batch was stored. Its client takes it for lost, too, and goes the long way: it is told that
\*   it was aborted, or its commit moves to a later timestamp after others have read it.
EXTENDS MCOnePhase

Without(t) == FALSE
====
