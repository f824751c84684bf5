---- MODULE AbsenceTakenForAbort ----
\* removes: AbsenceDecides
\* dies: AnswersTrue
\* model: Tombstones2x2
\* override: AbsenceDecides <- Without
\* why: A client whose commit was not answered asks again when its leader has been collected, and is told that it was aborted
\*   although it has committed.
EXTENDS MCFragola

Without(t) == TRUE
====
