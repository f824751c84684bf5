---- MODULE CommitsWithoutLeader ----
\* removes: CommitsAtLeader
\* dies: Snapshot
\* model: Tombstones2x2
\* override: CommitsAtLeader <- Without
\* why: A client's commit is on its way when its time is up. The collector aborts the transaction and removes all of it,
\*   leader and marker. The commit arrives, finds nothing that speaks against it, and commits what is gone.
EXTENDS MCFragola

Without(t) == TRUE
====
