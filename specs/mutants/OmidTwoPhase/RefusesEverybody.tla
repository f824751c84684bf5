---- MODULE RefusesEverybody ----
\* removes: NoNewerCommit
\* dies: AbortsHaveReason
\* model: Plain2x2
\* override: NoNewerCommit <- Without
\* why: A store that takes no prewrite violates nothing else.
EXTENDS MCOmidTwoPhase

Without(t, k) == FALSE
====
