---- MODULE GrantTwice ----
\* removes: LockFree
\* dies: MutualExclusion
\* model: Small
\* override: LockFree <- Anybody
\* why: the lock must be given to one client at a time,
\*   or the second write is lost
EXTENDS MCToy
Anybody(c) == TRUE
====
