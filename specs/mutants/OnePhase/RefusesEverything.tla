---- MODULE RefusesEverything ----
\* removes: Accepts
\* dies: RefusalsHaveReason
\* model: Blind2x1
\* override: Accepts <- Without
\* why: A server that takes no batch violates nothing else: all commits go the long way.
EXTENDS MCOnePhase

Without(t, s) == FALSE
====
