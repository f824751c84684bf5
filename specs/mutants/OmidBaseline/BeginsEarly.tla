---- MODULE BeginsEarly ----
\* removes: EarlierEntriesWritten
\* dies: Snapshot
\* model: Plain2x1
\* override: EarlierEntriesWritten <- Without
\* why: A reader begins while an earlier commit waits in the batch. It finds no entry and passes over the record, which then is
\*   committed in its snapshot.
EXTENDS MCOmidBaseline

Without == TRUE
====
