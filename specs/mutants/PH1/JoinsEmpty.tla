---- MODULE JoinsEmpty ----
\* removes: StateAfterMerge
\* dies: AbortsHaveReason
\* model: NodesLost2x1
\* override: StateAfterMerge <- Without
\* why: An instance is started again and joins without the others' versions. A transaction that begins at it finds none.
EXTENDS MCPH1

Without(m, nodes) == npvs[m]
====
