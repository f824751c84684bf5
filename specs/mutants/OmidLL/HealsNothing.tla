---- MODULE HealsNothing ----
\* removes: HealLeftover
\* dies: LeftoversVanish
\* model: Progress2x1
\* override: HealLeftover <- Without
\* why: A collector that cleans aborted records but does not heal committed ones leaves every reader to ask
\*   the commit table for ever.
EXTENDS MCProgress

Without(t, k) == FALSE
====
