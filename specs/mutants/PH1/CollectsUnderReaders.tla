---- MODULE CollectsUnderReaders ----
\* removes: AboveSnapshots
\* dies: Snapshot
\* model: Delete3x1
\* override: AboveSnapshots <- Without
\* why: The cell of a deletion goes while somebody's snapshot is below: he finds nothing where there was a value.
EXTENDS MCPH1

Without(n, ts) == TRUE
====
