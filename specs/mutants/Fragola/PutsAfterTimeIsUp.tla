---- MODULE PutsAfterTimeIsUp ----
\* removes: SendsInTime
\* dies: Snapshot
\* model: Tombstones2x2
\* override: SendsInTime <- Without
\* why: The put of a leader was lost. The time of the transaction is up, and the collector, which finds no leader, cleans
\*   the follower. The client sends the put again and commits.
EXTENDS MCFragola

Without(t) == TRUE
====
