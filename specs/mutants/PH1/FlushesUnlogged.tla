---- MODULE FlushesUnlogged ----
\* removes: MayFlush
\* dies: NoDirtyRead
\* model: Faults2x1
\* override: MayFlush <- Without
\* why: The paper's flush: an instance dies in the middle of it, and the half that it has written is read for ever.
EXTENDS MCPH1

Without(t) == log[t] # "abort"
====
