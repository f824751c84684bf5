---- MODULE EndsBeforeFirstRow ----
\* removes: LastsForARow
\* dies: BuildEnds
\* model: Progress0x1
\* override: LastsForARow <- Without
\* why: The time of a transaction is up before it has populated a row. Each part finds that, and the index is never ready.
EXTENDS MCProgress

Without(p) == TRUE
====
