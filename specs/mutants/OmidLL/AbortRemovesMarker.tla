---- MODULE AbortRemovesMarker ----
\* removes: EntryAfterCleanUp
\* dies: AnswersTrue
\* model: Tombstones2x1
\* override: EntryAfterCleanUp <- Without
\* why: An aborted client that removes the reader's marker, as Alg. 3's last line does, opens the way for
\*   its own commit-table write that was never answered: it arrives late, finds no entry and commits what
\*   the client has reported as aborted.
EXTENDS MCOmidLL

Without(t) == NoTs
====
