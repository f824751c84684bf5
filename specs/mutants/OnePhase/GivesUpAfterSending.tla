---- MODULE GivesUpAfterSending ----
\* removes: NothingSent
\* dies: AnswersTrue
\* model: Faults2x1
\* override: NothingSent <- Without
\* why: The client tells the application that the transaction is aborted while its batch is being stored.
EXTENDS MCOnePhase

Without(t) == TRUE
====
