---- MODULE CleansWithoutReRead ----
\* removes: StillTentative
\* dies: Snapshot
\* model: Tombstones2x2
\* override: StillTentative <- Without
\* why: The collector met a follower without commit cell; then it was healed, and the leader collected. The collector finds
\*   no leader and, without a second look, removes what was committed.
EXTENDS MCFragola

Without(t, k) == TRUE
====
