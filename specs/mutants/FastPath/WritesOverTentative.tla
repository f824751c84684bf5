---- MODULE WritesOverTentative ----
\* removes: NoNewerTentative
\* dies: FirstCommitterWins
\* model: Update2x1
\* override: NoNewerTentative <- Without
\* why: A fast-path write that does not care for tentative records takes a version between begin and commit
\*   of a transaction that writes the same key.
EXTENDS MCFastPath

Without(k) == TRUE
====
