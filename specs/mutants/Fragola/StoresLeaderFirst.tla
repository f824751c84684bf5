---- MODULE StoresLeaderFirst ----
\* removes: RecordsAfterPassing
\* model: Faults2x2
\* override: RecordsAfterPassing <- Without
\* override: LeaderFirst <- StoredFirst
\* survives: The other way to make sense of the paper: no follower is sent before the leader is stored. Who finds no leader
\*   then knows that it was there and was removed, and may tell others in the record. It costs each transaction of
\*   several keys one round trip more.
EXTENDS MCFragola

Without(k, w) == stored[k] \ {w}
====
