---- MODULE RunsOutOfLevels ----
\* removes: LevelsLeft
\* dies: VersionsTell
\* model: Levels1x1
\* override: LevelsLeft <- Without
\* why: One checkpoint too many, and a level has a number of the fast path: it counts as committed as soon as it is
\*   stored.
EXTENDS MCCheckpoints

Without(t) == TRUE
====
