---- MODULE CollectsWithPutInFlight ----
\* removes: NoPutInFlight
\* dies: NoLostFollower
\* model: Tombstones2x2
\* override: NoPutInFlight <- Without
\* why: A copy of a put arrives after its record and the marker were collected.
EXTENDS MCFragola

Without(t, k) == TRUE
====
