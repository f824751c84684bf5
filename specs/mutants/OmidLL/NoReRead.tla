---- MODULE NoReRead ----
\* removes: SawCommitCell
\* dies: Snapshot
\* model: Plain2x2
\* override: SawCommitCell <- Without
\* why: A reader met the record while it was tentative and fell asleep; the writer committed, wrote its
\*   commit cells and removed its entry. The reader finds no entry, writes a false marker and, without a
\*   second look at the record, skips a committed transaction.
EXTENDS MCOmidLL

Without(k, w) == FALSE
====
