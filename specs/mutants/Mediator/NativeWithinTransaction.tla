---- MODULE NativeWithinTransaction ----
\* removes: ProcessIsFree
\* dies: SnapshotItemOrder
\* model: Stamps1x1
\* override: ProcessIsFree <- Without
\* properties: SnapshotItemOrder
\* why: A process puts a key natively while its own transaction is open. The server is fenced by a later
\*   transaction, so the put is after the start, and the transaction does not see what its own process has
\*   put.
EXTENDS MCMediator

Without(o) == o \in Native => \A x \in Native : x # o => status[x] # "stamped" \/ Process[x] # Process[o]
====
