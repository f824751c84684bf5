---- MODULE HealsMetLevel ----
\* removes: HealsMet
\* dies: LastLevelRead
\* model: Steps2x1
\* override: HealsMet <- Without
\* why: A reader meets a level and asks the commit table when its writer has stored another one and committed. He writes the
\*   commit cell of the one he met. Before the other one has its own, the fast path reads what the transaction has overwritten.
EXTENDS MCCheckpoints

Without(k, ts) == TRUE
====
