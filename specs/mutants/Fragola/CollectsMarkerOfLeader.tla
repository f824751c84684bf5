---- MODULE CollectsMarkerOfLeader ----
\* removes: LeaderGone
\* dies: Snapshot
\* model: Tombstones2x2
\* override: LeaderGone <- Without
\* why: A reader has passed over a transaction and left the marker. The collector takes it away before the leader: a slow
\*   client finds its leader without marker and commits.
EXTENDS MCFragola

Without(t) == TRUE
====
