---- MODULE BesideUnchecked ----
\* removes: WasReadLater
\* dies: Snapshot
\* model: Two2x2
\* override: WasReadLater <- Without
\* why: A reader has looked at a key, and the record was not there yet. Then it comes, and is committed below the
\*   reader's snapshot.
EXTENDS MCOnePhase

Without(t, k) == FALSE
====
