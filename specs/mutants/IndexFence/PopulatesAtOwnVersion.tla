---- MODULE PopulatesAtOwnVersion ----
\* removes: StoredAs
\* dies: IndexIsFunction
\* model: Build1x1
\* override: StoredAs <- Without
\* override: BornCommitted <- AtSnapshot
\* why: Somebody begins after the fence, and deletes the old value's index record. A build that began in between finds
\*   the old value in its snapshot and puts the index record above the tombstone. Then the other one commits: queries
\*   by the old value find the row.
EXTENDS MCIndexFence

Without(p, w) == p
AtSnapshot(w) == IF w \in Builder THEN readTs[w] ELSE commitTs[w]
====
