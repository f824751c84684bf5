---- MODULE CollectsValueAsTombstone ----
\* removes: IsTombstone
\* dies: Snapshot
\* model: Collect2x1
\* override: IsTombstone <- Without
\* why: The oldest version of a key is collected as if it were a tombstone: a key that was written once
\*   loses its value.
EXTENDS MCOmidLL

Without(t, k) == TRUE
====
