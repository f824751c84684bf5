---- MODULE CommitsBelowWatermark ----
\* removes: AboveWatermark
\* dies: Snapshot
\* model: Collect2x1
\* override: AboveWatermark <- Without
\* why: A client stalls before its commit-table write. Meanwhile a reader has invalidated it and the
\*   collector has removed the marker. If the commit table takes the write, the transaction commits after
\*   the reader skipped it.
EXTENDS MCOmidLL

Without(t) == TRUE
====
