---- MODULE NobodyRedoes ----
\* removes: SomebodyRedoes
\* dies: HorizonMoves
\* model: Progress2x1
\* override: SomebodyRedoes <- Without
\* why: An instance dies in its flush, and the horizon stands still behind it for ever.
EXTENDS MCPH1

Without(t) == FALSE
====
