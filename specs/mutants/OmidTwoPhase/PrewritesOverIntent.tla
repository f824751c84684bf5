---- MODULE PrewritesOverIntent ----
\* removes: NoIntent
\* dies: FirstCommitterWins
\* model: Plain2x2
\* override: NoIntent <- Without
\* why: A transaction prewrites a key on which another one has an intent. Neither has a commit timestamp yet, so
\*   neither is later than the other began; both commit, and one update is lost.
EXTENDS MCOmidTwoPhase

Without(t, k) == TRUE
====
