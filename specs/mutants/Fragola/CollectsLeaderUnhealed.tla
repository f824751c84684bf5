---- MODULE CollectsLeaderUnhealed ----
\* removes: FollowersHealed
\* dies: NoLostFollower
\* model: Tombstones2x2
\* override: FollowersHealed <- Without
\* why: A client dies after its commit. Its leader, a tombstone that hides nothing any more, is collected. Who reads a
\*   follower finds no leader, and takes the commit for an abort.
EXTENDS MCFragola

Without(t) == TRUE
====
