---- MODULE ChangesWhatWasRead ----
\* removes: KeepsReads
\* dies: Snapshot
\* model: Two2x1
\* override: KeepsReads <- Without
\* why: A commit takes its place below a snapshot that has read without it: the reader has seen a part of it, or nothing, and the next one all.
EXTENDS MCSnapshotIsolation

Without == TRUE
====
