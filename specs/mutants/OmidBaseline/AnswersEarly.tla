---- MODULE AnswersEarly ----
\* removes: EntryWritten
\* dies: AnswersTrue
\* model: Plain2x1
\* override: EntryWritten <- Without
\* why: A client is told that it was aborted, while its entry waits in the batch and is then written.
EXTENDS MCOmidBaseline

Without(t) == TRUE
====
