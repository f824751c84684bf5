---- MODULE SecondariesFirst ----
\* removes: PrimaryFirst
\* model: Faults2x2
\* override: PrimaryFirst <- Without
\* survives: Percolator needs the order, because a secondary's intent says that the primary knows the outcome. Here
\*   the commit table knows it. The order keeps a transaction that loses its first key from disturbing others
\*   on the rest, and two with the same keys from aborting each other; neither is a matter of safety.
EXTENDS MCOmidTwoPhase

Without(t) == TRUE
====
