---- MODULE RemovesEntryEarly ----
\* removes: CommitCellsDurable
\* dies: Snapshot
\* model: Plain2x2
\* override: CommitCellsDurable <- Without
\* why: The entry goes before a commit cell is written: a reader then finds neither, invalidates, looks
\*   again, still finds nothing, and skips a committed transaction.
EXTENDS MCOmidLL

Without(t) == TRUE
====
