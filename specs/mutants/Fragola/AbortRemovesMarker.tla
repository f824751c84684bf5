---- MODULE AbortRemovesMarker ----
\* removes: CellAfterCleanUp
\* dies: AnswersTrue
\* model: Faults2x2
\* override: CellAfterCleanUp <- Without
\* why: A client whose commit was not answered asks again, finds the marker and cleans up. A copy of the leader's put brings
\*   it back without the marker, and the first commit arrives: what was reported as aborted is committed.
EXTENDS MCFragola

Without(t) == NoTs
====
