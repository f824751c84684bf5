---- MODULE NativeWithinTransaction ----
\* removes: ProcessIsFree
\* dies: SnapshotItemOrder
\* model: Stamps1x1
\* override: ProcessIsFree <- Without
\* why: A process puts a key natively while its own transaction is open. The server's clock has passed the start
\*   meanwhile, so the put is after the snapshot, and the transaction does not see what its own process has
\*   put.
EXTENDS MCMediator

Ended(o) ==
    {"idle", "closed", "aborted", "lost"} \cup (IF o \in Native THEN {"active"} ELSE {})
Without(o) == \A x \in Op : x # o /\ Process[x] = Process[o] => status[x] \in Ended(o)
====
