---- MODULE CollectsUnfinishedTombstone ----
\* removes: IsSettled
\* dies: FirstCommitterWins
\* model: Tombstones2x1
\* override: IsSettled <- Without
\* why: An intent to delete is collected because it hides nothing. It was a lock: somebody else gets the key,
\*   and both commit.
EXTENDS MCOmidTwoPhase

Without(t, k) == commitCell[k][t] # NoTs => commitCell[k][t] < watermark
====
