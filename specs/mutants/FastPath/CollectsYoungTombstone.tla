---- MODULE CollectsYoungTombstone ----
\* removes: IsSettled
\* dies: FirstCommitterWins
\* model: Tombstones1x1
\* override: IsSettled <- Without
\* why: A fast-path write deletes a key, and the tombstone is collected because it hides nothing. A
\*   transaction that began before finds no newer commit when it puts, and commits over a deletion that its
\*   snapshot has not seen. Among regular transactions the transaction manager would remember.
EXTENDS MCFastPath

Without(t, k) == commitCell[k][t] # NoTs
====
