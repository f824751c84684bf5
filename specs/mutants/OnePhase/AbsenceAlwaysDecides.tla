---- MODULE AbsenceAlwaysDecides ----
\* removes: AbsenceDecides
\* dies: AnswersTrue
\* model: CollectBlind2x1
\* override: AbsenceDecides <- Without
\* why: The batch was stored, its answer was lost, and since then somebody has overwritten the record, which was collected. Its
\*   client finds nothing, and is told that it was aborted.
EXTENDS MCOnePhase

Without(t) == TRUE
====
