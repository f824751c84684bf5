---- MODULE ReadsWithoutWaiting ----
\* removes: OlderBatchesStored
\* dies: Snapshot
\* model: Blind2x1
\* override: OlderBatchesStored <- Without
\* why: A batch was accepted, then a read lifts the clock to its later snapshot and looks, then the batch is stored: it belongs
\*   to the snapshot, and the read has missed it.
EXTENDS MCOnePhase

Without(t, k) == TRUE
====
