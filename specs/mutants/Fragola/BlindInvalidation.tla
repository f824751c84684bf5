---- MODULE BlindInvalidation ----
\* removes: InvalidatesOnlyPending
\* dies: Snapshot
\* model: Plain2x2
\* override: InvalidatesOnlyPending <- Without
\* why: A reader found no commit timestamp at the leader; then there was one. It is overwritten by the marker, and the
\*   transaction is gone for all who come later.
EXTENDS MCFragola

Without(w) == TRUE
====
