---- MODULE ChecksWithoutWaiting ----
\* removes: OlderPutsStored
\* dies: DisjointWrites
\* model: Social1x1
\* override: OlderPutsStored <- Without
\* why: The same at the check: the put that was stamped before the fence is stored when the check is over.
EXTENDS MCMediator

Without(k, ts) == TRUE
====
