---- MODULE CollectsUnderReaders ----
\* removes: InTime
\* dies: Snapshot
\* model: Collect3x1
\* override: InTime <- Without
\* why: The watermark passes the snapshot of a live reader, perhaps a read-only one: the version that it
\*   needs is collected under its feet.
EXTENDS MCOmidLL

Without(t) == TRUE
====
