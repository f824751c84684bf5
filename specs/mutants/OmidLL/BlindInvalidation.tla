---- MODULE BlindInvalidation ----
\* removes: InvalidatesOnlyPending
\* dies: Snapshot
\* model: Plain2x2
\* override: InvalidatesOnlyPending <- Without
\* why: Between the reader's look into the commit table and its marker the writer may commit. A marker that
\*   is put instead of checked-and-mutated wipes that commit: the reader, and all after it, skip a
\*   committed transaction.
EXTENDS MCOmidLL

Without(w) == TRUE
====
