---- MODULE LeavesCommitted ----
\* removes: Heals
\* dies: IntentsResolve
\* model: Progress2x1
\* override: Heals <- Without
\* why: A client dies after its commit, before it has written its commit cells. Whoever wants to write the key
\*   asks the commit table, learns the timestamp, tells nobody, and meets the same intent when it tries
\*   again.
EXTENDS MCProgress

Without(t) == cursor'[t].step # "heal"
====
