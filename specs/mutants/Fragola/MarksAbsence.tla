---- MODULE MarksAbsence ----
\* removes: MarksAbsence
\* model: Faults2x2
\* override: MarksAbsence <- Without
\* survives: The third way: whoever finds no leader writes the marker in its place. It aborts a transaction that would
\*   have got a later commit timestamp in any case, and leaves markers where a leader was collected.
EXTENDS MCFragola

Without == TRUE
====
