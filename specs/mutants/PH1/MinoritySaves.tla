---- MODULE MinoritySaves ----
\* removes: IsMajority
\* dies: AbortsHaveReason
\* model: Nodes2x1
\* override: IsMajority <- Without
\* why: An instance that is cut off saves the old value in its own copy only, and overwrites the key for all.
EXTENDS MCPH1

Without(nodes) == TRUE
====
