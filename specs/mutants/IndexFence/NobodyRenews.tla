---- MODULE NobodyRenews ----
\* removes: KeepsSnapshot
\* dies: BuildEnds
\* model: Progress0x1
\* override: KeepsSnapshot <- Without
\* why: The build of a large table outlives a transaction's time. Each one finds that its time is up, and the index is
\*   never ready.
EXTENDS MCProgress

Without(p) == TRUE
====
