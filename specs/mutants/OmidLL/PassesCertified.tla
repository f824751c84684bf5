---- MODULE PassesCertified ----
\* removes: IsPending
\* dies: Snapshot
\* model: Asks3x1
\* override: IsPending <- Without
\* why: A reader passes over whoever has no commit entry yet. A writer that has its commit timestamp, before the reader began, commits behind the
\*   reader's back: the reader's snapshot lacks it.
EXTENDS MCOmidLL

Without(w) == TRUE
====
