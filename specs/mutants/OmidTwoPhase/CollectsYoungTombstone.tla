---- MODULE CollectsYoungTombstone ----
\* removes: IsSettled
\* dies: FirstCommitterWins
\* model: Tombstones2x1
\* override: IsSettled <- Without
\* why: A deletion is committed, and its tombstone collected because it hides nothing. A transaction that began
\*   before finds nothing newer when it prewrites, and commits over a deletion that its snapshot has not
\*   seen.
EXTENDS MCOmidTwoPhase

Without(t, k) == commitCell[k][t] # NoTs
====
