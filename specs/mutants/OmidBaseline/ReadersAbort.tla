---- MODULE ReadersAbort ----
\* removes: MayInvalidate
\* dies: NoReaderAborts
\* model: Plain2x1
\* override: MayInvalidate <- Without
\* why: Readers of the same epoch force a pending transaction to abort, as in Omid LL: nothing else is violated.
EXTENDS MCOmidBaseline

Without(t, w) == TRUE
====
