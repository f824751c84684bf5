---- MODULE StoresOverCollected ----
\* removes: NothingNewerCollected
\* dies: FirstCommitterWins
\* model: Collect1x1
\* override: NothingNewerCollected <- Without
\* why: A key was deleted on the fast path after the transaction began, and the tombstone was collected: no newer version
\*   tells the server any more that the batch is too late. The collector has passed a commit in flight.
EXTENDS MCOnePhase

Without(t) == TRUE
====
