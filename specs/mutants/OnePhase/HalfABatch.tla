---- MODULE HalfABatch ----
\* removes: RowsOf
\* dies: Snapshot
\* model: Rows2x2
\* override: RowsOf <- Without
\* why: One row of two is stored. A reader sees half of the transaction.
EXTENDS MCOnePhase

One == CHOOSE k \in Key : TRUE
Without(t) == writes[t] \cap {One}
====
