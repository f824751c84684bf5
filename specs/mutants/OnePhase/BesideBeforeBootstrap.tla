---- MODULE BesideBeforeBootstrap ----
\* removes: TellsOfReads
\* dies: Snapshot
\* model: BesideMoves2x1
\* override: TellsOfReads <- Without
\* why: A reader has looked at a key whose region is moved then. The new server has a clock that knows nothing of it,
\*   and answers the put with that.
EXTENDS MCOnePhase

Without(k) == TRUE
====
