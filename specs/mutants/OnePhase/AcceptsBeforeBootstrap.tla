---- MODULE AcceptsBeforeBootstrap ----
\* removes: KnowsTheTime
\* dies: Snapshot
\* model: Regions2x1
\* override: KnowsTheTime <- Without
\* why: A server that has just opened the region knows none of the reads which the one before it has served, and takes a
\*   batch below them.
EXTENDS MCOnePhase

Without(t) == TRUE
====
