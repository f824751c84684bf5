---- MODULE PutsOverNewerCommit ----
\* removes: NoNewerCommit
\* dies: FirstCommitterWins
\* model: Fast1x1
\* override: NoNewerCommit <- Without
\* why: A fast-path write is committed after the transaction began. The transaction puts over it, and the transaction
\*   manager knows of no conflict.
EXTENDS MCCheckpoints

Without(t, k) == TRUE
====
