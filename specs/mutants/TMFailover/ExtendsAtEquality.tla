---- MODULE ExtendsAtEquality ----
\* removes: WithinEpoch
\* dies: BelowMaxTs
\* model: Leaps2x1
\* override: WithinEpoch <- Without
\* why: The paper's test, Clock = epoch, holds for steps of one. A leap that jumps over the end of the epoch
\*   never meets it, and the TM goes on giving timestamps that maxTS does not cover: the next TM gives
\*   them again.
EXTENDS MCTMFailover

Without(i) == clock[i] # epoch[i]
====
