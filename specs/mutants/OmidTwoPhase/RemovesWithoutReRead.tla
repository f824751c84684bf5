---- MODULE RemovesWithoutReRead ----
\* removes: IsAborted
\* dies: Snapshot
\* model: Plain2x2
\* override: IsAborted <- Without
\* why: A reader met the intent and fell asleep; the writer committed, wrote its commit cell and removed its
\*   entry. The reader finds no entry, writes a false marker and, without a second look, removes what was
\*   committed.
EXTENDS MCOmidTwoPhase

Without(k, w) == TRUE
====
