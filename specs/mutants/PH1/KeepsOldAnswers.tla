---- MODULE KeepsOldAnswers ----
\* removes: SavedAfter
\* dies: AbortsHaveReason
\* model: Nodes2x1
\* override: SavedAfter <- Without
\* why: An instance held the old value, died, and is back with the state of one that it had not reached. The flusher
\*   still counts it.
EXTENDS MCPH1

Without(t, v) == saved[t]
====
