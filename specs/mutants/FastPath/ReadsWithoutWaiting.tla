---- MODULE ReadsWithoutWaiting ----
\* removes: OlderFastWritesStored
\* dies: Snapshot
\* model: Plain1x2
\* override: OlderFastWritesStored <- Without
\* why: A fast-path write draws its version, then a read lifts the clock to its later snapshot and looks,
\*   then the write is stored: it belongs to the snapshot, and the read has missed it. Lifting the clock in a
\*   hook before the get does not exclude that.
EXTENDS MCFastPath

Without(t, k) == TRUE
====
