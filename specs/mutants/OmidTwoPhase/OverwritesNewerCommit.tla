---- MODULE OverwritesNewerCommit ----
\* removes: NoNewerCommit
\* dies: FirstCommitterWins
\* model: Plain2x2
\* override: NoNewerCommit <- Without
\* why: A transaction prewrites a key that was committed after it had begun, and commits: the update in between
\*   is lost, since it has not seen it.
EXTENDS MCOmidTwoPhase

Without(t, k) == TRUE
====
