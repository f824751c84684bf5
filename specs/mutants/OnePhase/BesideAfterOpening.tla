---- MODULE BesideAfterOpening ----
\* removes: OpenedLater
\* dies: Snapshot
\* model: BesideMoves2x1
\* override: OpenedLater <- Without
\* why: The same, and the new server has been told the time meanwhile: later than the commit timestamp.
EXTENDS MCOnePhase

Without(t, k) == FALSE
====
