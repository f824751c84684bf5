---- MODULE NewManagerForgets ----
\* removes: LowWatermarkOfNewTM
\* dies: FirstCommitterWins
\* model: Conflict2x1
\* override: LowWatermarkOfNewTM <- Without
\* why: The next manager knows of no commit before it, and lets somebody overwrite one that he has not seen.
EXTENDS MCOmidBaseline

Without == 0
====
