---- MODULE BesideUnanswered ----
\* removes: AllAnswered
\* dies: Snapshot
\* model: Two2x2
\* override: AllAnswered <- Without
\* why: The entry is written while a put is still under way. A reader finds one of the records, and misses the other one.
EXTENDS MCOnePhase

Without(t) == TRUE
====
