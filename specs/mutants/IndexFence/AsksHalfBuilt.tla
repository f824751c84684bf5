---- MODULE AsksHalfBuilt ----
\* removes: IndexIsReady
\* dies: IndexReads
\* model: Reader1x1
\* override: IndexIsReady <- Without
\* why: A query is answered from an index that is being built, and misses rows.
EXTENDS MCIndexFence

Without == TRUE
====
