---- MODULE ReadsOwnThroughTable ----
\* removes: IsOwnWrite
\* dies: OwnWrites
\* model: Plain2x2
\* override: IsOwnWrite <- Without
\* why: A transaction that reads a key it wrote meets its own tentative record. Taken for somebody else's
\*   pending write, it invalidates itself and returns the older value.
EXTENDS MCOmidLL

Without(t, k) == FALSE
====
