---- MODULE OwnCertificationCounts ----
\* removes: ComparedUpTo
\* dies: AbortsHaveReason
\* model: Faults2x1
\* override: ComparedUpTo <- Without
\* why: A batch is refused, and the transaction asks for another commit timestamp. Its own first certification is a commit
\*   after it began: nobody who was refused ever commits.
EXTENDS MCOnePhase

Without(t) == readTs[t]
====
