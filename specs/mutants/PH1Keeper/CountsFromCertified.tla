---- MODULE CountsFromCertified ----
\* removes: Unfinished
\* dies: SnapshotsAreWhole
\* model: Takeover2x2
\* override: Unfinished <- Without
\* why: A commit counts from when the keeper knows its timestamp: one that is under way may be below the snapshot.
EXTENDS MCPH1Keeper

Without(v) == {t \in open[v] : status[t] \notin {"asked", "given"}}
====
