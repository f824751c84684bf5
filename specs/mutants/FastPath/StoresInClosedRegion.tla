---- MODULE StoresInClosedRegion ----
\* removes: MayStore
\* dies: Snapshot
\* model: Regions1x2
\* override: MayStore <- Without
\* why: A server that lost a region, because it was paused, still stores the write for which it drew a
\*   version before: a transaction with a later snapshot has read the key meanwhile, and missed it.
EXTENDS MCFastPath

Without(f) == fast[f].step \in {"drawn", "lost"}
====
