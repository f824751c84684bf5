---- MODULE ReplicaOfCommitted ----
\* removes: InReplica
\* dies: SnapshotLegal
\* model: Update2x1
\* override: InReplica <- Without
\* why: The replica has only entries that are COMMITTED, as the name latestCommitted suggests. These are written
\*   back already; those that a reader must wait for are ACTIVE.
EXTENDS MCMediator

Without(w) == ring[w] = "committed"
====
