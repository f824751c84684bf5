---- MODULE PopulatesAtFence ----
\* removes: StoredAs
\* model: Build1x1
\* override: StoredAs <- Without
\* override: BornCommitted <- AtSnapshot
\* override: BuildSnapshot <- OfFence
\* survives: As in the paper, the build's snapshot and the version of what it puts are the fence. Everybody who commits
\*   above it began above it, so versions and commits are in the same order. What is wrong with it takes a collector
\*   (BuildsInFence), and a build that goes on where another one died would need another fence.
EXTENDS MCIndexFence

Without(p, w) == p
AtSnapshot(w) == IF w \in Builder THEN readTs[w] ELSE commitTs[w]
OfFence == fencedAt
====
