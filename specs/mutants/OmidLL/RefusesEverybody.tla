---- MODULE RefusesEverybody ----
\* removes: NoConflict
\* dies: AbortsHaveReason
\* model: Plain2x2
\* override: NoConflict <- Without
\* why: A manager that lets nobody commit violates nothing else.
EXTENDS MCOmidLL

Without(t) == FALSE
====
