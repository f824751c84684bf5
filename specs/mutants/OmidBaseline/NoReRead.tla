---- MODULE NoReRead ----
\* removes: SawCommitCell
\* dies: Snapshot
\* model: Plain2x1
\* override: SawCommitCell <- Without
\* why: The reader finds no entry, since the writer has finished in between and removed it, and passes over a committed record.
EXTENDS MCOmidBaseline

Without(k, w) == FALSE
====
