---- MODULE NobodyAborts ----
\* removes: SomebodyAborts
\* dies: HorizonMoves
\* model: Progress2x1
\* override: SomebodyAborts <- Without
\* why: An instance dies after it was certified and before its record is in the log: the horizon stands still behind it
\*   for ever.
EXTENDS MCPH1

Without(t) == FALSE
====
