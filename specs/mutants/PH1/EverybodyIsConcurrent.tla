---- MODULE EverybodyIsConcurrent ----
\* removes: NoConflict
\* dies: AbortsHaveReason
\* model: Plain2x1
\* override: NoConflict <- Without
\* why: By the paper's formula, two transactions are concurrent also if one ended before the other began: a key that was
\*   written once is never written again.
EXTENDS MCPH1

Without(t) == \A k \in writes[t] : lastCommit[k] = NoTs
====
