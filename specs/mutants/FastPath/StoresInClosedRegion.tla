---- MODULE StoresInClosedRegion ----
\* removes: MayStore
\* dies: SameKeyOrder
\* model: Regions1x2
\* override: MayStore <- Without
\* properties: SameKeyOrder
\* why: A server that lost a region, because it was paused, still stores the write for which it drew a
\*   version before. Meanwhile another server has drawn later ones.
EXTENDS MCFastPath

Without(f) == fast[f].step \in {"drawn", "lost"}
====
