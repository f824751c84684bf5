---- MODULE SkipsPending ----
\* removes: EntryAfterInvalidation
\* dies: Snapshot
\* model: Plain2x2
\* override: EntryAfterInvalidation <- Without
\* why: A reader that skips a pending record without leaving a marker has read a state that the writer may
\*   still change: it commits with a timestamp below the reader's.
EXTENDS MCOmidLL

Without(w) == NoTs
====
