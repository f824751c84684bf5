---- MODULE SavesAtOne ----
\* removes: SaverMayGet
\* dies: Snapshot
\* model: Late3x1
\* override: SaverMayGet <- Without
\* why: The flusher asks one replica for the old value, and saves the one before.
EXTENDS MCPH1

Without(k) == {stored[k]} \cup overwritten[k]
====
