---- MODULE HalfABatch ----
\* removes: RowsOf
\* dies: Snapshot
\* model: Rows2x2
\* override: RowsOf <- Without
\* why: One row of two is stored. A reader sees half of the transaction.
EXTENDS MCOnePhase

Without(t) == {CHOOSE k \in writes[t] : TRUE}
====
