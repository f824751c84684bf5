---- MODULE CompletesEarly ----
\* removes: HasEnded
\* dies: SnapshotsAreWhole
\* model: Takeover2x2
\* override: HasEnded <- Without
\* why: A commit counts as ended when it is in the log.
EXTENDS MCPH1Keeper

Without(t) == status[t] \in {"logged", "aborted"}
====
