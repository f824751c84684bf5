---- MODULE CollectsOverwrittenLeader ----
\* removes: FollowersHealed
\* dies: NoLostFollower
\* model: Overwrite3x2
\* override: FollowersHealed <- Without
\* why: A client dies after its commit. Its leader is overwritten, and then collected as any old version. Who reads a
\*   follower finds no leader, and takes the commit for an abort.
EXTENDS MCFragola

Without(t) == TRUE
====
