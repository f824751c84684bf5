---- MODULE DeletesLeaveNothing ----
\* removes: CellOf
\* dies: Snapshot
\* model: Delete3x1
\* override: CellOf <- Without
\* why: The paper's delete leaves nothing in the store. A reader whose snapshot is below cannot tell that something was
\*   there.
EXTENDS MCPH1

Without(t, k) == IF k \in deletes[t] THEN NoTxn ELSE t
====
