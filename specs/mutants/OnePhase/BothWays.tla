---- MODULE BothWays ----
\* removes: GoesLongWay
\* dies: Snapshot
\* model: Blind2x1
\* override: GoesLongWay <- Without
\* why: A transaction writes a commit-table entry beside its batch. The batch is not stored, and the transaction is committed:
\*   its records are nowhere.
EXTENDS MCOnePhase

Without(t) == TRUE
====
