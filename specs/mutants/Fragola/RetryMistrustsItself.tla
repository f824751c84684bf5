---- MODULE RetryMistrustsItself ----
\* removes: IsOwnEntry
\* dies: AnswersTrue
\* model: Faults2x2
\* override: IsOwnEntry <- Without
\* why: A client whose commit was not answered asks again, finds a timestamp at its leader, does not see that it is its
\*   own, and reports an abort.
EXTENDS MCFragola

Without(t) == FALSE
====
