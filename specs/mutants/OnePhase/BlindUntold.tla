---- MODULE BlindUntold ----
\* removes: LastCommitAfterBlind
\* dies: FirstCommitterWins
\* model: Deletes3x1
\* override: LastCommitAfterBlind <- Without
\* why: A transaction that began before a blind write, and has read the key, writes it after: the manager knows of no
\*   conflict, and the blind write is overwritten unseen.
EXTENDS MCOnePhase

Without(keys) == lastCommit
====
