---- MODULE MarksBelowWatermark ----
\* removes: MarkerStillTells
\* dies: AnswersTrue
\* model: Collect2x1
\* override: MarkerStillTells <- Without
\* why: A transaction committed by a write whose answer was lost, was healed, and its entry collected. A
\*   slow reader's marker, stored below the watermark, then tells the client, who is still asking, that
\*   it was aborted.
EXTENDS MCOmidLL

Without(w) == TRUE
====
