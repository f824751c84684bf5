---- MODULE CollectsWithoutTheCutOff ----
\* removes: KnowsAll
\* dies: Snapshot
\* model: Delete3x1
\* override: KnowsAll <- Without
\* why: An instance is cut off and has an old snapshot. The others collect the cell of a deletion above it, and it finds nothing in the store.
EXTENDS MCPH1

Without(n) == TRUE
====
