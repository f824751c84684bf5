---- MODULE CountsOldConfirmations ----
\* removes: ConfirmedAtTake
\* dies: SnapshotsAreWhole
\* model: Takeover2x2
\* override: ConfirmedAtTake <- Without
\* why: Members have told before the timestamp was taken, and have gone to another keeper since.
EXTENDS MCPH1Keeper

Without(v) == confirmed[v]
====
