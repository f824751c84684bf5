---- MODULE ServesUnconfirmed ----
\* removes: AllConfirmed
\* dies: SnapshotsAreWhole
\* model: Takeover2x2
\* override: AllConfirmed <- Without
\* why: A keeper serves while most instances still confirm an earlier one, which gives a snapshot above its commits.
EXTENDS MCPH1Keeper

Without(v) == TRUE
====
