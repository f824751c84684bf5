---- MODULE GivesUnconfirmed ----
\* removes: Enough
\* dies: SnapshotsAreWhole
\* model: Takeover2x2
\* override: Enough <- Without
\* why: A keeper that does not know of the next one gives a snapshot above commits that it has not heard of.
EXTENDS MCPH1Keeper

Without(v) == TRUE
====
