---- MODULE CollectsUnderLatePut ----
\* removes: NoIndexPutInFlight
\* dies: IndexIsFunction
\* model: Late1x1
\* override: NoIndexPutInFlight <- Without
\* why: A copy of a build's put arrives when the index is ready, the index record was deleted, and its tombstone
\*   collected: a deleted index record is back.
EXTENDS MCIndexFence

Without(t, k) == TRUE
====
