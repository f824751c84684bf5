---- MODULE AnswersForAnyView ----
\* removes: IsIn
\* dies: SnapshotsAreWhole
\* model: Takeover2x2
\* override: IsIn <- Without
\* why: A member confirms a keeper although it has installed a later view.
EXTENDS MCPH1Keeper

Without(n, v) == TRUE
====
