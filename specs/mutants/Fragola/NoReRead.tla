---- MODULE NoReRead ----
\* removes: SawCommitCell
\* dies: Snapshot
\* model: Tombstones2x2
\* override: SawCommitCell <- Without
\* why: A reader met a follower without commit cell and fell asleep. The follower was healed and the leader collected. The
\*   reader finds no leader and, without a second look, passes over what was committed.
EXTENDS MCFragola

Without(k, w) == FALSE
====
