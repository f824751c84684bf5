---- MODULE CommitsBeforeStored ----
\* removes: WritesStored
\* dies: Snapshot
\* model: Faults2x2
\* override: WritesStored <- Without
\* why: A put that is still on its way when the commit timestamp is given is missed by a reader who begins
\*   after that; then it arrives, and the transaction commits into the reader's past.
EXTENDS MCOmidLL

Without(t) == TRUE
====
