---- MODULE InvalidatesItself ----
\* removes: IsOwn
\* dies: AbortsHaveReason
\* model: Levels1x1
\* override: IsOwn <- Without
\* why: A transaction between checkpoint and snapshot meets its own present level, takes it for another one's and
\*   pending, and forces itself to abort.
EXTENDS MCCheckpoints

Without(t, v) == BaseOf(v) = readTs[t] /\ v <= ReadPoint(t)
====
