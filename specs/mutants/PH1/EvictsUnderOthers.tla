---- MODULE EvictsUnderOthers ----
\* removes: Counted
\* dies: AbortsHaveReason
\* model: Nodes2x1
\* override: Counted <- Without
\* why: Each instance evicts what is below its own oldest snapshot, as in the paper, and an older transaction runs at
\*   another one.
EXTENDS MCPH1

Without(n) == {n}
====
