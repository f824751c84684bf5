---- MODULE FencesReadSetOnly ----
\* removes: NeedFence
\* dies: SerialItemOrder
\* model: SerialOrder2x2
\* override: NeedFence <- Without
\* why: Alg. 4 checks, and fences, the read set. A process whose transaction has written a key puts it natively,
\*   is stamped by a clock that is behind, and its put is lost.
EXTENDS MCMediator

Without(t) == ConflictSet(t)
====
