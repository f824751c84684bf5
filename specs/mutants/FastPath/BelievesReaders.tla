---- MODULE BelievesReaders ----
\* removes: CanBeGiven
\* dies: FastBeforeRegular
\* model: Forged1x1
\* override: CanBeGiven <- Without
\* why: A stranger reads in a snapshot that lies in the future, and the server lifts its clock to it. Fast-path writes are
\*   answered from then on, and transactions that begin afterwards do not see them.
EXTENDS MCFastPath

Without(ts) == TRUE
====
