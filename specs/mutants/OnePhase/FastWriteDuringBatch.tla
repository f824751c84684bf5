---- MODULE FastWriteDuringBatch ----
\* removes: NoBatchInRow
\* dies: Snapshot
\* model: Fast1x1
\* override: NoBatchInRow <- Without
\* why: A fast-path transaction has read the key, and writes it while a batch is being stored. It compares what it has read
\*   with what the batch replaces, and overwrites the batch unseen.
EXTENDS MCOnePhase

Without(k) == TRUE
====
