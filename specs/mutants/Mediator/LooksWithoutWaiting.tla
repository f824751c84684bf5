---- MODULE LooksWithoutWaiting ----
\* removes: OlderPutsStored
\* dies: SnapshotLegal
\* model: Social1x1
\* override: OlderPutsStored <- Without
\* why: A native put is stamped, then the server is fenced and read, then the put is stored: it is below the
\*   fence, and the reader has missed it. Stamping in a hook before the put does not exclude that.
EXTENDS MCMediator

Without(k, ts) == TRUE
====
