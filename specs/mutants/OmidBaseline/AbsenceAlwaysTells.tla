---- MODULE AbsenceAlwaysTells ----
\* removes: AbsenceTells
\* dies: AnswersTrue
\* model: Collect2x1
\* override: AbsenceTells <- Without
\* why: A client asks after its entry was collected, and is told that it was aborted.
EXTENDS MCOmidBaseline

Without(t) == TRUE
====
