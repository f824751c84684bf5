---- MODULE HealsNothing ----
\* removes: HealLeftover
\* dies: LeftoversVanish
\* model: Progress1x2
\* override: HealLeftover <- Without
\* why: The followers of a client that died after its commit stay without commit cell, if nobody reads them: their
\*   leader can never be collected, and everybody who takes a record without commit cell for a lock waits for ever.
EXTENDS MCProgress

Without(t, k) == FALSE
====
