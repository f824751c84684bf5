---- MODULE OverwritesUnsaved ----
\* removes: SavedEverywhere
\* dies: AbortsHaveReason
\* model: Plain2x1
\* override: SavedEverywhere <- Without
\* why: A key is overwritten before its old value is in the NPVS. A reader, to whose snapshot that belongs, finds it
\*   nowhere.
EXTENDS MCPH1

Without(t, k) == TRUE
====
