---- MODULE RefusalLeavesClock ----
\* removes: CopiesRefusedUpTo
\* dies: Snapshot
\* model: Faults2x1
\* override: CopiesRefusedUpTo <- Without
\* why: The client has looked for its batch and not found it, and puts it the long way. Then a late copy is stored: the
\*   transaction is committed before its client has decided, at two timestamps.
EXTENDS MCOnePhase

Without(t) == NoTs
====
