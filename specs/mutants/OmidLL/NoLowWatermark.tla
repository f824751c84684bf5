---- MODULE NoLowWatermark ----
\* removes: AboveLowWatermark
\* dies: FirstCommitterWins
\* model: Faults2x2
\* override: AboveLowWatermark <- Without
\* why: The bounded conflict table has dropped the key. A transaction that began before the dropped commit
\*   passes the check and overwrites an update that it did not see.
EXTENDS MCOmidLL

Without(t) == TRUE
====
