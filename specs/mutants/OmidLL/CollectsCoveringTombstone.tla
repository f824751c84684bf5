---- MODULE CollectsCoveringTombstone ----
\* removes: HidesNothing
\* dies: Snapshot
\* model: Collect3x1
\* override: HidesNothing <- Without
\* why: A tombstone that is collected before the versions under it uncovers them: a deleted value is back.
EXTENDS MCOmidLL

Without(t, k) == TRUE
====
