---- MODULE RefusesEveryPut ----
\* removes: NoNewerCommit
\* dies: AbortsHaveReason
\* model: Forged1x1
\* override: NoNewerCommit <- Without
\* why: A server that takes no regular put violates nothing else.
EXTENDS MCFastPath

Without(t, k) == FALSE
====
