---- MODULE BlindCommit ----
\* removes: NoEntryYet
\* dies: Snapshot
\* model: Plain2x2
\* override: NoEntryYet <- Without
\* why: A reader has marked the transaction as aborted and passed over it. It commits nevertheless, below the reader's
\*   snapshot.
EXTENDS MCFragola

Without(t) == TRUE
====
