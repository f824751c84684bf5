---- MODULE RefusesEverybody ----
\* removes: Accepts
\* dies: AbortsHaveReason
\* model: Forged1x1
\* override: Accepts <- Without
\* why: A server that refuses all fast-path writes violates nothing else.
EXTENDS MCFastPath

Without(k, unchanged) == FALSE
====
