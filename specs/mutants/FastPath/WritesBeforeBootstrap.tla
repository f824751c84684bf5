---- MODULE WritesBeforeBootstrap ----
\* removes: KnowsTheTime
\* dies: SameKeyOrder
\* model: Regions1x2
\* override: KnowsTheTime <- Without
\* why: A server that has just opened a region draws from its own clock, which may be behind the versions
\*   that another server drew for it, or at zero after a crash.
EXTENDS MCFastPath

Without(k) == TRUE
====
