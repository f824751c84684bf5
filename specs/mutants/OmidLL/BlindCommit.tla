---- MODULE BlindCommit ----
\* removes: NoEntryYet
\* dies: Snapshot
\* model: Plain2x2
\* override: NoEntryYet <- Without
\* why: A client that puts its entry over the marker of a reader commits although the reader has skipped it:
\*   the reader's snapshot misses a transaction that committed before it.
EXTENDS MCOmidLL

Without(t) == TRUE
====
