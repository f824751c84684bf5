---- MODULE PutsOverNewerCommit ----
\* removes: NoNewerCommit
\* dies: FirstCommitterWins
\* model: Plain1x2
\* override: NoNewerCommit <- Without
\* why: The conflict of figure 3: a transaction reads, a fast-path write overwrites what it read, and the
\*   put that follows does not look. The transaction manager knows nothing of the fast path, so nobody finds
\*   the conflict: an update is lost.
EXTENDS MCFastPath

Without(t, k) == TRUE
====
