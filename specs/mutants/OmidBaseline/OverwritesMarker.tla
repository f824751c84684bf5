---- MODULE OverwritesMarker ----
\* removes: TakesEntry
\* dies: AnswersTrue
\* model: Progress2x1
\* override: TakesEntry <- Without
\* why: The batch of a manager that has failed arrives late, over the marker of a reader who has passed over the transaction:
\*   it is committed in the snapshot of that reader.
EXTENDS MCOmidBaseline

Without(t) == LL!AboveWatermark(t)
====
