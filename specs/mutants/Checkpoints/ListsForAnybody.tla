---- MODULE ListsForAnybody ----
\* removes: IsOwner
\* dies: NoDirtyRead
\* model: List2x1
\* override: IsOwner <- Without
\* why: Somebody else asks for all versions of a transaction, and sees what is never committed.
EXTENDS MCCheckpoints

Without(a, t) == TRUE
====
