---- MODULE PassesOlderEpochs ----
\* removes: MustInvalidate
\* dies: Snapshot
\* model: Progress2x1
\* override: MustInvalidate <- Without
\* why: A reader passes over a record of an earlier epoch. The entry is on its way, with a timestamp in his snapshot.
EXTENDS MCOmidBaseline

Without(t, w) == FALSE
====
