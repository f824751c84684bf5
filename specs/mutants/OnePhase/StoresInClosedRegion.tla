---- MODULE StoresInClosedRegion ----
\* removes: MayStore
\* dies: Snapshot
\* model: Regions2x1
\* override: MayStore <- Without
\* why: A server that lost a region, because it was paused, still stores a batch that it accepted before. Its client, or a
\*   reader, has looked meanwhile where the region is now.
EXTENDS MCOnePhase

Without(t) == way[t] \in {"held", "lost"}
====
