---- MODULE NoFenceAtCheck ----
\* removes: CommitFence
\* dies: DisjointWrites
\* model: Social1x1
\* override: CommitFence <- Without
\* why: Figure 2a: the check finds nothing, then a native put is stamped below the commit timestamp. The
\*   transaction overwrites what it has not seen.
EXTENDS MCMediator

Without(t) == 0
====
