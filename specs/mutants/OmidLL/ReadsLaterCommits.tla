---- MODULE ReadsLaterCommits ----
\* removes: CommittedBefore
\* dies: Snapshot
\* model: Plain2x2
\* override: CommittedBefore <- Without
\* why: A record of a transaction that began before the reader but committed after it is not in the reader's
\*   snapshot; without the comparison the reader sees a part of a later state.
EXTENDS MCOmidLL

Without(ts, t) == TRUE
====
