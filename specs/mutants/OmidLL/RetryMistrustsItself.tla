---- MODULE RetryMistrustsItself ----
\* removes: IsOwnEntry
\* dies: AnswersTrue
\* model: Faults2x2
\* override: IsOwnEntry <- Without
\* why: A client repeats a commit-table write that was not answered, and finds its own entry. If it takes
\*   any entry for a refusal, it reports an abort of what is committed, and cleans up committed records.
EXTENDS MCOmidLL

Without(t) == FALSE
====
