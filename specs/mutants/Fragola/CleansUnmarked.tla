---- MODULE CleansUnmarked ----
\* removes: CellAfterInspection
\* dies: Snapshot
\* model: Tombstones2x2
\* override: CellAfterInspection <- Without
\* why: The collector looks at a leader that has no commit timestamp yet, and removes a follower. Nothing keeps the client
\*   from committing after that: half of the transaction is there.
EXTENDS MCFragola

Without(t) == leaderCell[t]
====
