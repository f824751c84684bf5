---- MODULE OneConfirms ----
\* removes: Enough
\* dies: SnapshotsAreWhole
\* model: Takeover2x2
\* override: Enough <- Without
\* why: The keeper's own instance is enough, which may be the last one in the view.
EXTENDS MCPH1Keeper

Without(v) == confirmed[v] # {}
====
